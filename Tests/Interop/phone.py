"""A `belfry phone` process, for tests."""

import json
import queue
import subprocess
import threading
import time
import urllib.error
import urllib.request

from gateway import BELFRY, START_SECONDS, STOP_SECONDS, clean_environment

WAIT_SECONDS = 60


class Phone:
    """A running phone that prints JSON lines; its attributes are those of the ready line."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [BELFRY, "phone", "--json", "--port", "0", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        )
        self.lines = queue.Queue()
        self.entries = []
        threading.Thread(target=self._read, daemon=True).start()
        ready = self._wait(lambda line: "ready" in line, START_SECONDS)["ready"]
        self.token = ready["tokens"].get(ready["topics"][0])
        self.device = ready.get("device")
        self.http = ready["http"]

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def _wait(self, condition, seconds=WAIT_SECONDS):
        end = time.monotonic() + seconds
        while True:
            line = self.lines.get(timeout=max(0.1, end - time.monotonic()))
            if line is None:
                raise RuntimeError("the phone ended: " + self.process.stderr.read())
            self.entries.append(line)
            if condition(line):
                return line

    def wait_for(self, event, text=None):
        """The next entry of the journal of a kind."""
        return self._wait(lambda line: line.get("event") == event and (text is None or line["text"] == text))

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def state(self):
        with urllib.request.urlopen(self.http + "/phones/1", timeout=30) as response:
            return json.load(response)

    def act(self, **action):
        request = urllib.request.Request(
            self.http + "/phones/1/actions", data=json.dumps(action).encode(), method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)["error"]

    def stop(self, command="exit"):
        """Ends the phone by a command; gives its exit code."""
        if self.process.poll() is None:
            self.tell(command)
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        finally:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                stream.close()
