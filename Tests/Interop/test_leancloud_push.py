"""`leancloud.push.send` with every argument it has, from the package on PyPI to the devices of a gateway."""

import datetime
import json
import secrets
import time

import pytest

leancloud = pytest.importorskip("leancloud", reason="its gevent has no wheel for this Python")
from leancloud import push  # noqa: E402

UTC = datetime.timezone.utc
DONE_SECONDS = 60


@pytest.fixture(autouse=True)
def sdk(service, monkeypatch):
    """The package's state is global: every test begins with the app and its master key."""
    monkeypatch.delenv("LEANCLOUD_API_SERVER", raising=False)
    monkeypatch.setenv("LC_API_SERVER", service.url)
    monkeypatch.setattr(leancloud.client, "USE_MASTER_KEY", None)
    leancloud.init(service.app_id, app_key=service.app_key, master_key=service.master_key)
    leancloud.use_production(True)


@pytest.fixture
def channel():
    """A channel that nobody else is in."""
    return "c" + secrets.token_hex(6)


@pytest.fixture
def phone(gateway, channel):
    """Adds a device to the gateway and its installation to the service; gives the device."""

    def add(environment="production", token=None, **fields):
        device = gateway.register(environment=environment)
        installation = leancloud.Installation()
        installation.set({"deviceType": "ios", "deviceToken": token or device.token, "channels": [channel], **fields})
        installation.save()
        return device

    return add


def done(notification):
    """Fetches a notification until every device of it has its outcome."""
    end = time.monotonic() + DONE_SECONDS
    while True:
        notification.fetch()
        if notification.get("status") == "done":
            return notification
        assert time.monotonic() < end, f"not done: {notification.dump()}"
        time.sleep(0.05)


def counts(notification):
    done(notification)
    return tuple(notification.get(key) for key in ("devices", "successes", "invalidTokens"))


def alerts(gateway, device):
    return [one["payload"]["aps"].get("alert") for one in gateway.notifications(device)]


def code_of(call, *arguments, **named):
    with pytest.raises(leancloud.LeanCloudError) as failure:
        call(*arguments, **named)
    return failure.value.code


def test_a_push_reaches_its_devices_and_the_record_counts_them(gateway, phone, channel):
    devices = [phone(), phone(), phone()]
    sent = push.send({"alert": "Hello", "badge": 3, "sound": "ping.caf", "article": 7}, channels=[channel])
    assert sent.id.isalnum() and len(sent.id) == 16
    assert counts(sent) == (3, 3, 0)
    for device in devices:
        (one,) = gateway.notifications(device)
        assert one["payload"]["aps"] == {"alert": "Hello", "badge": 3, "sound": "ping.caf"}
        assert one["payload"]["article"] == 7
        assert (one["topic"], one["push_type"]) == ("com.example.App", "alert")


def test_a_token_apns_does_not_know_is_counted_as_invalid(gateway, phone, channel):
    device = phone()
    phone(token=secrets.token_hex(32))
    sent = push.send({"alert": "Hello"}, channels=[channel])
    assert counts(sent) == (2, 1, 1)
    assert alerts(gateway, device) == ["Hello"]


def test_who_opted_out_is_not_a_target(gateway, phone, channel):
    yes, no = phone(), phone(valid=False)
    assert counts(push.send({"alert": "Hello"}, channels=[channel])) == (1, 1, 0)
    assert (alerts(gateway, yes), alerts(gateway, no)) == (["Hello"], [])


def test_where_chooses(gateway, phone, channel):
    old, young = phone(age=60), phone(age=20)
    where = leancloud.Query(leancloud.Installation).equal_to("channels", channel).greater_than("age", 50)
    assert counts(push.send({"alert": "Hello"}, where=where)) == (1, 1, 0)
    assert (alerts(gateway, old), alerts(gateway, young)) == (["Hello"], [])


def test_where_and_channels_both_have_to_hold(gateway, phone, channel):
    inside, outside = phone(age=60), phone(age=60, channels=["c" + secrets.token_hex(6)])
    other = phone(age=20)
    where = leancloud.Query(leancloud.Installation).greater_than("age", 50)
    assert counts(push.send({"alert": "Hello"}, where=where, channels=[channel])) == (1, 1, 0)
    assert [alerts(gateway, one) for one in (inside, outside, other)] == [["Hello"], [], []]


def test_any_of_several_channels(gateway, phone, channel):
    second = channel + "-2"
    devices = [phone(), phone(channels=[second]), phone(channels=[channel, second])]
    assert counts(push.send({"alert": "Once"}, channels=(channel, second))) == (3, 3, 0)
    assert [alerts(gateway, one) for one in devices] == [["Once"]] * 3


def test_cql_chooses(gateway, phone, channel):
    old, young = phone(age=60), phone(age=20)
    cql = f"select * from _Installation where channels = '{channel}' and age > 50"
    assert counts(push.send({"alert": "Hello"}, cql=cql)) == (1, 1, 0)
    assert (alerts(gateway, old), alerts(gateway, young)) == (["Hello"], [])


@pytest.mark.parametrize("cql", ["select", "select * from _User", "select * from _Installation where age >"])
def test_cql_that_cannot_be_read_sends_nothing(cql):
    assert code_of(push.send, {"alert": "Hello"}, cql=cql) == 300


def test_a_time_in_the_past_means_now(gateway, phone, channel):
    device = phone()
    past = datetime.datetime.now(UTC) - datetime.timedelta(hours=1)
    assert counts(push.send({"alert": "Hello"}, channels=[channel], push_time=past)) == (1, 1, 0)
    assert alerts(gateway, device) == ["Hello"]


def test_a_time_in_the_future_is_scheduled_and_can_be_cancelled(gateway, phone, channel, service):
    device = phone()
    later = datetime.datetime.now(UTC).replace(microsecond=0) + datetime.timedelta(hours=2)
    sent = push.send({"alert": "Later"}, channels=[channel], push_time=later)
    sent.fetch()
    assert sent.get("status") == "scheduled"
    waiting = service.master("GET", "/1.1/scheduledPushMessages")["results"]
    (message,) = [one for one in waiting if one["push_msg"]["id"] == sent.id]
    assert isinstance(message["id"], int)
    assert message["expire_time"] == int(later.timestamp() * 1000)
    assert message["push_msg"]["msg"] == {"alert": "Later"}
    assert message["push_msg"]["app-id"] == service.app_id
    assert channel in json.dumps(message["push_msg"]["where"]["query"])
    service.master("DELETE", f"/1.1/scheduledPushMessages/{message['id']}")
    left = service.master("GET", "/1.1/scheduledPushMessages")["results"]
    assert message["id"] not in [one["id"] for one in left]
    assert alerts(gateway, device) == []


def test_an_absolute_expiration_goes_to_apns(gateway, phone, channel):
    device = phone()
    end = datetime.datetime.now(UTC).replace(microsecond=0) + datetime.timedelta(hours=3)
    assert counts(push.send({"alert": "Hello"}, channels=[channel], expiration_time=end)) == (1, 1, 0)
    (one,) = gateway.notifications(device)
    assert one["expiration"] == int(end.timestamp())


def test_an_interval_counts_from_now(gateway, phone, channel):
    device = phone()
    before = time.time()
    assert counts(push.send({"alert": "Hello"}, channels=[channel], expiration_interval=600)) == (1, 1, 0)
    (one,) = gateway.notifications(device)
    assert before + 599 <= one["expiration"] <= time.time() + 601


def test_both_kinds_of_expiration_are_an_error(service):
    body = {"data": {"alert": "x"}, "expiration_time": "2030-01-01T00:00:00.000Z", "expiration_interval": 60}
    status, answer = service.call("POST", "/1.1/push", body, key=service.master_key + ",master")
    assert status == 400 and answer["code"] and "expiration" in answer["error"]


@pytest.mark.parametrize("flow_control", [0, 10, 1000, 50_000])
def test_flow_control_paces_and_loses_nobody(gateway, phone, channel, flow_control):
    devices = [phone() for _ in range(5)]
    sent = push.send({"alert": "Slowly"}, channels=[channel], flow_control=flow_control)
    assert counts(sent) == (5, 5, 0)
    assert [alerts(gateway, device) for device in devices] == [["Slowly"]] * 5


def test_prod_names_the_environment(gateway, phone, channel):
    production = phone(environment="production")
    sandbox = phone(environment="sandbox")
    for device, environment in [(production, "production"), (sandbox, "sandbox")]:
        query = leancloud.Query(leancloud.Installation).equal_to("deviceToken", device.token)
        installation = query.first()
        installation.set("environment", environment)
        installation.save()
    assert counts(push.send({"alert": "dev"}, channels=[channel], prod="dev")) == (1, 1, 0)
    assert counts(push.send({"alert": "prod"}, channels=[channel], prod="prod")) == (1, 1, 0)
    assert (alerts(gateway, production), alerts(gateway, sandbox)) == (["prod"], ["dev"])


def test_without_prod_the_package_says_dev_on_a_stage_machine(gateway, phone, channel):
    device = phone(environment="sandbox")
    leancloud.use_production(False)
    assert counts(push.send({"alert": "dev"}, channels=[channel])) == (1, 1, 0)
    assert alerts(gateway, device) == ["dev"]


def test_a_badge_is_raised_once_a_push(gateway, phone, channel):
    device = phone(badge=4)
    for expected in (5, 6):
        assert counts(push.send({"alert": "Hello", "badge": "Increment"}, channels=[channel])) == (1, 1, 0)
        assert gateway.notifications(device)[-1]["payload"]["aps"]["badge"] == expected
    row = leancloud.Query(leancloud.Installation).equal_to("deviceToken", device.token).first()
    assert row.get("badge") == 6


def test_the_block_of_a_platform_replaces_the_top_level(gateway, phone, channel):
    device = phone()
    data = {"alert": "everybody", "ios": {"alert": {"title": "T", "body": "B"}, "badge": 1}, "android": {"alert": "a"}}
    assert counts(push.send(data, channels=[channel])) == (1, 1, 0)
    (one,) = gateway.notifications(device)
    assert one["payload"]["aps"] == {"alert": {"title": "T", "body": "B"}, "badge": 1}


def test_nobody_matches(channel):
    assert counts(push.send({"alert": "Hello"}, channels=[channel])) == (0, 0, 0)


@pytest.mark.parametrize("data", [None, "text", [1], 7])
def test_data_has_to_be_an_object(data):
    assert code_of(push.send, data) in (1, 111)


def test_a_notification_cannot_be_changed(phone, channel):
    phone()
    sent = push.send({"alert": "Hello"}, channels=[channel])
    assert code_of(sent.save) == 1
