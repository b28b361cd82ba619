"""h2load, a load generator, against the gateway."""

import re
import subprocess

import pytest

import credentials
import refusals
from gateway import Gateway, clean_environment


def load(gateway, request, folder, *, count, connections=1, streams=10):
    """Sends one request many times; gives h2load's counts of status classes."""
    command = ["h2load", f"-n{count}", f"-c{connections}", f"-m{streams}"]
    for name, value in request.headers:
        command += ["-H", f"{name}: {value}"]
    if request.method != "POST" or not request.body:
        command += ["-H", f":method: {request.method}"]
    if request.body:
        body = folder / "body"
        body.write_bytes(request.body)
        command += ["-d", body]
    result = subprocess.run(
        [*command, gateway.apns + request.path], capture_output=True, text=True, timeout=120, env=clean_environment()
    )
    assert result.returncode == 0, result.stderr
    counts = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", result.stdout)
    assert counts, result.stdout
    # h2load counts refusals as failed; errored and timed out are requests without an answer.
    assert re.search(rf"{count} done, .* 0 errored, 0 timeout", result.stdout), result.stdout
    return [int(number) for number in counts.groups()]


@pytest.mark.parametrize("connections", [1, 4])
def test_correct_pushes_are_all_accepted(gateway, device, provider_token, connections, tmp_path):
    # One stream: h2load sends before it has read the stream limit, which is 1 until a token is accepted.
    request = refusals.correct(gateway, device, provider_token)
    counts = load(gateway, request, tmp_path, count=2000, connections=connections, streams=1)
    assert counts == [2000, 0, 0, 0]
    assert gateway.notifications(device)


@pytest.fixture(scope="module")
def open_gateway(tmp_path_factory):
    gateway = Gateway(tmp_path_factory.mktemp("open"), "--open")
    yield gateway
    assert gateway.stop() == 0


@pytest.mark.parametrize("connections", [1, 4])
def test_an_open_gateway_takes_any_key_and_device_token(open_gateway, connections, tmp_path):
    token = credentials.provider_token(
        open_gateway, key=credentials.new_signing_key(), key_id="ANYKEY0001", team_id="ANYTEAM001"
    )
    request = refusals.Request(
        "/3/device/" + "ab" * 32, [("authorization", f"bearer {token}"), ("apns-topic", "com.example.App")]
    )
    counts = load(open_gateway, request, tmp_path, count=4000, connections=connections, streams=100)
    assert counts == [4000, 0, 0, 0]


@pytest.mark.parametrize("refusal", refusals.ALL, ids=str)
def test_h2load_sees_the_refusal(gateway, device, provider_token, refusal, tmp_path):
    request = refusals.correct(gateway, device, provider_token)
    refusal.change(request, gateway)
    before = len(gateway.requests(f"?limit=10000&reason={refusal.reason}"))
    counts = load(gateway, request, tmp_path, count=5, streams=1)
    expected = [0, 0, 5, 0] if refusal.status < 500 else [0, 0, 0, 5]
    assert counts == expected
    assert len(gateway.requests(f"?limit=10000&reason={refusal.reason}")) == before + 5
