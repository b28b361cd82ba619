"""What docs/scale.md tells operators to write into files is what systemd and `belfry serve` take."""

import ctypes
import errno
import re
import shutil
import socket
import subprocess
import sys

import pytest

import guide
from front import Front, running
from gateway import BELFRY, ROOT, clean_environment
from machine import tomorrow
from postgres import database
from service import Service


def settings():
    """The variables of the guide's environment file, as a shell reads them and systemd too."""
    text = guide.block("scale.md", "environment file", "ini")
    lines = [line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#")]
    shell = subprocess.run(
        ["bash", "-c", "set -a\n" + text + "\nenv -0"], capture_output=True, text=True, check=True, env={})
    values = dict(line.split("=", 1) for line in shell.stdout.split("\0") if line)
    for name, written in lines:
        # What is in single quotes means itself to both, what is in none has to be a plain word.
        assert values[name] == (written[1:-1] if written[0] == written[-1] == "'" else written)
        assert written[0] == "'" or re.fullmatch(r"[\w./:-]+", written), f"{name} needs quotes"
    return {name: values[name] for name, _ in lines}


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
    assert "sslmode=verify-full" in found[5], "the guide shows a password on a way that is not encrypted"
    with database() as address:
        login, place = address.removeprefix("postgres://").split("@")
        server, name = place.split("/")
        # Its last host answers, the others are down.
        down = [f"127.0.0.1:{free_port()}" for _ in hosts[1:]]
        address = f"postgres://{login}@{','.join([*down, server])}/{name}{found[5] or ''}"
        command = [BELFRY, "app", "list", "--data", str(tmp_path / "refused"), "--database", address]
        refused = subprocess.run(
            command, capture_output=True, text=True, timeout=60,
            env={**clean_environment(), "BELFRY_SECRET": values["BELFRY_SECRET"]})
        assert refused.returncode == 69 and "does not support SSL" in refused.stderr, refused.stderr
        # The server of the tests speaks no TLS.
        address = re.sub("sslmode=verify-full&sslrootcert=[^&]*", "sslmode=disable", address)
        service = Service(tmp_path / "node", gateway, database=address, secret=values["BELFRY_SECRET"])
        service.environment.update({
            **values, "BELFRY_DATA": "", "BELFRY_DATABASE": address, "BELFRY_SERVE_HOST": "127.0.0.1"})
        service.start()
        try:
            service.send_one()
        finally:
            assert service.stop() == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_unit_and_the_guides_addition(tmp_path):
    addition = guide.block("scale.md", "unit addition", "ini")
    unit = (ROOT / "packaging/belfry.service").read_text()
    assert "/usr/bin/belfry" in unit and "/etc/belfry/belfry.env" in unit
    # The program and the settings lie elsewhere here; systemd looks whether they are there.
    environment = tmp_path / "belfry.env"
    environment.write_text(guide.block("scale.md", "environment file", "ini"))
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


class SystemCallFilter:
    """What the unit lets a program ask of the kernel, put on a process of our own with libseccomp as systemd does."""

    ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000

    def __init__(self, unit):
        self.allowed = set()
        for text in re.findall(r"(?m)^SystemCallFilter=(.+)$", unit):
            names = {name for group in text.removeprefix("~").split() for name in self.members(group)}
            self.allowed = self.allowed - names if text.startswith("~") else self.allowed | names
        number = re.search(r"(?m)^SystemCallErrorNumber=(\w+)$", unit)
        self.denied = self.ERRNO | getattr(errno, number[1]) if number else self.KILL
        self.library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
        self.library.seccomp_init.restype = ctypes.c_void_p

    @classmethod
    def members(cls, name):
        """The system calls of a group, and those of the groups in it."""
        if not name.startswith("@"):
            return {name}
        text = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True).stdout
        lines = [line.strip() for line in text.splitlines()[1:]]
        return {one for line in lines if line and not line.startswith("#") for one in cls.members(line)}

    def apply(self):
        """For this process and all that it becomes."""
        library = self.library
        context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(self.denied)))
        for name in self.allowed:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number >= 0:
                assert library.seccomp_rule_add_array(context, ctypes.c_uint32(self.ALLOW), number, 0, None) == 0, name
        assert library.seccomp_load(context) == 0, "the filter cannot be put on"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_belfry_works_with_the_system_calls_that_the_unit_leaves_it(tmp_path, gateway):
    unit = (ROOT / "packaging/belfry.service").read_text()
    calls = SystemCallFilter(unit)
    assert "read" in calls.allowed and not calls.allowed & {"setpriority", "mount", "chroot", "setuid"}
    # As root the kernel takes the filter without more; systemd sets NoNewPrivileges for whoever is not.
    program = tmp_path / "filtered"
    program.write_text(
        f"#!{sys.executable}\nimport ctypes, os, sys\nsys.path.insert(0, {str(ROOT / 'Tests/Interop')!r})\n"
        "import pathlib, test_scale\n"
        f"test_scale.SystemCallFilter(pathlib.Path({str(ROOT / 'packaging/belfry.service')!r}).read_text()).apply()\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n")
    program.chmod(0o755)
    service = Service(tmp_path / "node", gateway)
    service.prefix = [program]
    service.start()
    try:
        service.send_one()
        listed = subprocess.run(
            [program, BELFRY, "app", "list", "--data", service.data], capture_output=True, text=True, timeout=60,
            env=service.environment)
        assert listed.returncode == 0 and service.app_id in listed.stdout, listed.stderr
    finally:
        assert service.stop() == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_would_say_what_is_wrong(tmp_path):
    (tmp_path / "belfry.service").write_text("[Service]\nExecStart=/nonexistent/belfry serve\nRestart=sometimes\n")
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "belfry.service")], capture_output=True, text=True,
        timeout=60)
    assert "belfry" in result.stderr


def test_nginx_passes_on_what_nodes_that_are_gone_do_not_take(service, tmp_path):
    front = Front(tmp_path, free_port())
    configuration = guide.block("scale.md", "upstream", "nginx")
    nodes = re.findall(r"server (10\.0\.0\.\d:8080)", configuration)
    assert len(nodes) == 3
    alive = service.url.removeprefix("http://").replace("localhost", "127.0.0.1")
    for node, here in zip(nodes, [f"127.0.0.1:{free_port()}", alive, f"127.0.0.1:{free_port()}"]):
        configuration = configuration.replace(node, here)
    configuration = configuration.replace("\nserver {\n", f"\nserver {{\n    listen 127.0.0.1:{front.port};\n")
    headers = {"x-lc-id": service.app_id, "x-lc-key": service.app_key}
    with running(front, configuration):
        for number in range(20):
            body = {"deviceType": "ios", "deviceToken": f"{number:064x}"}
            assert front.ask("POST", "/1.1/installations", body, headers)[0] in (200, 201)


def test_a_services_data_moves_to_postgresql_and_back_is_the_file(machine):
    machine.set_up()
    _, installation = machine.register("a")
    push = machine.call("POST", "/push", {
        "channels": ["a"], "data": {"alert": "later"}, "push_time": tomorrow()})["objectId"]
    with database() as address:
        machine.bash(guide.block("scale.md", "stop"))
        machine.set("BELFRY_DATABASE", address)
        moved = machine.shell(guide.block("scale.md", "migrate"))
        assert "1\tinstallations\n" in moved and "1\tpushes\n" in moved
        machine.bash(guide.block("scale.md", "start"))
        assert machine.call("GET", f"/installations/{installation}")["channels"] == ["a"]
        assert machine.call("GET", f"/notifications/{push}")["status"] == "scheduled"
        device, later = machine.register("b")
        sent = machine.call("POST", "/push", {"channels": ["b"], "data": {"alert": "now"}})["objectId"]
        assert machine.wait_for(sent, lambda record: record["status"] == "done")["successes"] == 1
        machine.stop()
    machine.set("BELFRY_DATABASE", None)
    machine.start()
    assert machine.call("GET", f"/notifications/{push}")["status"] == "scheduled"
    assert machine.call("GET", f"/installations/{installation}")["channels"] == ["a"]
    assert machine.call("GET", f"/installations/{later}") == {}
