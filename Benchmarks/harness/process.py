"""Processes that are pinned to a core, and what they use."""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SERVER_CORE = 0
CLIENT_CORE = 1
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
READY_SECONDS = 30


def pinned(core, command):
    """A command on one core, where taskset exists and the machine has the core."""
    if shutil.which("taskset") and core < (os.cpu_count() or 1):
        return ["taskset", "-c", str(core), *map(str, command)]
    return list(map(str, command))


@dataclasses.dataclass(frozen=True)
class Usage:
    """What a running process has used so far."""

    cpu_seconds: float
    context_switches: int
    resident_mib: float

    @staticmethod
    def of(pid):
        # The name in brackets may hold blanks: count from its end.
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        switches = resident = 0
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            for line in (task / "status").read_text().splitlines():
                if "ctxt_switches" in line:
                    switches += int(line.split()[1])
                elif line.startswith("VmRSS") and task.name == str(pid):
                    resident = int(line.split()[1])
        return Usage(ticks / TICKS_PER_SECOND, switches, resident / 1024)


@dataclasses.dataclass(frozen=True)
class Finished:
    """A command that has run to its end."""

    output: str
    exit_code: int
    cpu_seconds: float
    context_switches: int
    resident_mib: float


def run(command, core, environment=None):
    """Runs a command to its end and gives its output and what it used."""
    process = subprocess.Popen(
        pinned(core, command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        env=environment,
    )
    with process.stdout:
        output = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Finished(
        output, process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_nvcsw + usage.ru_nivcsw,
        usage.ru_maxrss / 1024,
    )


class Server:
    """A server process. Used in a `with` statement; `url` and `ca` are where clients find it."""

    def __init__(self, name, command, core=SERVER_CORE, environment=None):
        self.name = name
        self.command = pinned(core, command)
        self.environment = environment
        self.ready = {}

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env=self.environment,
        )
        self.wait_until_ready()
        return self

    def wait_until_ready(self):
        """Reads the line of JSON that Belfry's servers print once they accept connections."""
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended before it was ready: {' '.join(self.command)}")
        self.ready = json.loads(line)

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()

    @property
    def pid(self):
        return self.process.pid

    @property
    def url(self):
        return self.ready.get("apns") or self.ready["url"]

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    def usage(self):
        return Usage.of(self.pid)


class SilentServer(Server):
    """A server that says nothing when it is ready: it is once its port takes connections."""

    def __init__(self, name, command, port, **options):
        super().__init__(name, command, **options)
        self.ready = {"url": f"https://localhost:{port}"}

    def wait_until_ready(self):
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{self.name} does not listen: {' '.join(self.command)}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
