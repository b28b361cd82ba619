"""PostgreSQL servers of a run's own: started, restarted, killed, copied to a standby that can be promoted."""

import contextlib
import glob
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from postgres import psql

PASSWORD = "belfry"
START_SECONDS = 60


def programs():
    """The folder of the server's programs, which Debian keeps out of the PATH."""
    found = shutil.which("initdb")
    if found:
        return pathlib.Path(found).resolve().parent
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not folders:
        raise RuntimeError("no initdb found: install postgresql (scripts/setup does)")
    return pathlib.Path(folders[-1])


def owner():
    """As whom the server's programs run: it refuses to run as root."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd="/", **owner())
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]}: {result.stderr[-2000:]}")
    return result.stdout


def free_port(address):
    with socket.socket() as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


class Server:
    """One server with a folder of its own.

    It waits for its log to be written, as in production, but not for the disk: what is killed here are processes,
    not the machine.
    """

    def __init__(self, folder, address="127.0.0.1", environment=None):
        self.folder = pathlib.Path(folder)
        self.address = address
        self.port = free_port(address)
        self.environment = environment or {}
        self.process = None
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")

    @property
    def data(self):
        return self.folder / "data"

    @property
    def listening(self):
        return ",".join(sorted({"127.0.0.1", self.address}))

    @property
    def host(self):
        return f"{self.address}:{self.port}"

    @property
    def url(self):
        return f"postgres://belfry:{PASSWORD}@{self.host}/postgres"

    def make(self):
        """A new, empty server."""
        password = self.folder / "password"
        password.write_text(PASSWORD + "\n")
        run(
            programs() / "initdb", "--pgdata", self.data, "--username", "belfry", "--pwfile", password,
            "--auth", "scram-sha-256", "--encoding", "UTF8", "--no-locale", "--no-sync",
        )
        with open(self.data / "pg_hba.conf", "a") as rules:
            rules.write("host all all 10.231.0.0/16 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n")
        self.configure(
            listen_addresses=self.listening, max_connections=100, fsync="off", full_page_writes="off",
            shared_buffers="64MB", max_locks_per_transaction=256, timezone="UTC",
        )
        return self

    def copy_of(self, primary):
        """A standby of another server; what was here before goes."""
        shutil.rmtree(self.data, ignore_errors=True)
        run(
            programs() / "pg_basebackup", "--pgdata", self.data, "--checkpoint", "fast", "--write-recovery-conf",
            "--wal-method", "stream", "--no-sync", "--dbname",
            f"postgres://belfry:{PASSWORD}@{primary.host}/postgres?application_name=standby",
        )
        self.configure(listen_addresses=self.listening)
        return self

    def configure(self, **settings):
        settings.update(port=self.port, unix_socket_directories=str(self.folder))
        with open(self.data / "postgresql.conf", "a") as file:
            for name, value in settings.items():
                file.write(f"{name} = '{value}'\n")

    def start(self):
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                [programs() / "postgres", "-D", self.data], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                cwd="/", env={**os.environ, **self.environment}, **owner(),
            )
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                self.end()
                raise RuntimeError("the server did not start: " + (self.folder / "server.log").read_text()[-2000:])
            time.sleep(0.05)
        return self

    def answers(self):
        ready = subprocess.run(
            [programs() / "pg_isready", "-q", "-h", self.address, "-p", str(self.port)], check=False)
        return ready.returncode == 0

    def stop(self, mode="fast"):
        run(programs() / "pg_ctl", "--pgdata", self.data, "--mode", mode, "--silent", "--wait", "stop")
        self.process.wait()

    def restart(self):
        self.stop()
        self.start()

    def kill(self):
        """Ends every process of the server at once, as the loss of its machine would."""
        postmaster = self.process.pid
        os.kill(postmaster, signal.SIGSTOP)
        for child in children(postmaster):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        os.kill(postmaster, signal.SIGKILL)
        self.process.wait()

    def promote(self):
        run(programs() / "pg_ctl", "--pgdata", self.data, "--silent", "--wait", "promote")

    def follow_synchronously(self, standby):
        """From now on this server's commits wait for a standby."""
        with open(self.data / "postgresql.conf", "a") as file:
            file.write("synchronous_standby_names = '*'\n")
        run(programs() / "pg_ctl", "--pgdata", self.data, "reload")
        end = time.monotonic() + START_SECONDS
        while psql(self.url, "SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > end:
                raise RuntimeError("the standby does not follow: " + (standby.folder / "server.log").read_text()[-2000:])
            time.sleep(0.05)

    def end(self):
        if self.process and self.process.poll() is None:
            self.kill()


def children(parent):
    found = []
    for status in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = pathlib.Path(status).read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == parent:
                found.append(int(status.split("/")[2]))
    return found
