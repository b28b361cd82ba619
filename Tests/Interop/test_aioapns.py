"""aioapns, unmodified. It knows only Apple's hosts, and its proxy support needs an older Python than ours: the event
loop it runs on leads it to the gateway."""

import asyncio
import logging
import pathlib
import ssl

import aioapns
import pytest

import credentials
from conftest import TOPIC

logging.getLogger("aioapns").setLevel(logging.CRITICAL)
APPLE = {"api.push.apple.com:443": "apns", "api.development.push.apple.com:443": "sandbox"}


class Network(asyncio.SelectorEventLoop):
    """An event loop whose idea of where Apple is leads to the gateway. Names are checked as ever."""

    def __init__(self, gateway):
        super().__init__()
        self.gateway = gateway

    async def create_connection(self, protocol_factory, host=None, port=None, **options):
        url = getattr(self.gateway, APPLE[f"{host}:{port}"])
        return await super().create_connection(
            protocol_factory, "127.0.0.1", int(url.rsplit(":", 1)[1]), server_hostname=host, **options
        )


def run(gateway, requests, **options):
    """Sends requests through one aioapns client; gives its results.

    On one connection, and the first request goes alone: aioapns sends before it has read the stream limit, which is 1
    until a token is accepted, and never hears of a stream that was refused.
    """

    async def body():
        context = ssl.create_default_context(cafile=gateway.ca)
        client = aioapns.APNs(ssl_context=context, max_connections=1, max_connection_attempts=1, **options)
        try:
            first = await client.send_notification(requests[0])
            rest = await asyncio.gather(*[client.send_notification(request) for request in requests[1:]])
            return [first, *rest]
        finally:
            client.pool.close()

    loop = Network(gateway)
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(asyncio.wait_for(body(), 60))
    finally:
        asyncio.set_event_loop(None)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def by_key(gateway, **options):
    defaults = dict(
        key=pathlib.Path(gateway.key).read_text(), key_id=gateway.key_id, team_id=gateway.team_id, topic=TOPIC
    )
    return {**defaults, **options}


def notification(token, message=None, **options):
    return aioapns.NotificationRequest(token, message or {"aps": {"alert": "Hello"}}, **options)


def test_token_authentication(gateway):
    devices = [gateway.register(TOPIC) for _ in range(20)]
    results = run(gateway, [notification(device.token) for device in devices], **by_key(gateway))
    assert [result.status for result in results] == ["200"] * 20
    for device in devices:
        assert len(gateway.notifications(device)) == 1


def test_certificate_authentication(gateway, device, certificate):
    # Without a topic aioapns takes it from the certificate's subject.
    (result,) = run(gateway, [notification(device.token)], client_cert=str(certificate))
    assert result.is_successful
    (result,) = run(gateway, [notification(device.token)], client_cert=str(certificate), topic="com.example.Other")
    assert (result.status, result.description) == ("400", "TopicDisallowed")


def test_a_certificate_of_the_wrong_environment(gateway, device, tmp_path):
    certificate = credentials.client_certificate(gateway, tmp_path, TOPIC, environments=[credentials.DEVELOPMENT])
    (result,) = run(gateway, [notification(device.token)], client_cert=str(certificate))
    assert (result.status, result.description) == ("403", "BadCertificateEnvironment")


def test_the_sandbox(gateway):
    device = gateway.register(TOPIC, environment="sandbox")
    (result,) = run(gateway, [notification(device.token)], use_sandbox=True, **by_key(gateway))
    assert result.is_successful


REFUSALS = [
    ("400", "BadDeviceToken", dict(token="00ab" * 16)),
    ("400", "BadDeviceToken", dict(token="not hexadecimal".replace(" ", "-"))),
    ("400", "MissingDeviceToken", dict(token="")),
    ("404", "BadPath", dict(token="00ab/more")),
    ("400", "DeviceTokenNotForTopic", dict(apns_topic="com.example.Other")),
    ("400", "BadTopic", dict(push_type=aioapns.PushType.VOIP)),
    ("400", "BadExpirationDate", dict(time_to_live=-(10**12))),
    ("400", "BadPriority", dict(priority=7)),
    ("400", "BadCollapseId", dict(collapse_key="c" * 65)),
    ("413", "PayloadTooLarge", dict(message={"aps": {"alert": "x" * 4096}})),
    ("410", "Unregistered", dict(token="fa11041001" + "0" * 54)),
    ("410", "ExpiredToken", dict(token="fa11041002" + "0" * 54)),
    ("429", "TooManyRequests", dict(token="fa11042901" + "0" * 54)),
    ("500", "InternalServerError", dict(token="fa11050001" + "0" * 54)),
    ("503", "ServiceUnavailable", dict(token="fa11050301" + "0" * 54)),
]


@pytest.mark.parametrize("status, reason, options", REFUSALS)
def test_aioapns_sees_the_refusal(gateway, device, status, reason, options):
    request = notification(**{"token": device.token, **options})
    (result,) = run(gateway, [request], **by_key(gateway))
    assert (result.status, result.description) == (status, reason)
    assert (result.timestamp is not None) == (status == "410")
    assert gateway.notifications(device) == []


def test_a_key_nobody_knows(gateway, device):
    (result,) = run(gateway, [notification(device.token)], **by_key(gateway, key=credentials.new_signing_key()))
    assert (result.status, result.description) == ("403", "InvalidProviderToken")


def test_a_team_nobody_knows(gateway, device):
    (result,) = run(gateway, [notification(device.token)], **by_key(gateway, team_id="NOTATEAM99"))
    assert (result.status, result.description) == ("403", "InvalidProviderToken")
