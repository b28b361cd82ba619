"""aioapns, unmodified: it only knows Apple's hosts, so it reaches the gateway through a proxy."""

import asyncio
import contextlib
import logging
import pathlib
import ssl

import aioapns
import pytest

import credentials
from conftest import TOPIC

logging.getLogger("aioapns").setLevel(logging.CRITICAL)
APPLE = {"api.push.apple.com:443": "apns", "api.development.push.apple.com:443": "sandbox"}


@contextlib.asynccontextmanager
async def proxy(gateway):
    """A HTTP proxy whose idea of where Apple is leads to the gateway."""

    async def pump(reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, target, _ = head.split(" ", 2)
        assert method == "CONNECT"
        port = int(getattr(gateway, APPLE[target]).rsplit(":", 1)[1])
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await writer.drain()
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def run(gateway, requests, **options):
    """Sends requests through one aioapns client; gives its results."""

    async def body():
        async with proxy(gateway) as port:
            client = aioapns.APNs(
                ssl_context=ssl.create_default_context(cafile=gateway.ca),
                proxy_host="127.0.0.1",
                proxy_port=port,
                max_connection_attempts=1,
                **options,
            )
            try:
                return await asyncio.gather(*[client.send_notification(request) for request in requests])
            finally:
                client.pool.close()

    return asyncio.run(asyncio.wait_for(body(), 60))


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
