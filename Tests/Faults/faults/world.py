"""What a fault happens to: a gateway with devices, and nodes of the push service on SQLite or PostgreSQL."""

import contextlib
import dataclasses
import http.client
import json
import pathlib
import threading
import time
import urllib.error
import urllib.parse
import uuid

from gateway import Gateway
from service import Service
from test_crash import TOPIC, devices, export

from .report import Run

SECRET = "one secret for all nodes"
EVERYBODY = {"deviceType": "ios"}
# APNs is some way off, so that notifications are on the wire when the fault comes.
LATENCY_MILLISECONDS = 150
# Notifications the gateway remembers, to tell which push a device shows; each takes about 1 KB.
HISTORY = 1_000_000


class Node(Service):
    """A service that may live in a network namespace of its own."""

    def __init__(self, *arguments, network=None, number=0, **options):
        self.network, self.number = network, number
        super().__init__(*arguments, **options)

    def start(self, *arguments):
        if not self.network:
            return super().start(*arguments)
        self.prefix = self.network.prefix(self.number)
        super().start("--host", "0.0.0.0", *arguments)
        self.url = f"http://{self.network.address(self.number)}:{self.url.rsplit(':', 1)[1]}"


@dataclasses.dataclass
class Answer:
    """What the API said to one request of a client."""

    kind: str
    name: str
    status: int
    seconds: float
    at: float


class Client(threading.Thread):
    """Registers one device after the other with a node, and remembers what was acknowledged."""

    def __init__(self, node, pause=0.05):
        super().__init__(daemon=True)
        self.node, self.pause = node, pause
        self.answers = []
        self.ends = threading.Event()
        self.start()

    def run(self):
        while not self.ends.is_set():
            name = uuid.uuid4().hex
            body = {"deviceType": "android", "installationId": name}
            started = time.monotonic()
            try:
                status, answer = self.node.call("POST", "/1.1/installations", body)
                name = answer.get("objectId", name)
            except (OSError, urllib.error.URLError):
                status = 0
            now = time.monotonic()
            self.answers.append(Answer("installation", name, status, now - started, now))
            self.ends.wait(self.pause)

    def stop(self):
        self.ends.set()
        self.join()
        return self.answers


class World:
    """One gateway, some nodes, and the devices of one app."""

    def __init__(
        self, folder, device_count, database=None, node_count=1, network=None, data=None, environment=None,
        latency=LATENCY_MILLISECONDS, address="127.0.0.1",
    ):
        self.folder, self.device_count = pathlib.Path(folder), device_count
        self.nodes, self.pushes, self.database = [], [], database
        # Pushes of former runs, and what each device had received by then.
        self.former_count, self.former_counts = 0, {}
        gateway_data = self.folder / "gateway"
        gateway_data.mkdir(parents=True)
        more = ["--host", "0.0.0.0", "--hostname", address] if network else []
        self.gateway = Gateway(gateway_data, "--history", str(HISTORY), *more)
        if network:
            for name in ["apns", "sandbox"]:
                setattr(self.gateway, name, getattr(self.gateway, name).replace("localhost", address))
        try:
            if latency:
                self.gateway.call("POST", "/faults", {"latency_ms": latency})
            added = self.gateway.call("POST", "/devices", {"topic": TOPIC, "count": device_count})["devices"]
            for number in range(1, node_count + 1):
                node = Node(
                    (data or self.folder) / f"node{number}", self.gateway, topic=TOPIC, database=database,
                    secret=SECRET, first=self.nodes[0] if self.nodes else None, network=network, number=number,
                )
                self.nodes.append(node)
            export(self.folder / "export.jsonl", [device["token"] for device in added])
            first = self.nodes[0]
            first.belfry("import", self.folder / "export.jsonl", "--app", first.app_id, "--data", first.data)
            for node in self.nodes:
                node.environment.update(environment or {})
                node.start()
        except BaseException:
            self.end()
            raise

    def end(self):
        for node in self.nodes:
            if node.process:
                # One that the fault has left stopped or hanging must not outlive the run.
                node.kill()
        self.gateway.stop()

    def begin(self, **bounds):
        """A further run in this world, in which other pushes have been before."""
        self.former_count += len(self.pushes)
        self.pushes = []
        return Run(**bounds)

    def push(self, node=None, seconds=120, **more):
        """Has a push accepted, however often that has to be asked for; one request id makes it one push."""
        node = node or self.nodes[0]
        text = f"Nothing is lost {self.former_count + len(self.pushes) + 1}"
        body = {"data": {"alert": text}, "where": EVERYBODY, "req_id": uuid.uuid4().hex[:16], **more}
        end = time.monotonic() + seconds
        while True:
            status, answer = 503, None
            with contextlib.suppress(OSError, urllib.error.URLError):
                status, answer = node.call("POST", "/1.1/push", body, key=node.master_key + ",master")
            if 200 <= status < 300:
                self.pushes.append(answer["objectId"])
                return answer["objectId"]
            if status < 500 or time.monotonic() > end:
                raise AssertionError(f"a push was not accepted: {status} {answer}")
            time.sleep(0.2)

    def wait_for_successes(self, share, push=None, node=None, seconds=60):
        """Waits until a share of the devices has its outcome."""
        node, push = node or self.nodes[-1], push or self.pushes[0]
        end = time.monotonic() + seconds
        while node.record(push)["successes"] < share * self.device_count:
            if time.monotonic() > end:
                raise AssertionError(f"{share:.0%} of the devices were not reached in {seconds} s")
            time.sleep(0.01)

    def wait_until_done(self, node=None, seconds=300):
        """The records of all pushes once each has ended."""
        node = node or self.nodes[-1]
        end = time.monotonic() + seconds
        records = []
        for push in self.pushes:
            while True:
                record = None
                with contextlib.suppress(AssertionError, OSError, urllib.error.URLError):
                    record = node.record(push)
                if record and record["status"] == "done":
                    records.append(record)
                    break
                if time.monotonic() > end:
                    # What it has so far; the figures say what is missing.
                    records.append(record or {"devices": self.device_count, "successes": 0, "reasons": {}})
                    break
                time.sleep(0.1)
        return records

    def screens(self):
        """Devices a push of this run did not reach, devices that show one twice, and how many notifications came again."""
        missed, twice, again = 0, 0, 0
        wanted = len(self.pushes)
        control = http.client.HTTPConnection(urllib.parse.urlsplit(self.gateway.control).netloc, timeout=120)
        for device in list(devices(self.gateway)):
            identifier, total = device["id"], device["latest_sequence"]
            count = total - self.former_counts.get(identifier, 0)
            self.former_counts[identifier] = total
            missed += count < wanted
            again += max(0, count - wanted)
            if count > wanted:
                control.request("GET", f"/devices/{identifier}/notifications")
                answer = json.loads(control.getresponse().read())
                shown = {item["request_identifier"] for item in answer["notifications"]}
                twice += len(shown) != self.former_count + wanted
        control.close()
        return missed, twice, again

    def received(self):
        return sum(device["latest_sequence"] for device in devices(self.gateway))
