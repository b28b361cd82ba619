"""A gateway process and its control API, for tests."""

import dataclasses
import json
import os
import pathlib
import queue
import signal
import subprocess
import threading
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BELFRY = pathlib.Path(os.environ.get("BELFRY", ROOT / ".build/debug/belfry"))
START_SECONDS = 60
STOP_SECONDS = 30


def clean_environment():
    """The process's environment without BELFRY_ variables, which would change what a command does."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BELFRY_")}


@dataclasses.dataclass(frozen=True)
class Device:
    id: str
    token: str
    topic: str


class Gateway:
    """A running `belfry gateway`; its attributes are those of the ready line."""

    def __init__(self, data, *arguments):
        self.data = pathlib.Path(data)
        command = [BELFRY, "gateway", "--port", "0", "--sandbox-port", "0", "--control-port", "0"]
        command += ["--data", self.data, "--json", *arguments]
        self.log = open(self.data / "gateway.log", "wb")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, env=clean_environment()
        )
        ready = self._ready_line()
        self.apns = ready["apns"]
        self.sandbox = ready["sandbox"]
        self.control = ready["control"]
        self.ca = ready["ca"]
        self.key = ready["key"]
        self.key_id = ready["key_id"]
        self.team_id = ready["team_id"]

    @property
    def port(self):
        return int(self.apns.rsplit(":", 1)[1])

    def _ready_line(self):
        lines = queue.Queue()

        def read():
            # Keeps reading: a full pipe would stop the gateway.
            for line in self.process.stdout:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        line = lines.get(timeout=START_SECONDS)
        if line is None:
            raise RuntimeError("the gateway ended: " + (self.data / "gateway.log").read_text(errors="replace"))
        return json.loads(line)

    def stop(self):
        """Ends the gateway the way an operator does, and gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()
            self.log.close()

    def call(self, method, path, body=None):
        """One request to the control API; gives the decoded answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.control + path, data=data, method=method, headers={"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from error
        except urllib.error.URLError as error:
            log = (self.data / "gateway.log").read_text(errors="replace")[-4000:]
            raise AssertionError(f"{method} {path}: {error}; exit code {self.process.poll()}; log:\n{log}") from error
        return json.loads(text) if text else None

    def register(self, topic="com.example.App", environment="production", name="test"):
        answer = self.call("POST", "/devices", {"topic": topic, "environment": environment, "name": name})
        return Device(answer["id"], answer["token"], topic)

    def notifications(self, device):
        answer = self.call("GET", f"/devices/{device.id}/notifications")
        return answer["notifications"] if isinstance(answer, dict) else answer

    def requests(self, query=""):
        """The journal, newest first or oldest first as the gateway gives it."""
        answer = self.call("GET", "/requests" + query)
        return answer["requests"] if isinstance(answer, dict) else answer
