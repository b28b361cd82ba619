"""curl --http2 against the gateway."""

import json
import subprocess

import pytest

import refusals
from gateway import clean_environment


def send(gateway, request, folder, *arguments):
    """Runs curl once; gives status, headers and body."""
    body = folder / "body"
    body.write_bytes(request.body)
    command = ["curl", "--silent", "--show-error", "--http2", "--max-time", "30", "--cacert", gateway.ca]
    command += ["--request", request.method, "--write-out", "%{stderr}%{json}", "--dump-header", folder / "headers"]
    for name, value in request.headers:
        command += ["--header", f"{name}: {value}"]
    if request.body:
        command += ["--data-binary", f"@{body}"]
    result = subprocess.run(
        [*command, *arguments, gateway.apns + request.path], capture_output=True, env=clean_environment()
    )
    assert result.returncode == 0, result.stderr
    info = json.loads(result.stderr)
    assert info["http_version"] == "2"
    headers = dict(
        line.lower().split(": ", 1) for line in (folder / "headers").read_text().splitlines() if ": " in line
    )
    return info["response_code"], headers, result.stdout


def test_a_correct_push_is_accepted_and_arrives(gateway, device, provider_token, tmp_path):
    request = refusals.correct(gateway, device, provider_token)
    request.set("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")
    status, headers, body = send(gateway, request, tmp_path)
    assert (status, body) == (200, b"")
    assert headers["apns-id"] == "eabeae54-14a8-11e5-b60b-1697f925ec7b"
    received = gateway.notifications(device)
    assert [json.loads(json.dumps(one["payload"])) for one in received] == [{"aps": {"alert": "Hello"}}]


def test_a_certificate_takes_the_place_of_a_token(gateway, device, certificate, tmp_path):
    request = refusals.correct(gateway, device, "unused")
    request.without("authorization")
    status, _, _ = send(gateway, request, tmp_path, "--cert", certificate)
    assert status == 200
    request.set("apns-topic", "com.example.Other")
    status, _, body = send(gateway, request, tmp_path, "--cert", certificate)
    assert (status, json.loads(body)["reason"]) == (400, "TopicDisallowed")


@pytest.mark.parametrize("refusal", refusals.ALL, ids=str)
def test_curl_sees_the_refusal(gateway, device, provider_token, refusal, tmp_path):
    request = refusals.correct(gateway, device, provider_token)
    refusal.change(request, gateway)
    status, headers, body = send(gateway, request, tmp_path)
    answer = json.loads(body)
    assert (status, answer["reason"]) == (refusal.status, refusal.reason)
    assert headers["apns-id"]
    assert ("timestamp" in answer) == (status == 410)
    assert gateway.notifications(device) == []
