"""A machine with Belfry's package on it, as the guides' commands see one, in a folder of its own.

What the package installs is taken from `packaging`: the unit's command and its file of settings. `sudo` and `systemctl`
are stand-ins; everything else that the commands name is the real thing.
"""

import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import guide
from gateway import BELFRY, ROOT, START_SECONDS, STOP_SECONDS, clean_environment

# It drops the other user, and as the real one it hands no variables on.
SUDO = """#!/bin/bash
[ "$1" != -u ] || shift 2
if [ "$1" = install ]; then
    arguments=()
    while [ $# -gt 0 ]; do
        case $1 in -o | -g) shift 2 ;; *) arguments+=("$1"); shift ;; esac
    done
    set -- "${arguments[@]}"
fi
exec env -i PATH="$PATH" "$@"
"""

SYSTEMCTL = """#!{python}
import socket, sys
with socket.socket(socket.AF_UNIX) as system:
    system.connect("{socket}")
    system.sendall(" ".join(sys.argv[1:]).encode() + b"\\n")
    answer = system.makefile().read()
sys.exit(answer or 0)
"""


def tomorrow():
    """A time for what is not sent during a test, as the API takes it."""
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Machine:
    def __init__(self, folder, gateway, port):
        self.folder = pathlib.Path(folder)
        self.gateway = gateway
        self.port = port
        self.process = None
        self.data = self.folder / "data"
        self.backups = self.folder / "backups"
        self.home = self.folder / "home"
        self.settings = self.folder / "etc" / "belfry.env"
        self.programs = self.folder / "bin"
        for path in [self.data, self.backups, self.home, self.settings.parent, self.programs]:
            path.mkdir(mode=0o700)
        self.replacements = {
            "/var/lib/belfry": str(self.data), "/var/backups/belfry": str(self.backups),
            "/etc/belfry": str(self.settings.parent), "/usr/bin/belfry": str(BELFRY),
            "localhost:8080": f"localhost:{port}", "127.0.0.1:8080": f"127.0.0.1:{port}",
        }
        self.settings.write_text(self.placed((ROOT / "packaging/deb/belfry.env").read_text()))
        self.apple()
        self.set("BELFRY_SERVE_PORT", str(port))
        self._program("sudo", SUDO)
        # A socket's path has to be short.
        self.socket = pathlib.Path(tempfile.mkdtemp(prefix="belfry-")) / "system"
        self._program("systemctl", SYSTEMCTL.format(python=sys.executable, socket=self.socket))
        self._program("belfry", f'#!/bin/sh\nexec {shlex.quote(str(BELFRY))} "$@"\n')
        self._listen()

    def _program(self, name, text):
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)

    def apple(self):
        """Settings that put the gateway in the place of Apple's servers, which the guides are about."""
        self.set("BELFRY_APNS", self.gateway.apns)
        self.set("BELFRY_APNS_SANDBOX", self.gateway.sandbox)
        self.set("BELFRY_APNS_CA", str(self.gateway.ca))

    # MARK: Commands

    def placed(self, script):
        """A script with the places of this machine."""
        return re.sub(
            "|".join(map(re.escape, self.replacements)), lambda match: self.replacements[match[0]], script)

    def run(self, command, script, variables=None):
        result = subprocess.run(
            command, input=script, capture_output=True, text=True, timeout=180, cwd=self.home,
            env={**clean_environment(), "PATH": f"{self.programs}:{os.environ['PATH']}", **(variables or {})},
        )
        assert result.returncode == 0, result.stderr + result.stdout
        return result.stdout

    def bash(self, *scripts, variables=None):
        """What an operator types as himself; gives what it prints."""
        return self.run(["bash", "-euo", "pipefail"], self.placed("\n".join(scripts)), variables)

    def shell(self, *scripts, block=None):
        """What an operator types in the service's shell, which the guides' block opens."""
        block = block or guide.block("runbook.md", "shell")
        script = "set -euo pipefail\n" + self.placed("\n".join(scripts))
        return self.run(["bash", "-c", self.placed(block)], script)

    def set(self, name, value):
        """Writes a setting into the service's file, or takes it out."""
        lines = [line for line in self.settings.read_text().splitlines() if not line.startswith(name + "=")]
        if value is not None:
            lines.append(f"{name}={shlex.quote(value)}")
        self.settings.write_text("\n".join(lines) + "\n")

    def call(self, method, path, body=None, app="news0000", key=None):
        """One request of a backend, or with a key of its own of a phone; gives the decoded answer."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/1.1{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json", "x-lc-id": app, "x-lc-key": key or self.master_key + ",master"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read())

    def register(self, *channels):
        """A phone of the gateway's that the app on it has registered; gives it and its objectId."""
        device = self.gateway.register("com.example.App")
        row = self.call("POST", "/installations", {
            "deviceType": "ios", "deviceToken": device.token, "channels": list(channels)})
        return device, row["objectId"]

    def wait_for(self, push, reached, seconds=60):
        """The record of a push once it is as asked for."""
        end = time.monotonic() + seconds
        while True:
            record = self.call("GET", f"/notifications/{push}")
            if reached(record):
                return record
            assert time.monotonic() < end, f"not so after {seconds} s: {record}"
            time.sleep(0.1)

    # MARK: The service

    def set_up(self):
        """The first app and its key, and the service at work, as `run-it.md` says."""
        shutil.copy(self.gateway.key, self.data / "AuthKey_ABC123DEFG.p8")
        script = guide.block("run-it.md", "first app").replace("--key-id ABC123DEFG", f"--key-id {self.gateway.key_id}")
        printed = self.shell(script.replace("DEF123GHIJ", self.gateway.team_id), block=guide.block("run-it.md", "shell"))
        (self.master_key,) = re.findall("master key +(.*)", printed)
        self.bash(guide.block("run-it.md", "enable"))

    def _listen(self):
        machine = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                words = self.rfile.readline().decode().split()
                try:
                    machine.systemctl(*words)
                except Exception as error:
                    self.wfile.write(f"systemctl: {words}: {error}\n".encode())

        self.system = socketserver.ThreadingUnixStreamServer(str(self.socket), Handler)
        threading.Thread(target=self.system.serve_forever, daemon=True).start()

    def systemctl(self, *words):
        match words:
            case ["enable", "--now", "belfry"] | ["start", "belfry"]:
                self.start()
            case ["stop", "belfry"]:
                self.stop()
            case _:
                raise AssertionError("only what the guides do is known")

    def start(self):
        """Runs the unit's command with its file of settings."""
        unit = (ROOT / "packaging/belfry.service").read_text()
        (command,) = re.findall("^ExecStart=(.*)$", unit, re.MULTILINE)
        assert "EnvironmentFile=-/etc/belfry/belfry.env" in unit
        self.process = self.spawn(shlex.split(self.placed(command)), self.environment())

    def environment(self):
        """The file of settings as systemd reads it: a variable a line, in quotes or without."""
        lines = [line for line in self.settings.read_text().splitlines() if line and line[0] not in "#;"]
        return {name: "".join(shlex.split(value)) for name, value in (line.split("=", 1) for line in lines)}

    def spawn(self, command, environment):
        """Starts a service and waits until it accepts connections."""
        with open(self.folder / "serve.log", "ab") as log:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, text=True,
                env={**clean_environment(), **environment},
            )
        # readline() has no time limit of its own.
        watchdog = threading.Timer(START_SECONDS, process.kill)
        watchdog.start()
        line = process.stdout.readline()
        watchdog.cancel()
        if not line.startswith("ready "):
            process.kill()
            process.wait()
            raise AssertionError("the service did not start: " + (self.folder / "serve.log").read_text()[-2000:])
        return process

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self._reap()

    def kill(self):
        """Ends the service as a power cut would."""
        self.process.kill()
        self._reap()

    def _reap(self):
        self.process.wait(timeout=STOP_SECONDS)
        self.process.stdout.close()
        self.process = None

    def close(self):
        self.stop()
        self.system.shutdown()
        self.system.server_close()
        shutil.rmtree(self.socket.parent)
