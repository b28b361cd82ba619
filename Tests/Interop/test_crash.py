"""The service is killed in the middle of a push, again and again, and started again each time.

`make crash` runs it at size: 100,000 devices and 20 kills, on the release binary.
"""

import json
import os
import random
import sqlite3
import time

from gateway import Gateway
from service import Service

DEVICES = int(os.environ.get("BELFRY_CRASH_DEVICES", 20_000))
KILLS = int(os.environ.get("BELFRY_CRASH_KILLS", 6))
SEED = int(os.environ.get("BELFRY_CRASH_SEED", random.randrange(1 << 32)))
# What a batch holds at most, and how many are under way at most however long APNs takes to answer.
BATCH = 1_000
BATCHES = 16
TOPIC = "com.example.News"
ALL_DONE_SECONDS = 600


def export(path, tokens):
    with open(path, "w") as file:
        for index, token in enumerate(tokens):
            row = {
                "objectId": f"{index:024x}",
                "deviceType": "ios",
                "deviceToken": token,
                "createdAt": "2026-11-01T00:00:00.000Z",
                "updatedAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            }
            file.write(json.dumps(row) + "\n")


def devices(gateway):
    """Every device of the gateway with how much it has received."""
    after = ""
    while True:
        page = gateway.call("GET", f"/devices?limit=10000{after}")
        yield from page["devices"]
        if "next" not in page:
            return
        after = "&after=" + page["next"]


def under_way(service):
    """How many devices of batches that were under way have no stored outcome: what a kill may send again."""
    with sqlite3.connect(service.data / "belfry.sqlite") as database:
        return database.execute("SELECT coalesce(sum(pending_count), 0) FROM batches WHERE state = 1").fetchone()[0]


def kill_at(service, push, threshold):
    """Kills the service once so many devices have their outcome, and tells what was under way then.

    None when the push ends before.
    """
    while True:
        record = service.record(push)
        if record["status"] == "done":
            return None
        if record["successes"] >= threshold:
            service.kill()
            return under_way(service)
        time.sleep(0.002)


def test_a_push_survives_kill_9_at_any_moment(tmp_path):
    print(f"seed {SEED}")
    choose = random.Random(SEED)
    data = tmp_path / "gateway"
    data.mkdir()
    gateway = Gateway(data, "--history", str(3 * DEVICES), "--seed", str(SEED))
    try:
        run(gateway, choose, tmp_path)
    finally:
        gateway.stop()


def run(gateway, choose, tmp_path):
    added = gateway.call("POST", "/devices", {"topic": TOPIC, "count": DEVICES})["devices"]
    service = Service(tmp_path / "service", gateway, topic=TOPIC)
    try:
        push_and_kill(service, gateway, added, choose, tmp_path)
    finally:
        service.stop()


def push_and_kill(service, gateway, added, choose, tmp_path):
    export(tmp_path / "export.jsonl", [device["token"] for device in added])
    service.belfry("import", tmp_path / "export.jsonl", "--app", service.app_id, "--data", service.data)

    service.start()
    push = service.master("POST", "/1.1/push", {"data": {"alert": "Nothing is lost"}})
    started = time.monotonic()
    kills = 0
    bound = 0
    # From before the first outcome to nearly the last, and once before anything is planned.
    for threshold in [0, *sorted(choose.randrange(DEVICES * 9 // 10) for _ in range(KILLS - 1))]:
        count = kill_at(service, push["objectId"], threshold)
        if count is None:
            break
        assert count <= BATCH * BATCHES
        bound += count
        kills += 1
        service.start()
    assert kills > KILLS // 2, "the push was done before most kills: more devices are needed"
    record = service.wait_until_done(push["objectId"], ALL_DONE_SECONDS)
    print(f"{kills} kills, {time.monotonic() - started:.1f} s, {record['timings']}")
    assert record["devices"] == DEVICES
    assert record["successes"] == DEVICES

    received, repeated = 0, []
    for device in devices(gateway):
        assert device["latest_sequence"] >= 1, f"{device['id']} got nothing"
        received += device["latest_sequence"]
        if device["latest_sequence"] > 1:
            repeated.append(device["id"])
    for identifier in repeated:
        answer = gateway.call("GET", f"/devices/{identifier}/notifications")
        shown = {item["request_identifier"] for item in answer["notifications"]}
        assert len(shown) == 1, f"{identifier} shows the push {len(shown)} times"
    print(f"{received - DEVICES} notifications of {bound} under way were sent again, to {len(repeated)} devices")
    assert received - DEVICES <= bound
    assert service.stop() == 0
