"""What the service answers beside LeanCloud's contract, over the wire: states, openings, events, limits, numbers."""

import datetime
import json
import re
import secrets
import time
import urllib.request

import pytest

from service import Service

UTC = datetime.timezone.utc


@pytest.fixture
def channel():
    return "c" + secrets.token_hex(6)


@pytest.fixture
def phone(gateway, service, channel):
    def add(**fields):
        device = gateway.register()
        body = {"deviceType": "ios", "deviceToken": device.token, "channels": [channel], **fields}
        return device, service.call("POST", "/1.1/installations", body)[1]["objectId"]

    return add


def in_days(number):
    return (datetime.datetime.now(UTC) + datetime.timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_a_scheduled_push_is_cancelled(service, gateway, phone, channel):
    device, _ = phone()
    body = {"channels": [channel], "push_time": in_days(3), "data": {"alert": "x"}}
    sent = service.master("POST", "/1.1/push", body)["objectId"]
    assert service.call("POST", f"/1.1/pushes/{sent}/cancel")[0] == 403
    assert service.record(sent)["status"] == "scheduled"
    assert service.master("POST", f"/1.1/pushes/{sent}/cancel")["state"] == "cancelled"
    assert service.record(sent)["status"] == "done"
    assert gateway.notifications(device) == []
    assert service.call("POST", "/1.1/pushes/nothing/cancel", key=service.master_key + ",master")[0] == 404


def test_an_opening_that_an_old_kit_reports_is_counted_once(service, phone, channel):
    _, object_id = phone()
    sent = service.master("POST", "/1.1/push", {"channels": [channel], "data": {"alert": "x"}})["objectId"]
    service.wait_until_done(sent)
    body = {"client": {"id": object_id}, "events": [{"event": "AppOpen", "attributes": {"notificationId": sent}}]}
    for _ in range(2):
        assert service.call("POST", "/1.1/stats/collect", body)[0] == 200
    assert service.record(sent)["opens"] == 1


def test_what_people_read_chooses_who_is_told(service, gateway, phone, channel):
    (reader, reader_id), (other, _) = phone(), phone()
    event = {"installation": reader_id, "name": "read", "tags": ["sport"]}
    status, answer = service.call("POST", "/1.1/events", {"events": [event] * 5})
    assert (status, answer["accepted"]) == (200, 5)
    where = {"channels": channel, "interests.sport": {"$gt": 0}}
    sent = service.master("POST", "/1.1/push", {"where": where, "data": {"alert": "Goal"}})["objectId"]
    record = service.wait_until_done(sent)
    assert (record["devices"], record["successes"]) == (1, 1)
    assert len(gateway.notifications(reader)) == 1 and gateway.notifications(other) == []


def test_a_schedule_is_kept_and_shown(service, channel):
    schedule = {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "device"}
    sent = service.master(
        "POST", "/1.1/push", {"channels": [channel], "schedule": schedule, "data": {"alert": "News"}}
    )["objectId"]
    waiting = service.master("GET", "/1.1/scheduledPushMessages")["results"]
    (message,) = [one for one in waiting if one["push_msg"]["id"] == sent]
    assert message["push_msg"]["schedule"]["rrule"] == schedule["rrule"]
    assert message["expire_time"] > time.time() * 1000 - 86_400_000
    service.master("DELETE", f"/1.1/scheduledPushMessages/{message['id']}")


@pytest.mark.parametrize(
    "schedule",
    [
        {},
        {"rrule": "FREQ=SOMETIMES"},
        {"rrule": "FREQ=DAILY", "timezone": "Mars/Olympus"},
        {"rrule": "FREQ=DAILY", "start": "soon"},
        "FREQ=DAILY",
    ],
)
def test_a_schedule_that_cannot_be_is_refused(service, schedule):
    body = {"channels": ["nobody"], "schedule": schedule, "data": {"alert": "x"}}
    status, answer = service.call("POST", "/1.1/push", body, key=service.master_key + ",master")
    assert status == 400 and answer["code"] and answer["error"]


def test_a_time_without_a_zone_is_each_devices_own(service, phone, channel):
    phone(timeZone="Pacific/Kiritimati")
    phone(timeZone="Pacific/Pago_Pago")
    local = in_days(2)[:19]
    sent = service.master("POST", "/1.1/push", {"channels": [channel], "push_time": local, "data": {"alert": "x"}})
    (message,) = [
        one
        for one in service.master("GET", "/1.1/scheduledPushMessages")["results"]
        if one["push_msg"]["id"] == sent["objectId"]
    ]
    # The first zone of the world has it 14 hours before UTC.
    utc = datetime.datetime.strptime(local, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    assert message["expire_time"] / 1000 <= utc.timestamp() - 13 * 3600
    service.master("DELETE", f"/1.1/notifications/{sent['objectId']}")


def test_an_app_that_asks_too_often_is_told_to_wait(gateway, tmp_path):
    service = Service(tmp_path / "limited", gateway)
    service.belfry("app", "update", service.app_id, "--request-rate", "5", "--data", service.data)
    service.start()
    try:
        answers = [service.call("POST", "/1.1/batch", {"requests": []}) for _ in range(40)]
        refused = [answer for status, answer in answers if status == 429]
        assert refused and {answer["code"] for answer in refused} == {429}
        assert answers[0][0] == 200
        end = time.monotonic() + 20
        while service.call("POST", "/1.1/batch", {"requests": []})[0] == 429:
            assert time.monotonic() < end
            time.sleep(0.2)
    finally:
        assert service.stop() == 0


def test_the_numbers_are_prometheus_text(service, phone, channel):
    phone()
    sent = service.master("POST", "/1.1/push", {"channels": [channel], "data": {"alert": "x"}})["objectId"]
    service.wait_until_done(sent)
    with urllib.request.urlopen(service.url + "/metrics", timeout=30) as response:
        assert response.headers["content-type"].startswith("text/plain")
        text = response.read().decode()
    line = re.compile(r'[a-z_:][a-z0-9_:]*(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? [-+0-9.eE]+|.* (NaN|\+Inf)')
    for one in text.splitlines():
        assert one == "" or one.startswith("# ") or line.fullmatch(one), one
    for word in ("request", "pending"):
        assert word in text
    assert service.master_key not in text and service.app_key not in text


def test_a_fault_that_stops_a_push_is_in_the_log_and_in_the_numbers(gateway, tmp_path):
    service = Service(tmp_path / "stopped", gateway)
    service.belfry("key", "remove", "--app", service.app_id, "1", "--data", service.data)
    service.start("--log", "json")

    def numbers():
        with urllib.request.urlopen(service.url + "/metrics", timeout=30) as response:
            return response.read().decode().splitlines()

    try:
        service.call("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": "0a" * 32})
        answer = service.master("POST", "/1.1/push", {"where": {}, "data": {"alert": "x"}})
        end = time.monotonic() + 60
        while "belfry_pushes_stopped 1" not in numbers():
            assert time.monotonic() < end, numbers()
            time.sleep(0.1)
        assert "belfry_database_up 1" in numbers()
        service.master("POST", f"/1.1/pushes/{answer['pushId']}/cancel")
        assert "belfry_pushes_stopped 0" in numbers()
    finally:
        assert service.stop() == 0
    lines = [json.loads(line) for line in (service.data / "serve.log").read_text().splitlines() if line.startswith("{")]
    about = [(line["level"], line["msg"], line["app"]) for line in lines if line.get("push") == answer["pushId"]]
    assert sorted(about) == [
        ("error", "a fault has stopped a push", service.app_id),
        ("info", "push accepted", service.app_id),
        ("info", "push cancelled", service.app_id),
    ]
    (stop,) = [line for line in lines if line["msg"] == "a fault has stopped a push"]
    assert "has no credential for this push" in stop["reason"]


def test_the_document_lists_what_is_answered(service):
    with urllib.request.urlopen(service.url + "/openapi.json", timeout=30) as response:
        document = json.loads(response.read())
    assert document["openapi"].startswith("3.1")
    for path, methods in document["paths"].items():
        if not path.startswith("/1.1/") or path == "/1.1/date":
            continue
        real = re.sub(r"\{[^}]*\}", "0" * 24, path)
        for method in methods:
            body = {} if method in ("post", "put") else None
            status, answer = service.call(method.upper(), real, body, key="x" * 24)
            assert (status, answer["code"]) == (401, 401), (method, path)
