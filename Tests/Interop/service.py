"""A push service process with an app of its own, and requests to it, for tests."""

import json
import pathlib
import queue
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

from gateway import BELFRY, START_SECONDS, STOP_SECONDS, clean_environment


class Service:
    """`belfry serve` in front of a gateway, with one app whose credential is the gateway's key.

    Several share a database of PostgreSQL when they are given its address and the same secret; the first makes the app.
    """

    def __init__(self, data, gateway, topic="com.example.App", database=None, secret=None, first=None):
        self.data = pathlib.Path(data)
        self.data.mkdir(parents=True, exist_ok=True)
        self.gateway = gateway
        self.process = None
        self.log = None
        # What the service's command begins with, for one that runs in a namespace of its own.
        self.prefix = []
        self.environment = clean_environment()
        if database:
            self.environment.update(BELFRY_DATABASE=database, BELFRY_SECRET=secret)
        if first:
            self.app_id, self.app_key, self.master_key = first.app_id, first.app_key, first.master_key
            return
        app = json.loads(self.belfry("app", "create", "Test", "--topic", topic, "--data", self.data, "--json"))
        self.app_id, self.app_key, self.master_key = app["id"], app["key"], app["masterKey"]
        self.belfry(
            "key", "add", "--app", self.app_id, "--p8", gateway.key, "--key-id", gateway.key_id,
            "--team-id", gateway.team_id, "--environment", "both", "--data", self.data, *self.apns,
        )

    @property
    def apns(self):
        return ["--apns", self.gateway.apns, "--apns-sandbox", self.gateway.sandbox, "--apns-ca", self.gateway.ca]

    def belfry(self, *arguments):
        """Runs the command line tool to its end and gives what it printed."""
        result = subprocess.run(
            [BELFRY, *map(str, arguments)], capture_output=True, text=True, timeout=300, env=self.environment
        )
        assert result.returncode == 0, f"belfry {arguments[0]}: {result.stderr}"
        return result.stdout

    def start(self, *arguments):
        """Starts the service and waits until it accepts connections."""
        command = [*self.prefix, BELFRY, "serve", "--data", self.data, "--port", "0", "--json", *self.apns, *arguments]
        self.log = open(self.data / "serve.log", "ab")
        self.process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL,
            env=self.environment,
        )
        lines = queue.Queue()

        def read(stream):
            # Keeps reading: a full pipe would stop the service.
            for line in stream:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=read, args=[self.process.stdout], daemon=True).start()
        line = lines.get(timeout=START_SECONDS)
        if line is None:
            raise RuntimeError("the service ended: " + (self.data / "serve.log").read_text(errors="replace")[-4000:])
        self.url = json.loads(line)["api"]

    def send_one(self):
        """Registers a device of the gateway and sends it a push, which has to arrive."""
        device = self.gateway.register()
        status, answer = self.call(
            "POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": device.token, "channels": ["a"]})
        assert status == 201, answer
        push = self.master("POST", "/1.1/push", {"channels": ["a"], "data": {"alert": "hello"}})["objectId"]
        assert self.wait_until_done(push)["successes"] == 1

    def kill(self):
        """Ends the service as a power cut would: it hears nothing of it."""
        self.process.kill()
        self._reap()

    def stop(self):
        """Ends the service the way an operator does, and gives its exit code."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._reap()

    def _reap(self):
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.log.close()
            self.process = None

    def call(self, method, path, body=None, headers=None, key=None):
        """One request; gives the status and the decoded answer."""
        data = None if body is None else json.dumps(body).encode()
        fields = {"content-type": "application/json", "x-lc-id": self.app_id, "x-lc-key": key or self.app_key}
        request = urllib.request.Request(self.url + path, data=data, method=method, headers={**fields, **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text, status = response.read(), response.status
        except urllib.error.HTTPError as error:
            text, status = error.read(), error.code
        return status, json.loads(text) if text else None

    def master(self, method, path, body=None):
        """One request with the master key that has to succeed; gives the decoded answer."""
        status, answer = self.call(method, path, body, key=self.master_key + ",master")
        assert 200 <= status < 300, f"{method} {path}: {status} {answer}"
        return answer

    def record(self, push):
        return self.master("GET", f"/1.1/notifications/{push}")

    def wait_until_done(self, push, seconds=60):
        """The push's record once every device has its outcome."""
        end = time.monotonic() + seconds
        while True:
            record = self.record(push)
            if record["status"] == "done":
                return record
            if time.monotonic() > end:
                raise AssertionError(f"not done after {seconds} s: {record}")
            time.sleep(0.1)
