"""Several services on one PostgreSQL database: every device gets a push once, whatever becomes of the nodes."""

import os
import subprocess
import threading
import time

import pytest

from gateway import Gateway
from postgres import children_of_server, database, psql
from service import Service
from test_crash import TOPIC, devices, export

DEVICES = int(os.environ.get("BELFRY_NODES_DEVICES", 20_000))
# For tests of faults: enough that the push still runs when the fault comes.
FEW = min(DEVICES, 8_000)
SECRET = "one secret for all nodes"
# Of a batch in a node's hands when it dies or is stopped, what was on the wire without an answer may be sent again.
IN_FLIGHT = 2 * 2_000


class Nodes:
    """A gateway with devices, a database with their installations, and services that share it."""

    def __init__(self, folder, address, count, device_count=DEVICES):
        self.address = address
        data = folder / "gateway"
        data.mkdir()
        self.gateway = Gateway(data, "--history", str(3 * device_count))
        self.services = []
        self.device_count = device_count
        try:
            added = self.gateway.call("POST", "/devices", {"topic": TOPIC, "count": device_count})["devices"]
            for number in range(count):
                self.services.append(
                    Service(
                        folder / f"node{number}", self.gateway, topic=TOPIC, database=address, secret=SECRET,
                        first=self.services[0] if self.services else None,
                    )
                )
            first = self.services[0]
            export(folder / "export.jsonl", [device["token"] for device in added])
            first.belfry("import", folder / "export.jsonl", "--app", first.app_id, "--data", first.data)
            for service in self.services:
                service.start()
        except BaseException:
            self.stop()
            raise

    def stop(self):
        codes = [service.stop() for service in self.services]
        self.gateway.stop()
        return codes

    def received(self):
        """How many notifications arrived; each device must show the push exactly once."""
        total, repeated = 0, []
        for device in devices(self.gateway):
            assert device["latest_sequence"] >= 1, f"{device['id']} got nothing"
            total += device["latest_sequence"]
            if device["latest_sequence"] > 1:
                repeated.append(device["id"])
        for identifier in repeated[:200]:
            answer = self.gateway.call("GET", f"/devices/{identifier}/notifications")
            shown = {item["request_identifier"] for item in answer["notifications"]}
            assert len(shown) == 1, f"{identifier} shows the push {len(shown)} times"
        return total

    def owners(self):
        """How many batches each node has finished."""
        rows = psql(self.address, "SELECT owner, count(*) FROM batches WHERE state = 2 GROUP BY owner").split()
        return dict(row.split("|") for row in rows)


@pytest.fixture
def nodes(tmp_path):
    with database() as address:
        nodes = Nodes(tmp_path, address, 3, FEW)
        try:
            yield nodes
        finally:
            nodes.stop()


def successes(service, push):
    return service.record(push)["successes"]


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def test_three_nodes_share_a_push_and_no_device_gets_it_twice(tmp_path):
    with database() as address:
        nodes = Nodes(tmp_path, address, 3)
        try:
            share(nodes)
        finally:
            nodes.stop()


def share(nodes):
    push = nodes.services[1].master("POST", "/1.1/push", {"data": {"alert": "All of us"}})["objectId"]
    started = time.monotonic()
    record = nodes.services[2].wait_until_done(push, 300)
    print(f"{nodes.device_count} devices in {time.monotonic() - started:.1f} s by {nodes.owners()}")
    assert record["devices"] == record["successes"] == nodes.device_count
    assert nodes.received() == nodes.device_count
    assert len(nodes.owners()) > 1, "one node did all the work"
    assert nodes.stop()[:3] == [0, 0, 0]


def test_a_request_repeated_on_all_nodes_at_once_is_one_push(nodes):
    answers = []

    def send(service):
        body = {"data": {"alert": "Once"}, "req_id": "once", "where": {"deviceType": "none"}}
        answers.append(service.master("POST", "/1.1/push", body)["objectId"])

    threads = [threading.Thread(target=send, args=[service]) for service in nodes.services * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 12
    assert len(set(answers)) == 1


def test_a_node_that_is_killed_is_replaced_by_the_others(nodes):
    push = nodes.services[0].master("POST", "/1.1/push", {"data": {"alert": "Nothing is lost"}})["objectId"]
    victim, others = nodes.services[0], nodes.services[1:]
    wait_for(lambda: successes(others[0], push) > nodes.device_count // 10)
    victim.kill()
    # It comes back under its name and takes its own batches up at once; the others have gone on meanwhile.
    victim.start()
    record = others[1].wait_until_done(push, 300)
    assert record["devices"] == record["successes"] == nodes.device_count
    assert nodes.received() - nodes.device_count <= IN_FLIGHT


def test_all_nodes_are_killed_and_started_again(nodes):
    push = nodes.services[0].master("POST", "/1.1/push", {"data": {"alert": "Nothing is lost"}})["objectId"]
    wait_for(lambda: successes(nodes.services[0], push) > nodes.device_count // 10)
    for service in nodes.services:
        service.kill()
    for service in nodes.services:
        service.start()
    record = nodes.services[1].wait_until_done(push, 300)
    assert record["devices"] == record["successes"] == nodes.device_count
    assert nodes.received() - nodes.device_count <= 3 * IN_FLIGHT


def test_the_database_is_cut_off_again_and_again_while_a_push_runs(nodes):
    push = nodes.services[0].master("POST", "/1.1/push", {"data": {"alert": "Nothing is lost"}})["objectId"]
    for _ in range(5):
        time.sleep(0.3)
        for process in children_of_server(nodes.address):
            psql(nodes.address, f"SELECT pg_terminate_backend({process})")
    record = nodes.services[1].wait_until_done(push, 300)
    assert record["devices"] == record["successes"] == nodes.device_count
    nodes.received()


def test_another_secret_is_refused(nodes, tmp_path):
    environment = dict(nodes.services[0].environment, BELFRY_SECRET="swordfish-8")
    from gateway import BELFRY

    result = subprocess.run(
        [BELFRY, "app", "list", "--data", tmp_path / "other"], capture_output=True, text=True, env=environment,
        timeout=60,
    )
    assert result.returncode == 1
    assert "BELFRY_SECRET" in result.stderr
    assert "swordfish-8" not in result.stderr
    password = nodes.address.split(":")[2].split("@")[0]
    for service in nodes.services:
        assert password not in (service.data / "serve.log").read_text()
