"""h2load, a load generator, against the gateway."""

import re
import subprocess

import pytest

import refusals
from gateway import clean_environment


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
    assert f"{count} done" in result.stdout and "0 failed" in result.stdout, result.stdout
    return [int(number) for number in counts.groups()]


@pytest.mark.parametrize("connections", [1, 4])
def test_correct_pushes_are_all_accepted(gateway, device, provider_token, connections, tmp_path):
    request = refusals.correct(gateway, device, provider_token)
    counts = load(gateway, request, tmp_path, count=2000, connections=connections, streams=100)
    assert counts == [2000, 0, 0, 0]
    assert gateway.notifications(device)


def test_an_open_gateway_takes_any_device_token(tmp_path_factory, tmp_path):
    from credentials import new_signing_key, provider_token
    from gateway import Gateway

    gateway = Gateway(tmp_path_factory.mktemp("open"), "--open")
    try:
        token = provider_token(gateway, key=new_signing_key(), key_id="ANYKEY0001", team_id="ANYTEAM001")
        request = refusals.Request(
            "/3/device/" + "ab" * 32, [("authorization", f"bearer {token}"), ("apns-topic", "com.example.App")]
        )
        assert load(gateway, request, tmp_path, count=2000, streams=100) == [2000, 0, 0, 0]
    finally:
        assert gateway.stop() == 0


@pytest.mark.parametrize("refusal", refusals.ALL, ids=str)
def test_h2load_sees_the_refusal(gateway, device, provider_token, refusal, tmp_path):
    request = refusals.correct(gateway, device, provider_token)
    refusal.change(request, gateway)
    before = len(gateway.requests(f"?limit=10000&reason={refusal.reason}"))
    counts = load(gateway, request, tmp_path, count=5, streams=1)
    expected = [0, 0, 5, 0] if refusal.status < 500 else [0, 0, 0, 5]
    assert counts == expected
    assert len(gateway.requests(f"?limit=10000&reason={refusal.reason}")) == before + 5
