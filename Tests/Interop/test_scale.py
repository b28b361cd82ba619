"""What docs/scale.md tells operators to write into files is what systemd and `belfry serve` take."""

import re
import shutil
import socket
import subprocess

import pytest

import guide
from gateway import BELFRY, ROOT
from postgres import database
from service import Service


def settings():
    """The variables of the guide's environment file."""
    (text,) = guide.blocks("scale.md", "environment file", "ini")
    return dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))


def free_port():
    """A port at which nobody answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def test_a_node_starts_with_the_guides_settings_and_finds_the_primary_among_its_hosts(tmp_path, gateway):
    values = settings()
    found = re.fullmatch(r"postgres://([^:]+):([^@]+)@([^/]+)/([^?]+)(\?.*)?", values["BELFRY_DATABASE"])
    assert found, values["BELFRY_DATABASE"]
    hosts = found[3].split(",")
    assert len(hosts) > 1, "the guide shows several hosts"
    assert all(re.fullmatch(r"[a-z0-9.-]+(:\d+)?", host) for host in hosts)
    with database() as address:
        login, place = address.removeprefix("postgres://").split("@")
        server, name = place.split("/")
        # Its last host answers, the others are down.
        down = [f"127.0.0.1:{free_port()}" for _ in hosts[1:]]
        address = f"postgres://{login}@{','.join([*down, server])}/{name}{found[5] or ''}"
        service = Service(tmp_path / "node", gateway, database=address, secret=values["BELFRY_SECRET"])
        service.environment.update({**values, "BELFRY_DATABASE": address, "BELFRY_SERVE_HOST": "127.0.0.1"})
        service.start()
        try:
            device = gateway.register()
            status, answer = service.call(
                "POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": device.token, "channels": ["a"]})
            assert status == 201, answer
            push = service.master("POST", "/1.1/push", {"channels": ["a"], "data": {"alert": "hello"}})["objectId"]
            assert service.wait_until_done(push)["successes"] == 1
        finally:
            assert service.stop() == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_unit_and_the_guides_addition(tmp_path):
    (addition,) = guide.blocks("scale.md", "unit addition", "ini")
    unit = (ROOT / "packaging/belfry.service").read_text()
    assert "/usr/bin/belfry" in unit and "/etc/belfry/belfry.env" in unit
    # The program and the settings lie elsewhere here; systemd looks whether they are there.
    environment = tmp_path / "belfry.env"
    environment.write_text("".join(f"{name}={value}\n" for name, value in settings().items()))
    unit = unit.replace("/usr/bin/belfry", str(BELFRY)).replace("/etc/belfry/belfry.env", str(environment))
    (tmp_path / "belfry.service").write_text(unit)
    folder = tmp_path / "belfry.service.d"
    folder.mkdir()
    (folder / "cluster.conf").write_text(addition)
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "belfry.service")], capture_output=True, text=True,
        timeout=60, env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin"})
    # Other units of the machine may have faults of their own.
    assert result.returncode == 0, result.stderr
    assert "belfry" not in result.stderr, result.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_would_say_what_is_wrong(tmp_path):
    (tmp_path / "belfry.service").write_text("[Service]\nExecStart=/nonexistent/belfry serve\nRestart=sometimes\n")
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "belfry.service")], capture_output=True, text=True,
        timeout=60)
    assert "belfry" in result.stderr
