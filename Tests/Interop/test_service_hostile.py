"""Clients that mean harm or know no better: each gets an error code, nothing changes, and the next one is served."""

import http.client
import json
import secrets
import socket
import threading
import time
from urllib.parse import quote, urlsplit

import pytest

from service import Service


def token():
    return secrets.token_hex(32)


def raw(service, method, path, body=b"", headers=None, key=None):
    """One request whose body is bytes; gives status and answer."""
    address = urlsplit(service.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    fields = {"X-LC-Id": service.app_id, "X-LC-Key": key or service.app_key, "Content-Type": "application/json"}
    try:
        connection.request(method, path, body, {**fields, **(headers or {})})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def master(service):
    return service.master_key + ",master"


def count(service):
    return service.master("GET", "/1.1/installations?limit=0&count=1")["count"]


def is_error(status, body, *codes):
    """An answer as LeanCloud's kits read failures."""
    answer = json.loads(body)
    assert 400 <= status < 500, (status, answer)
    assert set(answer) == {"code", "error"} and isinstance(answer["code"], int) and answer["error"]
    assert not codes or answer["code"] in codes, answer
    return True


@pytest.fixture(autouse=True)
def nothing_changed_and_still_serves(service):
    before = count(service)
    yield
    begin = time.monotonic()
    assert count(service) == before
    assert time.monotonic() - begin < 10
    assert service.process.poll() is None


# Bodies


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"{'deviceType': 'ios'}",
        b'{"deviceType": "ios",}',
        b'{"deviceType": "ios"} {"deviceType": "ios"}',
        b'{"deviceToken": "\xff\xfe"}',
        b'{"deviceToken": "\xed\xa0\x80"}',
        b'{"deviceToken": "\xc0\xaf"}',
        b'{"deviceToken": "\\ud800"}',
        b'{"level": 1e999}',
        b'{"level": NaN}',
        b'{"level": 01}',
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b"[" * 100_000,
    ],
    ids=range(16),
)
@pytest.mark.parametrize("path", ["/1.1/installations", "/1.1/batch", "/1.1/batch/save", "/1.1/push"])
def test_a_body_that_is_no_json_object(service, path, body):
    status, answer = raw(service, "POST", path, body, key=master(service))
    assert is_error(status, answer)


def test_a_field_that_is_not_utf8_is_malformed_json(service):
    assert is_error(*raw(service, "POST", "/1.1/installations", b'{"x": "\xff"}'), 107)


@pytest.mark.parametrize("key", [None, "master"])
def test_a_body_of_10_mb(service, key):
    body = json.dumps({"deviceType": "ios", "deviceToken": token(), "text": "x" * 10_000_000}).encode()
    try:
        status, answer = raw(service, "POST", "/1.1/installations", body, key=key and master(service))
    except (BrokenPipeError, ConnectionResetError):
        return  # The answer is there before the body is; not every client reads it then.
    assert status == 413 and is_error(status, answer)


def test_an_object_that_is_too_large(service):
    body = json.dumps({"deviceType": "ios", "deviceToken": token(), "text": "x" * 200_000}).encode()
    assert is_error(*raw(service, "POST", "/1.1/installations", body), 116)


@pytest.mark.parametrize(
    "fields, code",
    [
        ({"createdAt": "2027-01-01T00:00:00.000Z"}, 117),
        ({"updatedAt": "2027-01-01T00:00:00.000Z"}, 117),
        ({"deviceToken": 7}, 111),
        ({"deviceToken": {"$gt": ""}}, None),
        ({"channels": "news"}, 111),
        ({"channels": ["a b"]}, 112),
        ({"channels": ["a\"]; DROP TABLE installations; --"]}, 112),
        ({"badge": 1.5}, 111),
        ({"badge": 10**30}, 111),
        ({"badge": -1}, 111),
        ({"valid": "yes"}, 111),
        ({"timeZone": 8}, 111),
        ({"1abc": 1}, 105),
        ({"a-b": 1}, 105),
        ({"": 1}, 105),
        ({"a b": 1}, 105),
        ({"a.b": 1}, 121),
        ({"$a": 1}, 121),
        ({"a": {"$b": 1}}, 121),
        ({"a": {"b.c": 1}}, 121),
        ({"a'); DROP TABLE installations; --": 1}, 105),
        ({"a": {"__type": "Date", "iso": "yesterday"}}, 111),
        ({"a": {"__type": "GeoPoint", "latitude": 91, "longitude": 0}}, 302),
        ({"a": {"__op": "Explode"}}, 1),
        ({"a": {"__op": "Increment", "amount": "x"}}, 111),
        ({"a": {"__op": "Add", "objects": 1}}, 111),
        ({"deviceProfile": "1-"}, 1),
        ({"a": "nul \u0000"}, 107),
        (
            {
                "a": {"__type": "GeoPoint", "latitude": 1, "longitude": 0},
                "b": {"__type": "GeoPoint", "latitude": 1, "longitude": 0},
            },
            302,
        ),
    ],
    ids=range(29),
)
def test_fields_that_cannot_be_stored(service, fields, code):
    body = json.dumps({"deviceType": "ios", "installationId": token(), **fields}).encode()
    assert is_error(*raw(service, "POST", "/1.1/installations", body), *([code] if code else []))


# Queries


def deep(operator, levels):
    clause = {"a": 1}
    for _ in range(levels):
        clause = {operator: [clause]}
    return clause


@pytest.mark.parametrize(
    "where",
    [
        "{",
        "7",
        '"text"',
        "{}x",
        '{"a":{"$where":"sleep(1000)"}}',
        '{"$where":"1"}',
        '{"a":{"$expr":1}}',
        '{"a":{"$regex":"("}}',
        '{"a":{"$regex":7}}',
        '{"a":{"$regex":"a","$options":"z"}}',
        '{"a":{"$in":7}}',
        '{"a":{"$exists":"maybe"}}',
        '{"a":{"$nearSphere":{"latitude":1}}}',
        '{"$or":7}',
        '{"a b":1}',
        '{"a\'--":1}',
        json.dumps(deep("$or", 60)),
        json.dumps({"a": {"$in": list(range(20_000))}}),
        json.dumps({"$or": [{"a": number} for number in range(5000)]}),
    ],
    ids=range(19),
)
def test_conditions_that_mean_nothing(service, where):
    body = json.dumps({"requests": [{"method": "GET", "path": "/1.1/installations", "params": {"where": where}}]})
    status, answer = raw(service, "POST", "/1.1/batch", body.encode(), key=master(service))
    assert status == 200
    (one,) = json.loads(answer)
    assert set(one) == {"error"} and isinstance(one["error"]["code"], int) and one["error"]["error"]


INJECTIONS = [
    "' OR '1'='1",
    "'; DROP TABLE installations; --",
    '" OR ""="',
    "') UNION SELECT secret FROM app_keys --",
    "\\'; SELECT 1; --",
    "%' OR 1=1 --",
    "$.a') OR 1=1 --",
    "a' COLLATE NOCASE --",
]


@pytest.mark.parametrize("text", INJECTIONS)
def test_values_are_values(service, text):
    for where in (
        {"deviceToken": text}, {"name": text}, {"name": {"$ne": text}, "deviceToken": text}, {"channels": text},
        {"name": {"$in": [text]}}, {"nested.name": text}, {"objectId": text},
    ):
        answer = service.master("GET", "/1.1/installations?where=" + quote(json.dumps(where)))
        assert answer["results"] == []


@pytest.mark.parametrize("text", INJECTIONS)
def test_names_never_become_sql(service, text):
    for path in (
        "/1.1/installations?order=" + quote(text),
        "/1.1/installations?where=" + quote(json.dumps({text: 1})),
        "/1.1/installations?where=" + quote(json.dumps({"nested." + text: 1})),
        "/1.1/scan/classes/_Installation?cursor=" + quote(text),
    ):
        status, answer = raw(service, "GET", path, key=master(service))
        if status == 200:
            # A name may be one that no row has; then nothing matches, and nothing of another table is told.
            assert "order=" in path or json.loads(answer)["results"] == []
            assert b"secret" not in answer
        else:
            assert is_error(status, answer)
    for path in (f"/1.1/installations/{quote(text, safe='')}", f"/1.1/notifications/{quote(text, safe='')}"):
        status, answer = raw(service, "GET", path, key=master(service))
        assert (status, answer) == (200, b"{}") or is_error(status, answer)


def test_a_pattern_that_would_run_for_ever_ends(service):
    service.master("POST", "/1.1/installations", {"installationId": "redos", "name": "a" * 40 + "!"})
    try:
        begin = time.monotonic()
        where = quote(json.dumps({"name": {"$regex": "^(a+)+$"}}))
        raw(service, "GET", f"/1.1/installations?where={where}", key=master(service))
        assert time.monotonic() - begin < 10
    finally:
        where = quote(json.dumps({"installationId": "redos"}))
        (row,) = service.master("GET", f"/1.1/installations?where={where}")["results"]
        service.master("DELETE", f"/1.1/installations/{row['objectId']}")


@pytest.mark.parametrize("query", ["limit=-1", "limit=abc", "limit=99999999999999999999", "limit=1e3", "limit=%00"])
def test_limits_that_are_none(service, query):
    status, answer = raw(service, "GET", "/1.1/installations?" + query, key=master(service))
    assert is_error(status, answer) if status != 200 else len(json.loads(answer)["results"]) <= 100


# Batches


def test_a_batch_holds_no_batch(service):
    inner = {"method": "POST", "path": "/1.1/batch", "body": {"requests": []}}
    status, answer = raw(
        service, "POST", "/1.1/batch", json.dumps({"requests": [inner]}).encode(), key=master(service)
    )
    assert status == 200
    assert set(json.loads(answer)[0]) == {"error"}


def test_a_batch_of_too_many(service):
    one = {"method": "GET", "path": "/1.1/date"}
    body = json.dumps({"requests": [one] * 20_000}).encode()
    assert is_error(*raw(service, "POST", "/1.1/batch", body, key=master(service)))


def test_the_parts_of_a_batch_have_its_rights_and_no_more(service):
    made = service.call("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": token()})[1]
    path = "/1.1/installations/" + made["objectId"]
    parts = [
        {"method": "GET", "path": "/1.1/installations"},
        {"method": "DELETE", "path": path},
        {"method": "POST", "path": "/1.1/push", "body": {"data": {"alert": "x"}}},
        {"method": "GET", "path": "/1.1/notifications"},
        {"method": "GET", "path": "/1.1/scheduledPushMessages"},
    ]
    status, answer = service.call("POST", "/1.1/batch", {"requests": parts})
    assert status == 200
    assert [set(one) for one in answer] == [{"error"}] * 5
    assert [one["error"]["code"] in (119, 403) for one in answer[:4]] == [True] * 4
    service.master("DELETE", path)


# Rights


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/1.1/installations"),
        ("GET", "/1.1/classes/_Installation"),
        ("GET", "/1.1/scan/classes/_Installation"),
        ("DELETE", "/1.1/installations/0123456789abcdef01234567"),
        ("DELETE", "/1.1/classes/_Installation/0123456789abcdef01234567"),
        ("POST", "/1.1/push"),
        ("POST", "/1.1/push/devices"),
        ("GET", "/1.1/notifications"),
        ("GET", "/1.1/notifications/abcdefghijklmnop"),
        ("GET", "/1.1/tables/Notifications/abcdefghijklmnop"),
        ("GET", "/1.1/classes/_Notification/abcdefghijklmnop"),
        ("DELETE", "/1.1/notifications/abcdefghijklmnop"),
        ("GET", "/1.1/scheduledPushMessages"),
        ("DELETE", "/1.1/scheduledPushMessages/1"),
        ("GET", "/1.1/explain?push=a&installation=b"),
    ],
)
def test_the_app_key_is_not_enough(service, method, path):
    push = {"data": {"alert": "x"}, "device_type": "ios", "device_ids": [token()]}
    if path == "/1.1/push":
        push = {"data": {"alert": "x"}}
    body = json.dumps(push).encode() if method == "POST" else b""
    status, answer = raw(service, method, path, body)
    assert status == 403 and is_error(status, answer, 119, 403)
    status, answer = raw(service, method, path, body, key="x" * 24 + ",master")
    assert status == 401 and is_error(status, answer, 401)


def test_one_app_never_sees_anothers(service, gateway):
    """Two apps in one service, the same token in both."""
    other = json.loads(
        service.belfry(
            "app", "create", "Other", "--topic", "com.example.Other", "--data", service.data, "--json"
        )
    )
    shared = token()
    mine = service.call("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": shared, "owner": "mine"})[1]
    sent = service.master("POST", "/1.1/push", {"channels": ["nobody"], "data": {"alert": "x"}})["objectId"]

    def as_other(method, path, body=None):
        headers = {"X-LC-Id": other["id"], "X-LC-Key": other["masterKey"] + ",master"}
        return service.call(method, path, body, headers=headers)

    theirs = as_other("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": shared, "owner": "theirs"})
    assert theirs[0] == 201 and theirs[1]["objectId"] != mine["objectId"]
    assert [one["owner"] for one in as_other("GET", "/1.1/installations")[1]["results"]] == ["theirs"]
    assert as_other("GET", "/1.1/scan/classes/_Installation")[1]["results"][0]["owner"] == "theirs"
    path = "/1.1/installations/" + mine["objectId"]
    assert as_other("GET", path) == (200, {})
    assert as_other("PUT", path, {"owner": "stolen"})[0] == 404
    assert as_other("DELETE", path)[0] == 404
    assert as_other("POST", "/1.1/installations", {"objectId": mine["objectId"], "owner": "x"})[1].get(
        "objectId"
    ) != mine["objectId"]
    assert as_other("GET", f"/1.1/notifications/{sent}")[1].get("objectId") is None
    assert as_other("DELETE", f"/1.1/notifications/{sent}")[0] == 404
    assert as_other("GET", "/1.1/notifications")[1]["results"] == []
    # The keys of one app open nothing of the other.
    headers = {"X-LC-Id": service.app_id, "X-LC-Key": other["masterKey"] + ",master"}
    assert service.call("GET", "/1.1/installations", headers=headers)[0] == 401
    assert service.master("GET", path)["owner"] == "mine"
    service.master("DELETE", path)


def test_a_rotated_key_and_the_new_one_are_both_valid(service, tmp_path, gateway):
    other = Service(tmp_path / "rotated", gateway)
    other.start()
    try:
        former = other.master_key
        other.belfry("app", "rotate", other.app_id, "--kind", "master", "--data", other.data, "--json")
        end = time.monotonic() + 10
        assert other.call("GET", "/1.1/installations", key=former + ",master")[0] == 200
        assert time.monotonic() < end
    finally:
        assert other.stop() == 0


def test_secrets_are_in_no_error_and_no_log(service):
    for headers in ({"X-LC-Key": "x" * 24}, {"X-LC-Sign": "0" * 32 + ",1"}, {"X-LC-Key": service.master_key}):
        status, answer = raw(service, "GET", "/1.1/installations", headers=headers)
        assert status in (401, 403)
        assert service.master_key.encode() not in answer and service.app_key.encode() not in answer
    log = (service.data / "serve.log").read_text(errors="replace")
    assert service.master_key not in log and service.app_key not in log
    for file in service.data.glob("belfry.sqlite*"):
        content = file.read_bytes()
        assert service.master_key.encode() not in content, file
        assert service.app_key.encode() not in content, file
    for file in [service.data / "secret", *service.data.glob("belfry.sqlite*")]:
        assert file.stat().st_mode & 0o077 == 0, f"others may read {file}"


def test_a_data_folder_is_its_owners_alone(belfry, tmp_path):
    folder = tmp_path / "new"
    belfry("app", "create", "News", "--topic", "com.example.News", "--data", folder, "--json", check=0)
    assert folder.stat().st_mode & 0o777 == 0o700


# Connections


def test_slow_and_silent_clients_hold_up_nobody(service):
    address = urlsplit(service.url)
    sockets = [socket.create_connection((address.hostname, address.port)) for _ in range(50)]
    try:
        for one in sockets:
            one.sendall(b"POST /1.1/installations HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
        begin = time.monotonic()
        assert raw(service, "GET", "/1.1/date")[0] == 200
        assert time.monotonic() - begin < 5
    finally:
        for one in sockets:
            one.close()


def test_many_clients_at_once_make_one_row_of_one_token(service):
    """Kits save from several threads; every answer names the same row."""
    same, answers = token(), []

    def save():
        answers.append(service.call("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": same}))

    threads = [threading.Thread(target=save) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {status for status, _ in answers} <= {200, 201}
    (object_id,) = {answer["objectId"] for _, answer in answers}
    assert len([status for status, _ in answers if status == 201]) == 1
    service.master("DELETE", f"/1.1/installations/{object_id}")
