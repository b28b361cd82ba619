"""What an earlier release wrote opens in this one, on both databases; nodes of two releases work side by side.

`releases/make.py` says how the files were made.
"""

import contextlib
import gzip
import json
import pathlib
import sqlite3
import subprocess
import tarfile
import time
import types
import urllib.error
import urllib.request

import pytest

from gateway import BELFRY, Gateway
from postgres import database, psql
from service import Service

RELEASES = sorted(path.parent for path in pathlib.Path(__file__).parent.glob("releases/*/expected.json"))


class Old:
    """Today's service on a copy of what a release wrote."""

    def __init__(self, kind, expected, service, change):
        self.kind, self.all, self.service, self.change = kind, expected, service, change
        self.expected, self.pushes = expected[kind]["answers"], expected[kind]["pushes"]


@contextlib.contextmanager
def opened(release, kind, folder, gateway):
    expected = json.loads((release / "expected.json").read_text(encoding="utf-8"))
    app = types.SimpleNamespace(
        app_id=expected["app"], app_key=expected["key"], master_key=expected["master"])
    data = folder / "data"
    data.mkdir()
    with contextlib.ExitStack() as stack:
        address = None
        if kind == "sqlite":
            with tarfile.open(release / "sqlite.tar.gz") as archive:
                archive.extractall(data)

            def change(sql):
                with contextlib.closing(sqlite3.connect(data / "belfry.sqlite", isolation_level=None)) as connection:
                    return connection.execute(sql).fetchall()
        else:
            address = stack.enter_context(database())
            with gzip.open(release / "postgres.sql.gz") as file:
                result = subprocess.run(
                    ["psql", address, "-X", "-q", "-v", "ON_ERROR_STOP=1"], input=file.read(), capture_output=True,
                    timeout=300)
                assert result.returncode == 0, result.stderr.decode()

            def change(sql):
                return psql(address, sql)
        # Events go after thirty days, however old the release is by now.
        change(f"UPDATE recent_events SET at = at + {int(time.time() * 1000)} - (SELECT max(at) FROM recent_events)")
        service = Service(data, gateway, database=address, secret=expected["secret"], first=app)
        service.environment["BELFRY_SECRET"] = expected["secret"]
        service.start()
        stack.callback(service.stop)
        yield Old(kind, expected, service, change)


@pytest.fixture(scope="module", params=[
    pytest.param((release, kind), id=f"{release.name}-{kind}") for release in RELEASES for kind in ("sqlite", "postgres")
])
def old(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("upgrade")
    (folder / "gateway").mkdir()
    # It knows neither the key nor the devices of the release's gateway, and takes them.
    gateway = Gateway(folder / "gateway", "--open")
    try:
        with opened(*request.param, folder, gateway) as old:
            yield old
    finally:
        gateway.stop()


def assert_contains(found, expected, path=""):
    """Everything a release answered is answered now; later ones may say more."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), f"{path}: {found!r}"
        for key, value in expected.items():
            assert key in found, f"{path}.{key} is missing"
            assert_contains(found[key], value, f"{path}.{key}")
    elif isinstance(expected, list):
        assert isinstance(found, list) and len(found) == len(expected), f"{path}: {found!r}"
        for index, value in enumerate(expected):
            assert_contains(found[index], value, f"{path}[{index}]")
    else:
        assert found == expected, f"{path}: {found!r} instead of {expected!r}"


def test_there_is_a_release():
    assert RELEASES


def test_installations_have_all_their_fields(old):
    for expected in old.expected["installations"]:
        status, found = old.service.call("GET", f"/1.1/installations/{expected['objectId']}")
        assert status == 200
        assert_contains(found, expected, expected["objectId"])


def test_installations_are_counted_by_channel_field_and_type(old):
    for where, count in old.expected["counts"].items():
        assert old.service.master("GET", f"/1.1/installations?count=1&limit=0&where={where}")["count"] == count, where


def test_records_of_what_has_ended_say_what_they_said(old):
    for name, expected in old.expected["records"].items():
        assert_contains(old.service.record(old.pushes[name]), expected, name)


def test_events_are_shown(old):
    found = old.service.master("GET", f"/1.1/events?installation={old.expected['installations'][0]['objectId']}")
    expected = [{key: event[key] for key in event if key != "at"} for event in old.expected["events"]["results"]]
    assert_contains(found["results"], expected)


def test_keys_credentials_webhooks_and_users_are_there(old):
    def run(*arguments):
        return json.loads(old.service.belfry(*arguments, "--data", old.service.data, "--json").splitlines()[0])

    app = run("app", "show", old.all["app"], "--secrets")
    assert old.all["key"] in json.dumps(app) and old.all["master"] in json.dumps(app)
    assert run("key", "list", "--app", old.all["app"])
    assert "127.0.0.1:9/hook" in json.dumps(run("webhook", "list", "--app", old.all["app"]))
    assert "operator" in json.dumps(run("user", "list"))


def test_the_interrupted_push_reaches_every_device(old):
    record = old.service.wait_until_done(old.pushes["running"], 120)
    assert record["devices"] == record["successes"] == old.all["devices"]


def test_the_paused_push_stays_paused_until_it_is_resumed_and_then_reaches_every_device(old):
    push = old.pushes["paused"]
    before = old.service.record(push)
    assert_contains(before, {key: old.expected["paused"][key] for key in ("devices", "successes", "pending", "msg")})
    old.service.master("POST", f"/1.1/pushes/{push}/resume", {})
    record = old.service.wait_until_done(push, 120)
    assert record["devices"] == record["successes"] == old.all["devices"]
    assert record["createdAt"] == before["createdAt"]


def test_the_schedules_are_listed_and_the_one_that_is_due_fires(old):
    listed = [each["push_msg"]["id"] for each in old.service.master("GET", "/1.1/scheduledPushMessages")["results"]]
    assert {old.pushes["every day"], old.pushes["every morning"]} <= set(listed)
    end = time.monotonic() + 180
    # Due two minutes after the release's service was killed; it may be late by a week.
    while True:
        records = old.service.master("GET", "/1.1/notifications?limit=100")["results"]
        fired = [each for each in records if each["msg"]["alert"] == "every day" and each["status"] == "done"]
        if fired:
            break
        assert time.monotonic() < end, records
        time.sleep(0.2)
    assert fired[0]["devices"] == fired[0]["successes"] == 1


def test_a_known_device_keeps_its_row_and_a_new_one_gets_one(old):
    known = old.expected["installations"][0]
    status, answer = old.service.call(
        "POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": known["deviceToken"]})
    assert (status, answer["objectId"]) == (201, known["objectId"]) or status == 200, answer
    status, answer = old.service.call(
        "POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": "cd" * 32, "channels": ["new"]})
    assert status == 201
    push = old.service.master("POST", "/1.1/push", {"channels": ["new"], "data": {"alert": "new"}})["objectId"]
    assert old.service.wait_until_done(push)["successes"] == 1


# Nodes of two releases at once. What comes after this release is a step of the schema that it does not know.

def refused(service):
    """What a service says that does not start."""
    result = subprocess.run(
        [BELFRY, "serve", "--data", service.data, "--port", "0", *map(str, service.apns)], capture_output=True, text=True,
        timeout=60, env=service.environment)
    return result.returncode, result.stderr


@pytest.fixture
def nodes(tmp_path, gateway):
    with database() as address:
        first = Service(tmp_path / "one", gateway, database=address, secret="one secret")
        second = Service(tmp_path / "two", gateway, database=address, secret="one secret", first=first)
        yield address, first, second
        first.stop()
        second.stop()


def add_step(address, compatible):
    """A step that a later release makes, and the oldest schema whose programs work beside it."""
    return psql(
        address,
        "ALTER TABLE installations ADD COLUMN later TEXT; ALTER TABLE pushes ADD COLUMN later BIGINT NOT NULL DEFAULT 7; "
        "CREATE INDEX pushes_later ON pushes (later); INSERT INTO schema_version (version, name, compatible_version) "
        f"SELECT max(version) + 1, 'later', max(version) + {compatible} FROM schema_version RETURNING version")


def test_a_node_works_while_and_after_a_newer_one_makes_a_step_that_allows_it(nodes):
    address, first, second = nodes
    first.start()
    status, answer = first.call("POST", "/1.1/installations", {
        "deviceType": "ios", "deviceToken": first.gateway.register().token, "channels": ["all"]})
    assert status == 201, answer
    add_step(address, compatible=0)
    # One that was there before, and one that starts now.
    second.start()
    for service in (first, second):
        status, answer = service.call("PUT", f"/1.1/installations/{answer['objectId']}", {"later": "mine"})
        assert status == 200, answer
        push = service.master("POST", "/1.1/push", {"channels": ["all"], "data": {"alert": "hello"}})["objectId"]
        assert service.wait_until_done(push)["successes"] == 1


def console_page(service):
    """What a browser shows that follows redirects: the status and the text."""
    try:
        with urllib.request.urlopen(service.url + "/console", timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_running_node_takes_no_more_work_once_a_newer_one_makes_a_step_it_cannot_work_with(nodes):
    address, first, _ = nodes
    first.start()
    status, answer = first.call("POST", "/1.1/installations", {
        "deviceType": "ios", "deviceToken": first.gateway.register().token, "channels": ["all"]})
    assert status == 201, answer
    push = first.master("POST", "/1.1/push", {"channels": ["all"], "data": {"alert": "hello"}})["objectId"]
    first.wait_until_done(push)
    assert console_page(first)[0] == 200
    needed = int(add_step(address, compatible=1))

    def readiness(expected):
        end = time.monotonic() + 30
        while True:
            status, answer = first.call("GET", "/readyz")
            if status == expected or time.monotonic() > end:
                assert status == expected, answer
                return answer
            time.sleep(0.1)

    said = readiness(503)["error"]
    assert f"version {needed} " in said and f"up to {needed - 1};" in said, said
    status, answer = first.call(
        "POST", "/1.1/push", {"channels": ["all"], "data": {"alert": "later"}}, key=first.master_key + ",master")
    assert (status, answer["code"]) == (503, 502), answer
    status, page = console_page(first)
    assert status == 503 and "about to be replaced" in page, page
    assert first.call("GET", "/healthz")[0] == 200
    # Accepted by a newer node that is gone: it waits for one that knows the step.
    psql(address, f"UPDATE pushes SET state = 'scheduled', ended_at = NULL WHERE object_id = '{push}'")
    time.sleep(3)
    assert psql(address, f"SELECT state FROM pushes WHERE object_id = '{push}'") == "scheduled"
    psql(address, "DELETE FROM schema_version WHERE name = 'later'")
    readiness(200)
    first.wait_until_done(push)
    lines = [line for line in (first.data / "serve.log").read_text().splitlines() if "takes no more work" in line]
    assert len(lines) == 1 and f"version {needed} " in lines[0], lines


def test_a_node_does_not_start_on_a_schema_that_is_too_new_for_it(nodes):
    address, first, _ = nodes
    add_step(address, compatible=1)
    code, text = refused(first)
    assert code != 0
    assert "schema version" in text and "(later)" in text


def test_a_service_does_not_open_a_file_of_a_newer_release(tmp_path, gateway):
    service = Service(tmp_path / "data", gateway)
    with contextlib.closing(sqlite3.connect(service.data / "belfry.sqlite", isolation_level=None)) as connection:
        connection.execute("INSERT INTO schema_version (version, name) SELECT max(version) + 1, 'later' FROM schema_version")
    code, text = refused(service)
    assert code != 0
    assert "schema version" in text and "newer program" in text
