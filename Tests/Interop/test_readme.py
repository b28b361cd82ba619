"""The commands of README.md, run as a reader would type them."""

import json
import re
import signal
import subprocess
import socket
import threading

import readme
from gateway import BELFRY, ROOT, START_SECONDS, STOP_SECONDS, clean_environment


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def test_the_quick_start_works(tmp_path):
    ports = dict(zip(["2197", "2198", "8079", "8080"], free_ports(4)))

    def on_free_ports(script):
        return re.sub("2197|2198|8079|8080", lambda match: str(ports[match[0]]), script)

    environment = clean_environment()
    environment["PATH"] = f"{BELFRY.parent}:{environment['PATH']}"
    environment["BELFRY_GATEWAY_PORT"] = str(ports["2197"])
    environment["BELFRY_GATEWAY_SANDBOX_PORT"] = str(ports["2198"])
    environment["BELFRY_GATEWAY_CONTROL_PORT"] = str(ports["8079"])
    (start,) = readme.blocks("start")
    gateway = subprocess.Popen(
        ["bash", "-c", "exec " + start], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path,
        env=environment, text=True,
    )
    # readline() has no time limit of its own.
    watchdog = threading.Timer(START_SECONDS, gateway.kill)
    watchdog.start()
    try:
        ready = gateway.stdout.readline()
        assert ready.startswith(f"ready apns=https://localhost:{ports['2197']} "), ready
        script = "set -euo pipefail\n" + "\n".join(on_free_ports(block) for block in readme.blocks("run"))
        result = subprocess.run(
            ["bash", "-c", script], capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment
        )
        assert result.returncode == 0, result.stderr + result.stdout
        assert "HTTP/2 200" in result.stdout
        journal, _ = json.JSONDecoder().raw_decode(result.stdout, result.stdout.index('{"newest_sequence"'))
        assert [request["status"] for request in journal["requests"]] == [200]
        assert "accepted" in result.stdout
        assert "badge has to be a number" in result.stdout
        run_the_service(on_free_ports, tmp_path, {**environment, "BELFRY_SERVE_PORT": ports["8080"]})
    finally:
        watchdog.cancel()
        gateway.send_signal(signal.SIGTERM)
        code = gateway.wait(timeout=STOP_SECONDS)
        gateway.stdout.close()
    assert code == 0


def run_the_service(on_free_ports, folder, environment):
    """The push service's part of the README, beside a running gateway."""
    environment = {name: str(value) for name, value in environment.items()}
    setup, requests, users = readme.blocks("service")
    (serve,) = readme.blocks("serve")
    token = readme.blocks("run")[0].split("\n\n")[0]

    def bash(script):
        result = subprocess.run(
            ["bash", "-c", "set -euo pipefail\n" + on_free_ports(script)], capture_output=True, text=True,
            timeout=120, cwd=folder, env=environment,
        )
        assert result.returncode == 0, result.stderr + result.stdout
        return result.stdout

    assert "master key  news0000-master-key" in bash(setup)
    service = subprocess.Popen(
        ["bash", "-c", "exec " + on_free_ports(serve)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        cwd=folder, env=environment, text=True,
    )
    watchdog = threading.Timer(START_SECONDS, service.kill)
    watchdog.start()
    try:
        ready = service.stdout.readline()
        assert ready.startswith("ready api=http://localhost:"), ready
        printed = bash(token + "\n" + requests)
        assert '"successes":1' in printed.replace(" ", ""), printed
        assert printed.count("objectId") >= 3
        assert "2027-03-14" in printed
        assert "admin" in bash(users)
    finally:
        watchdog.cancel()
        service.send_signal(signal.SIGTERM)
        code = service.wait(timeout=STOP_SECONDS)
        service.stdout.close()
    assert code == 0


def test_the_readme_shows_a_table_of_test_tokens():
    rows = readme.test_tokens()
    assert len({row.prefix for row in rows}) == len(rows) >= 30


def test_make_help_lists_what_the_readme_names():
    result = subprocess.run(["make", "help"], capture_output=True, text=True, cwd=ROOT)
    assert "make demo" in result.stdout and "make test" in result.stdout
