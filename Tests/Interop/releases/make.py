"""Keeps what a release writes, for the test that later ones read it: run it once for each release, with its program.

    BELFRY=/usr/bin/belfry scripts/postgres run .venv/bin/python Tests/Interop/releases/make.py

It fills a service on SQLite and one on PostgreSQL, kills both in the middle of their work, and writes the data folder,
the database's dump and what the API answered into a folder with the release's number.
"""

import gzip
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from credentials import new_signing_key  # noqa: E402
from gateway import BELFRY, Gateway  # noqa: E402
from postgres import database  # noqa: E402
from service import Service  # noqa: E402

TOPIC = "com.example.Release"
# It seals nothing but what this script makes up.
SECRET = "a secret for tests of upgrades"
APP, KEY, MASTER = "release-app", "release-app-key-0001", "release-master-key-0001"
# More than the pace lets out before the kill.
DEVICES = 2_500
FIELDS = [
    {"deviceType": "ios", "channels": ["news", "体育", "a_b-c=d"], "timeZone": "Asia/Shanghai", "badge": 3},
    {"deviceType": "ios", "channels": [], "timeZone": "America/Los_Angeles", "localeIdentifier": "fr_CA",
     "deviceProfile": "release", "apnsTopic": TOPIC, "apnsTeamId": "TEAM000001"},
    {"deviceType": "ios", "valid": False, "name": "Zoë \u200d👩‍🚀 \"quoted\" \\ back", "nothing": None},
    {"deviceType": "ios", "age": 41, "weight": 71.25, "huge": 9007199254740993, "tiny": 1e-9, "isPaid": True,
     "tags": ["a", 1, None, {"deep": [1, [2, [3]]]}], "object": {"key": {"inner": "值"}, "empty": {}}},
    {"deviceType": "ios", "born": {"__type": "Date", "iso": "1985-10-26T01:21:00.000Z"},
     "place": {"__type": "GeoPoint", "latitude": 48.8583, "longitude": 2.2945},
     "owner": {"__type": "Pointer", "className": "_User", "objectId": "5f0000000000000000000001"},
     "blob": {"__type": "Bytes", "base64": "AAECAwQ="}},
]


def fill(service):
    """Everything a service keeps, by its API and its verbs."""
    service.belfry(
        "app", "update", APP, "--record-days", 3650, "--installation-days", 3650, "--frequency-cap", "1000/1h",
        "--quiet-hours", "off", "--client-push", "yes", "--default-language", "en", "--data", service.data)
    service.belfry("webhook", "add", "http://127.0.0.1:9/hook", "--app", APP, "--event", "push.done",
                   "--signing-secret", "a signing secret for tests", "--data", service.data)
    subprocess.run(
        [BELFRY, "user", "add", "operator", "--role", "owner", "--data", service.data],
        input="correct horse battery staple\n", text=True, check=True, env=service.environment, stdout=subprocess.DEVNULL)
    rows = service.data.parent / "export.jsonl"
    with open(rows, "w", encoding="utf-8") as file:
        for index in range(DEVICES):
            file.write(json.dumps({
                "objectId": f"5f{index:022x}", "deviceType": "ios", "deviceToken": f"{index:064x}",
                "channels": ["all"], "timeZone": "Europe/Berlin", "createdAt": "2026-01-02T03:04:05.678Z",
                "updatedAt": "2026-02-03T04:05:06.789Z"}) + "\n")
    service.belfry("import", rows, "--app", APP, "--data", service.data)
    service.start()

    saved = []
    for index, fields in enumerate(FIELDS):
        body = {"deviceToken": f"ab{index:062x}", **fields}
        status, answer = service.call("POST", "/1.1/installations", body)
        assert status == 201, answer
        saved.append(answer["objectId"])
    status, answer = service.call("POST", "/1.1/installations", {
        "deviceType": "android", "installationId": "c0ffee00-0000-4000-8000-000000000001", "channels": ["news"]})
    assert status == 201, answer
    saved.append(answer["objectId"])
    status, answer = service.call("POST", "/1.1/events", {"events": [
        {"name": "read", "installation": saved[0], "article": "article-1", "tags": {"sport": 2.0, "音乐": 1.0},
         "properties": {"seconds": 12}},
        {"name": "buy", "installation": saved[0], "properties": {"price": 9.99}}]})
    assert status == 200 and answer["accepted"] == 2, answer

    pushes = {}

    def push(name, body):
        pushes[name] = service.master("POST", "/1.1/push", {"data": {"alert": name}, **body})["objectId"]

    # Ended: accepted ones and a refused one, with an opening and a number of its own.
    push("finished", {"where": {"objectId": {"$in": saved[:2]}}, "notification_id": "number1"})
    push("by req_id", {"channels": ["体育"], "req_id": "request0001"})
    pushes["tokens"] = service.master("POST", "/1.1/push/devices", {
        "device_type": "ios", "device_ids": ["ab" + "0" * 62, "fa11041001" + "0" * 54],
        "data": {"alert": "tokens"}})["objectId"]
    for name in ("finished", "by req_id", "tokens"):
        service.wait_until_done(pushes[name])
    status, answer = service.call("POST", "/1.1/stats/collect", {
        "client": {"id": saved[0]}, "events": [{"event": "open", "attributes": {"notificationId": pushes["finished"]}}]})
    assert status == 200, answer
    # Its time has not come when the service is killed, and is late by less than a week whenever it is started.
    moment = time.gmtime(time.time() + 150 + 8 * 3600)
    push("every day", {
        "channels": ["体育"], "late_minutes": 7 * 24 * 60,
        "schedule": {"rrule": f"FREQ=DAILY;BYHOUR={moment.tm_hour};BYMINUTE={moment.tm_min}", "timezone": "Asia/Shanghai"}})
    push("every morning", {
        "channels": ["nobody"], "schedule": {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "device"}})
    push("later", {"channels": ["nobody"], "push_time": time.strftime(
        "%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 300 * 86400))})
    push("cancelled", {
        "channels": ["all"], "push_time": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 86400))})
    service.master("POST", f"/1.1/pushes/{pushes['cancelled']}/cancel", {})
    # Paused after its first devices.
    pushes["paused"] = begin(service, "paused")
    service.master("POST", f"/1.1/pushes/{pushes['paused']}/pause", {})
    # What was on its way is answered.
    time.sleep(1)
    return saved, pushes


def begin(service, name):
    """A push to everybody that is under way when this returns."""
    push = service.master("POST", "/1.1/push", {
        "data": {"alert": name}, "channels": ["all"], "flow_control": 1000})["objectId"]
    end = time.monotonic() + 60
    while not 0 < service.record(push)["successes"] < DEVICES:
        assert time.monotonic() < end, service.record(push)
        time.sleep(0.01)
    return push


def answers(service, saved, pushes):
    """What the API says of all of it, of what does not change any more."""
    return {
        "installations": [service.call("GET", f"/1.1/installations/{id}")[1] for id in [*saved, f"5f{7:022x}"]],
        "counts": {
            text: service.master("GET", f"/1.1/installations?count=1&limit=0&where={text}")["count"]
            for text in ("{}", '{"channels":"all"}', '{"age":41}', '{"deviceType":"android"}')},
        "events": service.master("GET", f"/1.1/events?installation={saved[0]}"),
        "records": {name: service.record(pushes[name]) for name in ("finished", "by req_id", "tokens", "cancelled")},
        "paused": service.record(pushes["paused"]),
        "scheduled": service.master("GET", "/1.1/scheduledPushMessages"),
    }


def keep(name, folder, gateway, address, result):
    app = types.SimpleNamespace(app_id=APP, app_key=KEY, master_key=MASTER)
    service = Service(folder / name / "data", gateway, database=address, secret=SECRET, first=app)
    service.environment["BELFRY_SECRET"] = SECRET
    service.belfry("app", "create", "Release", "--topic", TOPIC, "--id", APP, "--key", KEY, "--master-key", MASTER,
                   "--data", service.data)
    # No gateway's own key: another gateway would know it by the same name and find the signature wrong.
    key = folder / name / "AuthKey.p8"
    key.write_text(new_signing_key())
    service.belfry("key", "add", "--app", APP, "--p8", key, "--key-id", "RELEASEKEY", "--team-id", "RELEASETEA",
                   "--environment", "both", "--data", service.data, *service.apns)
    saved, pushes = fill(service)
    found = answers(service, saved, pushes)
    pushes["running"] = begin(service, "running")
    service.kill()
    (service.data / "serve.log").unlink()
    result[name] = {"installations": saved, "pushes": pushes, "answers": found}


def main():
    version = json.loads(subprocess.run(
        [BELFRY, "version", "--json"], capture_output=True, text=True, check=True).stdout)["version"]
    target = HERE / version
    target.mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-release-"))
    (folder / "gateway").mkdir()
    gateway = Gateway(folder / "gateway", "--open")
    result = {"version": version, "secret": SECRET, "app": APP, "key": KEY, "master": MASTER, "devices": DEVICES}
    try:
        keep("sqlite", folder, gateway, None, result)
        data = folder / "sqlite/data"
        # The log goes into the file: it has room for much more than is in it.
        with sqlite3.connect(data / "belfry.sqlite") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        with open(target / "sqlite.tar.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file, \
                tarfile.open(fileobj=file, mode="w") as archive:
            for path in sorted(data.iterdir()):
                if path.is_file() and not path.name.endswith(("-wal", "-shm", ".lock")):
                    archive.add(path, path.name)
        with database() as address:
            keep("postgres", folder, gateway, address, result)
            dump = subprocess.run(
                ["pg_dump", "--no-owner", "--no-privileges", address], check=True, capture_output=True).stdout
            with open(target / "postgres.sql.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
                file.write(dump)
        (target / "expected.json").write_text(json.dumps(result, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    finally:
        gateway.stop()
        shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(target.iterdir()):
        print(f"{path.stat().st_size:8} {path.relative_to(HERE)}")


if __name__ == "__main__":
    main()
