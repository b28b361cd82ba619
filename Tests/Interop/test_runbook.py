"""The commands of docs/runbook.md and of docs/run-it.md, typed on a machine with Belfry's package."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import uuid

import pytest

import guide
from gateway import BELFRY, STOP_SECONDS, clean_environment
from machine import tomorrow
from postgres import database, psql
from test_readme import free_ports

UNAVAILABLE = {"reason": "ServiceUnavailable"}


def block(kind, **values):
    """A block of the runbook with what its reader fills in."""
    text = guide.block("runbook.md", kind)
    for name, value in values.items():
        assert re.search(rf"\b{name}\b", text), f"'{kind}' has no {name}"
        text = re.sub(rf"\b{name}\b", value, text)
    return text


def tools():
    return block("tools", APP_ID="news0000")


@pytest.fixture
def ready(machine):
    """A machine with an app, its key and the service at work."""
    machine.set_up()
    return machine


def send(machine, channel, text, **fields):
    """A push to a channel; gives its id."""
    return machine.call("POST", "/push", {"channels": [channel], "data": {"alert": text}, **fields})["objectId"]


def is_done(record):
    return record["status"] == "done"


def titles(machine, device):
    return [one["payload"]["aps"]["alert"] for one in machine.gateway.notifications(device)]


def back_up(machine):
    """Makes a copy as the guide says; gives its date."""
    machine.shell(guide.block("run-it.md", "backup"))
    (copy,) = machine.backups.glob("*.sqlite")
    assert sqlite3.connect(copy).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return copy.stem


def serve_without_apple(machine, port):
    """The service at which nothing goes out, started in the service's shell."""
    script = block("serve without Apple").replace("--port 8081", f"--port {port}")
    assert str(port) in script
    environment = machine.environment()
    return machine.spawn(["bash", "-c", "exec " + script], {**environment, "PATH": f"{machine.programs}:{os.environ['PATH']}"})


def end(process):
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=STOP_SECONDS) == 0
    process.stdout.close()


def test_a_backup_is_restored_with_nothing_of_what_came_later(ready):
    first, installation = ready.register("a")
    # APNs is busy at the time of the backup: this push runs, and would go on.
    ready.gateway.call("POST", "/faults", UNAVAILABLE)
    running = send(ready, "a", "of that time")
    ready.wait_for(running, lambda record: 503 in [one["status"] for one in ready.gateway.requests()])
    date = back_up(ready)
    ready.gateway.call("DELETE", "/faults")

    ready.shell("belfry app create Later --topic com.example.Later --id later000")
    _, later = ready.register("a")
    ready.kill()
    assert (ready.data / "belfry.sqlite-wal").stat().st_size > 0, "the file alone would do"
    ready.bash(block("restore", DATE=date))
    assert not list(ready.data.glob("belfry.sqlite-*"))
    assert (ready.data / "before-restore" / "belfry.sqlite-wal").exists()
    listed = ready.shell("belfry app list")
    assert "news0000" in listed and "later000" not in listed

    (port,) = free_ports(1)
    quiet = serve_without_apple(ready, port)
    try:
        script = block("cancel what was sent").replace("localhost:8081", f"localhost:{port}")
        printed = ready.shell(tools(), script)
        assert running in printed and '"cancelled"' in printed, printed
    finally:
        end(quiet)
    assert "ready" in ready.bash(block("start"))
    assert ready.call("GET", f"/installations/{installation}")["channels"] == ["a"]
    assert ready.call("GET", f"/installations/{later}") == {}
    assert ready.call("GET", f"/notifications/{running}")["reasons"] == {"cancelled": 1}
    push = send(ready, "a", "after it")
    assert ready.wait_for(push, is_done)["successes"] == 1
    assert titles(ready, first) == ["after it"]


def test_without_the_secret_no_command_opens_a_backup(ready, tmp_path):
    date = back_up(ready)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(ready.backups / f"{date}.sqlite", folder / "belfry.sqlite")

    def app_list():
        return subprocess.run(
            [BELFRY, "app", "list", "--data", folder], capture_output=True, text=True, timeout=60,
            env=clean_environment())

    refused = app_list()
    assert refused.returncode != 0 and "secret" in refused.stderr and refused.stdout == ""
    shutil.copy(ready.data / "secret", folder / "secret")
    assert "news0000" in app_list().stdout


def test_a_dump_is_restored_into_a_new_database(machine):
    name = "belfry_" + uuid.uuid4().hex
    with database() as address:
        other = address.rsplit("/", 1)[0] + "/" + name
        machine.set("BELFRY_DATABASE", address)
        machine.set_up()
        device, installation = machine.register("a")
        machine.shell(guide.block("run-it.md", "dump"))
        (dump,) = machine.backups.glob("*.dump")
        _, later = machine.register("a")
        machine.kill()
        script = block("restore dump", DATE=dump.stem).replace("belfry_restored", name)
        shown = re.search("'(postgres://[^']*)'", script)[1]
        try:
            machine.shell(script.replace(shown, other))
            machine.set("BELFRY_DATABASE", other)
            assert "news0000" in machine.shell("belfry app list")
            machine.bash(block("start"))
            assert machine.call("GET", f"/installations/{installation}")["channels"] == ["a"]
            assert machine.call("GET", f"/installations/{later}") == {}
            push = send(machine, "a", "after it")
            assert machine.wait_for(push, is_done)["successes"] == 1
            assert titles(machine, device) == ["after it"]
            machine.stop()
        finally:
            psql(address, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def test_a_push_to_the_wrong_people_is_stopped_looked_at_ended_and_corrected(ready):
    phones = [ready.register("a") for _ in range(3)]
    # Two are asked to wait, so that the push is under way for long.
    ready.gateway.call("POST", "/faults", {**UNAVAILABLE, "count": 2})
    push = send(ready, "a", "wrong")
    ready.wait_for(push, lambda record: record["successes"] == 1 and record["pending"] == 2)
    reached = next(phone for phone in phones if titles(ready, phone[0]))

    printed = ready.shell(tools(), block("stop a push", ID=push))
    assert '"paused"' in printed and '"wrong"' in printed
    assert push in ready.shell(tools(), "pushes paused")
    known = f"push={push}"
    printed = ready.shell(tools(), known, block("see a push", INSTALLATION=reached[1]))
    assert '"successes":1' in printed and '"pending":2' in printed and "failed\t" not in printed, printed
    assert '"cancelled"' in ready.shell(tools(), known, block("cancel a push"))
    record = ready.wait_for(push, is_done)
    assert (record["successes"], record["reasons"]) == (1, {"cancelled": 2})

    printed = ready.shell(tools(), known, block("correct a push", CHANNEL="a"))
    correction = json.loads(printed)["objectId"]
    assert ready.wait_for(correction, is_done)["successes"] == 3
    received = ready.gateway.notifications(reached[0])
    assert [one["collapse_id"] for one in received] == [push] * len(received)
    assert received[-1]["payload"]["aps"]["alert"] == "Please disregard our last message"


def test_a_schedule_is_ended(ready):
    ready.call("POST", "/push", {
        "channels": ["a"], "data": {"alert": "every day"},
        "schedule": {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "Asia/Shanghai"}})
    (message,) = ready.call("GET", "/scheduledPushMessages")["results"]
    printed = ready.shell(tools(), block("cancel a schedule", NUMBER=str(message["id"])))
    assert "every day" in printed
    assert ready.call("GET", "/scheduledPushMessages")["results"] == []


def test_what_a_fault_has_stopped_is_resumed_and_what_a_person_has_paused_is_not(ready):
    device, _ = ready.register("a")
    waiting = send(ready, "a", "by a person", push_time=tomorrow())
    ready.call("POST", f"/pushes/{waiting}/pause")
    ready.gateway.call("POST", "/faults", {"reason": "TopicDisallowed", "count": 1})
    stopped = send(ready, "a", "by a fault")
    ready.wait_for(stopped, lambda record: "errors" in record)
    printed = ready.shell(tools(), block("resume"))
    assert "TopicDisallowed" in printed and waiting in printed
    assert ready.wait_for(stopped, is_done)["successes"] == 1
    assert ready.call("GET", f"/notifications/{waiting}")["pushes"][0]["state"] == "paused"
    assert titles(ready, device) == ["by a fault"]


def test_records_with_devices_that_apns_was_not_reached_for_are_found(ready):
    ready.register("a")
    well, missed = send(ready, "a", "well"), send(ready, "a", "missed")
    for push in [well, missed]:
        ready.wait_for(push, is_done)
    ready.stop()
    # As after twelve attempts, which take hours: the stored outcome of a device is a byte.
    with sqlite3.connect(ready.data / "belfry.sqlite") as file:
        count = file.execute(
            "UPDATE batches SET outcomes = x'0a' WHERE push = (SELECT number FROM pushes WHERE object_id = ?)", [missed]
        ).rowcount
    assert count == 1
    ready.start()
    (line,) = ready.shell(tools(), block("reasons")).splitlines()
    assert line.startswith(f"{missed} 1 of 1 ")


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="sqlite3 is not installed")
def test_a_file_is_made_smaller(ready):
    kept, _ = ready.register("a")
    filler = "x" * 4_000
    rows = [ready.call("POST", "/installations", {"deviceType": "ios", "deviceToken": f"{n:064x}", "text": filler})["objectId"]
            for n in range(200)]
    for row in rows:
        ready.call("DELETE", f"/installations/{row}")
    ready.stop()
    ready.start()
    before = (ready.data / "belfry.sqlite").stat().st_size
    ready.bash(block("compact"))
    ready.stop()
    assert (ready.data / "belfry.sqlite").stat().st_size < before / 2
    ready.start()
    push = send(ready, "a", "still here")
    assert ready.wait_for(push, is_done)["successes"] == 1
    assert titles(ready, kept) == ["still here"]
