"""Requests in the shapes of LeanCloud's documentation, sent by curl: one test each."""

import datetime
import hashlib
import json
import secrets
import subprocess
import time
from urllib.parse import quote

import pytest

from gateway import clean_environment

UTC = datetime.timezone.utc
# "Not allowed for clients" and "forbidden".
FORBIDDEN = (119, 403)
# Far enough that no run of the tests reaches it.
LATER = (datetime.datetime.now(UTC) + datetime.timedelta(days=9)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.json = json.loads(body) if body else None


@pytest.fixture
def curl(service, tmp_path):
    """Runs curl as documentation writes it: `curl(method, path, body, master=…)`."""

    def run(method, path, body=None, *, master=False, headers=None, query=None, data=None, options=()):
        fields = headers
        if fields is None:
            key = service.master_key + ",master" if master else service.app_key
            fields = {"X-LC-Id": service.app_id, "X-LC-Key": key, "Content-Type": "application/json"}
        command = ["curl", "--silent", "--show-error", "--max-time", "60", "-X", method, "--include"]
        for name, value in fields.items():
            command += ["-H", f"{name}: {value}"]
        if body is not None or data is not None:
            command += ["-d", data if data is not None else json.dumps(body, ensure_ascii=False)]
        if query:
            command.append("-G")
            for name, value in query.items():
                command += ["--data-urlencode", f"{name}={value}"]
        command += [*options, service.url + path]
        result = subprocess.run(command, capture_output=True, env=clean_environment(), cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        head, _, rest = result.stdout.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        found = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:] if ": " in line)}
        return Answer(int(lines[0].split()[1]), found, rest)

    return run


@pytest.fixture
def installation(curl):
    made = curl("POST", "/1.1/installations", fresh(channels=[""]))
    assert made.status == 201
    return made.json["objectId"]


def token():
    return secrets.token_hex(32)


def fresh(**fields):
    """The body of a device that is not known yet."""
    return {"deviceType": "ios", "deviceToken": token(), **fields}


# Headers


def signature(key, milliseconds=None):
    now = str(milliseconds or int(time.time() * 1000))
    return hashlib.md5((now + key).encode()).hexdigest() + "," + now


def test_a_signature_in_place_of_the_key(curl, service):
    headers = {"X-LC-Id": service.app_id, "X-LC-Sign": signature(service.app_key), "Content-Type": "application/json"}
    assert curl("POST", "/1.1/installations", fresh(), headers=headers).status == 201
    refused = curl("GET", "/1.1/installations", headers=headers)
    assert refused.status == 403 and refused.json["code"] in FORBIDDEN
    headers["X-LC-Sign"] = signature(service.master_key) + ",master"
    assert curl("GET", "/1.1/installations", headers=headers).status == 200
    # Phones have wrong clocks.
    headers["X-LC-Sign"] = signature(service.master_key, 1453014943466) + ",master"
    assert curl("GET", "/1.1/installations", headers=headers).status == 200


def test_the_headers_of_older_kits(curl, service):
    headers = {
        "X-AVOSCloud-Application-Id": service.app_id,
        "X-AVOSCloud-Application-Key": service.app_key,
        "X-AVOSCloud-Application-Production": "1",
        "Content-Type": "application/json",
    }
    assert curl("POST", "/1.1/installations", fresh(), headers=headers).status == 201
    assert curl("GET", "/1.1/installations", headers=headers).status == 403
    headers["X-AVOSCloud-Master-Key"] = service.master_key
    assert curl("GET", "/1.1/installations", headers=headers).status == 200
    signed = {"X-AVOSCloud-Application-Id": service.app_id, "X-AVOSCloud-Request-Sign": signature(service.app_key)}
    assert curl("POST", "/1.1/installations", fresh(), headers=signed).status == 201


@pytest.mark.parametrize(
    "change",
    [
        {"X-LC-Id": "nobody"},
        {"X-LC-Key": "wrong-key-wrong-key"},
        {"X-LC-Key": ""},
        {"X-LC-Key": "wrong-key-wrong-key,master"},
        {"X-LC-Key": ",master"},
    ],
)
def test_a_wrong_header_is_unauthorised(curl, service, change):
    headers = {"X-LC-Id": service.app_id, "X-LC-Key": service.app_key, **change}
    answer = curl("POST", "/1.1/installations", fresh(), headers=headers)
    assert (answer.status, answer.json["code"]) == (401, 401)


def test_the_date_needs_no_key(curl):
    answer = curl("GET", "/1.1/date", headers={})
    assert answer.status == 200 and answer.json["__type"] == "Date"
    told = datetime.datetime.strptime(answer.json["iso"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert abs(told.timestamp() - time.time()) < 60


def test_a_browser_asks_first_and_may(curl, service):
    asked = {
        "Origin": "https://example.com",
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "content-type,x-lc-id,x-lc-sign,x-lc-session,x-lc-prod,x-lc-ua",
    }
    answer = curl("OPTIONS", "/1.1/classes/_Installation/0123456789abcdef01234567", headers=asked)
    assert answer.status in (200, 204)
    assert answer.headers["access-control-allow-origin"] in ("*", "https://example.com")
    assert "PUT" in answer.headers["access-control-allow-methods"]
    allowed = answer.headers["access-control-allow-headers"].lower()
    for name in asked["Access-Control-Request-Headers"].split(","):
        assert name in allowed
    real = curl("GET", "/1.1/date", headers={"Origin": "https://example.com"})
    assert real.headers["access-control-allow-origin"] in ("*", "https://example.com")


def test_a_browser_sends_everything_in_the_body(curl, service):
    def body(**members):
        keys = {"_ApplicationId": service.app_id, "_ApplicationKey": service.app_key, "_ClientVersion": "js0.5"}
        return {**keys, **members}

    plain = {"Content-Type": "text/plain;charset=UTF-8"}
    made = curl(
        "POST", "/1.1/classes/_Installation", body(_method="POST", deviceType="ios", deviceToken=token()), headers=plain
    )
    assert made.status == 201
    path = "/1.1/classes/_Installation/" + made.json["objectId"]
    assert curl("POST", path, body(_method="PUT", level=2), headers=plain).status == 200
    master = {"_ApplicationId": service.app_id, "_MasterKey": service.master_key}
    found = curl(
        "POST", "/1.1/classes/_Installation",
        {**master, "_method": "GET", "where": {"objectId": made.json["objectId"]}}, headers=plain,
    )
    (row,) = found.json["results"]
    assert row["level"] == 2
    assert not [key for key in row if key.startswith("_")]
    assert curl("POST", path, {**master, "_method": "DELETE"}, headers=plain).status == 200
    assert curl("GET", path, master=True).json == {}


def test_a_long_answer_is_compressed_when_asked(curl, service):
    group = "g" + secrets.token_hex(6)
    for _ in range(10):
        curl("POST", "/1.1/installations", fresh(group=group, t="x" * 300))
    query = {"where": json.dumps({"group": group})}
    answer = curl("GET", "/1.1/installations", master=True, query=query, options=["--compressed"])
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.json["results"]) == 10


# Installations


def test_saving_an_installation(curl):
    answer = curl(
        "POST", "/1.1/installations",
        {"deviceType": "ios", "deviceToken": "abcdefghijklmnopqrstuvwzxyrandomuuidforyourdevice", "channels": [""]},
    )
    assert answer.status in (200, 201)
    assert set(answer.json) >= {"objectId", "createdAt"}


def test_a_new_installation_has_a_location(curl):
    answer = curl("POST", "/1.1/installations", fresh(channels=["public"]))
    assert answer.status == 201
    assert set(answer.json) == {"objectId", "createdAt"}
    assert answer.headers["location"].endswith("/1.1/installations/" + answer.json["objectId"])
    datetime.datetime.strptime(answer.json["createdAt"], "%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.mark.parametrize("key", ["deviceToken", "installationId"])
def test_posting_an_id_again_updates(curl, key):
    value = token()
    first = curl("POST", "/1.1/installations", {"deviceType": "ios", key: value})
    second = curl("POST", "/1.1/installations", {"deviceType": "ios", key: value, "level": 2})
    assert second.status in (200, 201)
    assert second.json["objectId"] == first.json["objectId"]
    assert second.json["createdAt"] == first.json["createdAt"]
    assert second.json["updatedAt"] >= first.json["createdAt"]


def test_posting_an_object_id_updates(curl, installation):
    again = curl("POST", "/1.1/installations", {"objectId": installation, "level": 3})
    assert again.json["objectId"] == installation
    assert curl("GET", f"/1.1/installations/{installation}", master=True).json["level"] == 3


def test_reading_an_installation(curl, installation):
    row = curl("GET", f"/1.1/installations/{installation}", master=True).json
    assert row["objectId"] == installation
    assert (row["deviceType"], row["channels"], row["valid"]) == ("ios", [""], True)
    assert set(row) >= {"deviceToken", "createdAt", "updatedAt"}
    same = curl("GET", f"/1.1/classes/_Installation/{installation}", master=True).json
    assert same == row


def test_reading_an_installation_that_is_not_there(curl):
    answer = curl("GET", "/1.1/installations/" + "0" * 24, master=True)
    assert (answer.status, answer.json) == (200, {})


def test_updating_an_installation(curl, installation):
    body = {"deviceType": "ios", "channels": ["", "foo"], "scores": True, "injuryReports": True}
    answer = curl("PUT", f"/1.1/installations/{installation}", body)
    assert answer.status == 200
    assert set(answer.json) == {"objectId", "updatedAt"}
    row = curl("GET", f"/1.1/installations/{installation}", master=True).json
    assert (sorted(row["channels"]), row["scores"], row["injuryReports"]) == (["", "foo"], True, True)


def test_updating_what_is_not_there(curl):
    answer = curl("PUT", "/1.1/installations/" + "0" * 24, {"level": 1})
    assert (answer.status, answer.json["code"]) == (404, 101)


@pytest.mark.parametrize(
    "operator, before, after",
    [
        ({"__op": "Delete"}, 5, None),
        ({"__op": "Increment", "amount": 2}, 5, 7),
        ({"__op": "Decrement", "amount": 2}, 5, 3),
        ({"__op": "Add", "objects": [1, 2]}, [1], [1, 1, 2]),
        ({"__op": "AddUnique", "objects": [1, 2]}, [1], [1, 2]),
        ({"__op": "Remove", "objects": [1]}, [1, 2, 1], [2]),
        ({"__op": "BitAnd", "value": 6}, 12, 4),
        ({"__op": "BitOr", "value": 6}, 12, 14),
        ({"__op": "BitXor", "value": 6}, 12, 10),
        ({"__op": "Increment", "amount": 1}, None, 1),
        ({"__op": "AddUnique", "objects": ["x"]}, None, ["x"]),
    ],
)
def test_each_update_operator(curl, installation, operator, before, after):
    path = f"/1.1/installations/{installation}"
    if before is not None:
        curl("PUT", path, {"field": before})
    answer = curl("PUT", path + "?fetchWhenSave=true", {"field": operator})
    assert answer.status == 200
    assert answer.json.get("field") == after
    assert curl("GET", path, master=True).json.get("field") == after


def test_subscribing_and_unsubscribing_channels(curl, installation):
    path = f"/1.1/installations/{installation}"
    curl("PUT", path, {"channels": {"__op": "AddUnique", "objects": ["news", "体育"]}})
    curl("PUT", path, {"channels": {"__op": "Remove", "objects": [""]}})
    assert sorted(curl("GET", path, master=True).json["channels"]) == ["news", "体育"]


def test_a_conditional_update(curl, installation):
    path = f"/1.1/installations/{installation}"
    curl("PUT", path, {"balance": 100})
    spend = {"balance": {"__op": "Decrement", "amount": 60}}
    where = json.dumps({"balance": {"$gte": 60}}).replace(" ", "")
    assert curl("PUT", f"{path}?where={quote(where)}", spend).status == 200
    refused = curl("PUT", f"{path}?where={quote(where)}", spend)
    assert refused.status >= 400 and refused.json["code"] == 305
    assert curl("GET", path, master=True).json["balance"] == 40


def test_deleting_an_installation(curl, installation):
    answer = curl("DELETE", f"/1.1/installations/{installation}", master=True)
    assert (answer.status, answer.json) == (200, {})
    assert curl("GET", f"/1.1/installations/{installation}", master=True).json == {}


def test_listing_installations(curl):
    group = "g" + secrets.token_hex(6)
    for level in (1, 2, 3):
        curl("POST", "/1.1/installations", fresh(group=group, level=level))
    query = {
        "where": json.dumps({"group": group, "level": {"$gt": 1}}), "order": "-level", "limit": 1, "count": 1,
        "keys": "level",
    }
    answer = curl("GET", "/1.1/installations", master=True, query=query)
    assert answer.json["count"] == 2
    (row,) = answer.json["results"]
    assert row["level"] == 3 and "group" not in row and "objectId" in row
    query = {"where": json.dumps({"group": group}), "limit": 0, "count": 1}
    answer = curl("GET", "/1.1/classes/_Installation", master=True, query=query)
    assert (answer.json["results"], answer.json["count"]) == ([], 3)


def test_a_bare_array_of_conditions_means_and(curl, installation):
    where = [{"objectId": installation}, {"deviceType": "ios"}]
    answer = curl("GET", "/1.1/installations", master=True, query={"where": json.dumps(where)})
    assert [row["objectId"] for row in answer.json["results"]] == [installation]


def test_scanning(curl):
    group = "g" + secrets.token_hex(6)
    for _ in range(5):
        curl("POST", "/1.1/installations", fresh(group=group))
    query, seen, pages = {"where": json.dumps({"group": group}), "limit": 2}, [], 0
    while True:
        answer = curl("GET", "/1.1/scan/classes/_Installation", master=True, query=query).json
        seen += [row["objectId"] for row in answer["results"]]
        pages += 1
        if not answer.get("cursor"):
            break
        query["cursor"] = answer["cursor"]
    assert len(seen) == len(set(seen)) == 5 and pages >= 3
    assert curl("GET", "/1.1/scan/classes/_Installation", query=query).json["code"] in FORBIDDEN


def test_a_batch(curl, installation):
    requests = [
        {"method": "POST", "path": "/1.1/installations", "body": fresh()},
        {"method": "PUT", "path": f"/1.1/classes/_Installation/{installation}", "body": {"level": 9}},
        {"method": "PUT", "path": f"/1.1/installations/{installation}", "body": {"badge": "many"}},
        {"method": "DELETE", "path": "/1.1/installations/" + "0" * 24},
        {"method": "GET", "path": f"/1.1/installations/{installation}", "params": {"keys": "level"}},
        {"method": "GET", "path": "/1.1/nonsense"},
    ]
    answer = curl("POST", "/1.1/batch", {"requests": requests}, master=True)
    assert answer.status == 200
    made, updated, wrong, _, read, nothing = answer.json
    assert set(made["success"]) == {"objectId", "createdAt"}
    assert updated["success"]["objectId"] == installation
    assert wrong["error"]["code"] == 111 and wrong["error"]["error"]
    assert read["success"]["level"] == 9
    assert nothing["error"]["code"] == 1
    assert [len(one) for one in answer.json] == [1] * 6


# Pushes


@pytest.mark.parametrize(
    "body",
    [
        {"data": {"alert": "LeanCloud 向您问好！"}},
        {"channels": ["public"], "data": {"alert": "Hello"}},
        {"where": {"scores": True, "channels": "Giants"}, "data": {"alert": "The Giants won", "badge": "Increment"}},
        {"where": {"deviceType": {"$in": ["ios"]}, "level": {"$gte": 3}}, "prod": "dev", "data": {"alert": "x"}},
        {"where": {"inProd": {"$ne": True}}, "prod": "prod", "data": {"alert": {"title": "t", "body": "b"}}},
        {"expiration_time": "2036-01-01T00:00:00.000Z", "data": {"alert": "x"}},
        {"push_time": LATER, "expiration_interval": 518400, "data": {"alert": "x"}},
        {"push_time": LATER[:19], "data": {"alert": "at each device's own eight"}},
        {"channels": "public", "flow_control": 1000, "data": {"alert": "x"}},
        {"topic": "com.example.App", "apns_team_id": "B3LFRYTEAM", "data": {"alert": "x"}},
        {"data": {"alert": "x", "collapse-id": "c", "apns-priority": 5}, "device_profile": "other"},
        {"data": {"content-available": 1, "apns-push-type": "background", "apns-priority": 5}},
        {"data": {"aps": {"alert": {"title": "raw"}, "interruption-level": "time-sensitive"}, "key": "value"}},
        {"cql": "select * from _Installation where level > 3 and deviceType = 'ios'", "data": {"alert": "x"}},
        {"data": {"ios": {"alert": "i", "mutable-content": 1}, "android": {"alert": "a", "title": "t"}}},
    ],
)
def test_the_documented_bodies_of_push(curl, service, body):
    # What is asked of each also asks for something that no installation of any test has.
    nobody = "nobody-" + secrets.token_hex(4)
    if "where" in body:
        body = {**body, "where": {**body["where"], "nobody": nobody}}
    elif "cql" in body:
        body = {**body, "cql": f"{body['cql']} and nobody = '{nobody}'"}
    else:
        body = {**body, "channels": [nobody] if isinstance(body.get("channels"), list) else nobody}
    answer = curl("POST", "/1.1/push", body, master=True)
    assert answer.status == 200, answer.body
    assert set(answer.json) >= {"objectId", "createdAt"} and "error" not in answer.json
    assert len(answer.json["objectId"]) == 16 and answer.json["objectId"].isalnum()
    if "push_time" in body:
        assert curl("DELETE", f"/1.1/notifications/{answer.json['objectId']}", master=True).status == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"data": "text"},
        {"data": {"alert": "x"}, "push_time": "tomorrow"},
        {"data": {"alert": "x"}, "push_time": [1]},
        {"data": {"alert": "x"}, "expiration_interval": "soon"},
        {"data": {"alert": "x"}, "expiration_interval": 60, "expiration_time": "2036-01-01T00:00:00.000Z"},
        {"data": {"alert": "x"}, "prod": "staging"},
        {"data": {"alert": "x"}, "notification_id": "not-a-letter"},
        {"data": {"alert": "x"}, "notification_id": "a" * 17},
        {"data": {"alert": "x"}, "req_id": "a b"},
        {"data": {"alert": "x"}, "flow_control": "fast"},
        {"data": {"alert": "x"}, "where": "no"},
        {"data": {"alert": "x"}, "where": {"age": {"$near": 1}}},
        {"data": {"alert": "x"}, "channels": 7},
        {"data": {"alert": "x"}, "channels": [7]},
        {"data": {"alert": "x"}, "cql": "drop table"},
        {"data": {"alert": "é" * 2048}},
    ],
)
def test_bodies_of_push_that_are_wrong(curl, service, body):
    before = curl("GET", "/1.1/notifications", master=True, query={"limit": 1}).json["results"]
    answer = curl("POST", "/1.1/push", body, master=True)
    assert 400 <= answer.status < 500 and set(answer.json) == {"code", "error"}
    assert isinstance(answer.json["code"], int) and answer.json["error"]
    after = curl("GET", "/1.1/notifications", master=True, query={"limit": 1}).json["results"]
    assert [one["objectId"] for one in after] == [one["objectId"] for one in before]


def test_the_body_of_a_push_may_have_4096_bytes(curl):
    channel = "nobody-" + secrets.token_hex(4)

    def body(count):
        frame = {"channels": [channel], "data": {"alert": ""}}
        rest = count - len(json.dumps(frame))
        return {"channels": [channel], "data": {"alert": "x" * rest}}

    assert len(json.dumps(body(4096))) == 4096
    # What APNs takes is less by the frame around the text.
    assert curl("POST", "/1.1/push", body(4096), master=True).status == 200
    assert curl("POST", "/1.1/push", body(4097), master=True).status in (400, 413)


def test_pushing_to_device_tokens(curl, gateway, service):
    device = gateway.register()
    curl("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": device.token})
    body = {"device_type": "ios", "device_ids": [device.token], "data": {"alert": "To you"}}
    answer = curl("POST", "/1.1/push/devices", body, master=True)
    assert set(answer.json) >= {"objectId", "createdAt"}
    record = service.wait_until_done(answer.json["objectId"])
    assert (record["devices"], record["successes"]) == (1, 1)
    assert [one["payload"]["aps"]["alert"] for one in gateway.notifications(device)] == ["To you"]


@pytest.mark.parametrize("count, status", [(0, 400), (1, 200), (500, 200), (501, 400)])
def test_push_devices_takes_1_to_500_ids(curl, tmp_path, count, status):
    body = {"device_type": "ios", "device_ids": [token() for _ in range(count)], "data": {"alert": "x"}}
    file = tmp_path / "body"
    file.write_text(json.dumps(body))
    answer = curl("POST", "/1.1/push/devices", data=f"@{file}", master=True)
    assert answer.status == status, answer.body


@pytest.mark.parametrize("key, value", [("where", {}), ("channels", ["a"]), ("push_time", LATER)])
def test_push_devices_looks_nothing_up(curl, key, value):
    body = {"device_type": "ios", "device_ids": [token()], "data": {"alert": "x"}, key: value}
    answer = curl("POST", "/1.1/push/devices", body, master=True)
    assert answer.status == 400 and key in answer.json["error"]


def test_a_request_id_makes_a_push_once(curl, gateway, service):
    device, channel = gateway.register(), "c" + secrets.token_hex(6)
    curl("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": device.token, "channels": [channel]})
    body = {"channels": [channel], "req_id": secrets.token_hex(8), "data": {"alert": "Once"}}
    first, second = (curl("POST", "/1.1/push", body, master=True).json for _ in range(2))
    assert first["objectId"] == second["objectId"]
    assert service.wait_until_done(first["objectId"])["successes"] == 1
    assert len(gateway.notifications(device)) == 1


def test_a_notification_id_gathers_pushes_in_one_record(curl, gateway, service):
    device, channel = gateway.register(), "c" + secrets.token_hex(6)
    curl("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": device.token, "channels": [channel]})
    body = {"channels": [channel], "notification_id": secrets.token_hex(8)}
    ids = {curl("POST", "/1.1/push", {**body, "data": {"alert": text}}, master=True).json["objectId"] for text in "ab"}
    assert len(ids) == 1
    record = service.wait_until_done(ids.pop())
    assert (record["devices"], record["successes"]) == (2, 2)
    assert record["notificationId"] == body["notification_id"]


@pytest.mark.parametrize(
    "form",
    ["/1.1/notifications/", "/1.1/tables/Notifications/", "/1.1/classes/_Notification/"],
)
def test_the_forms_of_a_records_path(curl, form):
    where = {"channels": "nobody-" + secrets.token_hex(4)}
    sent = curl("POST", "/1.1/push", {"where": where, "data": {"alert": "x"}}, master=True).json["objectId"]
    record = curl("GET", form + sent, master=True).json
    assert record["objectId"] == sent
    assert (record["msg"], record["where"], record["from-service"]) == ({"alert": "x"}, where, "push")
    assert set(record) >= {
        "notificationId", "createdAt", "updatedAt", "prod", "status", "devices", "successes", "invalidTokens",
        "push-time",
    }
    assert "error" not in record
    assert curl("GET", form + sent).json["code"] in FORBIDDEN


def test_deleting_a_record_cancels_what_is_scheduled(curl):
    body = {"channels": ["nobody"], "push_time": LATER, "data": {"alert": "x"}}
    sent = curl("POST", "/1.1/push", body, master=True).json["objectId"]
    assert sent in json.dumps(curl("GET", "/1.1/scheduledPushMessages", master=True).json)
    assert curl("DELETE", f"/1.1/notifications/{sent}", master=True).status == 200
    assert sent not in json.dumps(curl("GET", "/1.1/scheduledPushMessages", master=True).json)
    assert "objectId" not in curl("GET", f"/1.1/classes/_Notification/{sent}", master=True).json


# The rest


@pytest.mark.parametrize("path", ["/1.1/stats/collect", "/1.1/stats/open/collect", "/1.1/statistics/anything"])
def test_the_analytics_calls_of_old_kits_are_accepted(curl, path):
    body = {"client": {"platform": "iOS", "app_version": "1.0"}, "events": {"launch": {}, "event": [{"name": "x"}]}}
    answer = curl("POST", path, body)
    assert 200 <= answer.status < 300 and "error" not in (answer.json or {})


@pytest.mark.parametrize(
    "method, path",
    [("GET", "/1.1/classes/Post"), ("POST", "/1.1/functions/f"), ("GET", "/1.1/users/me"), ("GET", "/1.1/")],
)
def test_other_paths_say_that_this_service_answers_push(curl, method, path):
    answer = curl(method, path, {} if method == "POST" else None, master=True)
    assert (answer.status, answer.json["code"]) == (404, 1)
    assert "push" in answer.json["error"]


def test_what_operators_ask(curl):
    assert curl("GET", "/healthz", headers={}).status == 200
    assert curl("GET", "/readyz", headers={}).status == 200
    document = curl("GET", "/openapi.json", headers={}).json
    assert document["openapi"].startswith("3.1") and "/1.1/push" in document["paths"]
