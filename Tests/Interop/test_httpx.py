"""httpx with HTTP/2 against the gateway."""

import asyncio
import json
import ssl

import httpx
import pytest

import credentials
import refusals
import readme


def client(gateway, certificate=None, **options):
    context = ssl.create_default_context(cafile=gateway.ca)
    if certificate:
        context.load_cert_chain(certificate)
    return httpx.Client(http2=True, http1=False, verify=context, base_url=gateway.apns, trust_env=False, **options)


def send(client, request):
    response = client.request(request.method, request.path, headers=request.headers, content=request.body)
    assert response.http_version == "HTTP/2"
    return response


def test_many_pushes_on_one_connection_are_accepted_and_the_last_arrives(gateway, device, provider_token):
    request = refusals.correct(gateway, device, provider_token)
    with client(gateway) as http:
        ids = set()
        for number in range(50):
            request.body = json.dumps({"aps": {"alert": f"number {number}"}}).encode()
            response = send(http, request)
            assert response.status_code == 200 and response.content == b""
            ids.add(response.headers["apns-id"])
    assert len(ids) == 50
    assert gateway.notifications(device)[-1]["payload"]["aps"]["alert"] == "number 49"


def test_parallel_pushes_wait_for_the_stream_limit(gateway, device, provider_token):
    """The gateway allows one stream until it has accepted a token; a correct client must cope."""
    request = refusals.correct(gateway, device, provider_token)

    async def run():
        context = ssl.create_default_context(cafile=gateway.ca)
        limits = httpx.Limits(max_connections=1)
        async with httpx.AsyncClient(
            http2=True, http1=False, verify=context, base_url=gateway.apns, limits=limits, trust_env=False
        ) as http:
            sends = [http.post(request.path, headers=request.headers, content=request.body) for _ in range(100)]
            return await asyncio.gather(*sends)

    assert [response.status_code for response in asyncio.run(run())] == [200] * 100


def test_the_sandbox_tells_an_id_for_the_console(gateway, provider_token):
    device = gateway.register(environment="sandbox")
    request = refusals.correct(gateway, device, provider_token)
    context = ssl.create_default_context(cafile=gateway.ca)
    with httpx.Client(http2=True, http1=False, verify=context, base_url=gateway.sandbox, trust_env=False) as http:
        response = send(http, request)
        assert response.status_code == 200
        assert len(response.headers["apns-unique-id"]) == 36


def test_a_certificate_takes_the_place_of_a_token(gateway, device, certificate):
    request = refusals.correct(gateway, device, "unused")
    request.without("authorization")
    with client(gateway, certificate) as http:
        assert send(http, request).status_code == 200
        request.set("authorization", "bearer nonsense is ignored")
        assert send(http, request).status_code == 200
        request.set("apns-topic", "com.example.Other")
        response = send(http, request)
        assert (response.status_code, response.json()["reason"]) == (400, "TopicDisallowed")


def test_a_certificate_of_the_wrong_environment_is_refused(gateway, device, tmp_path):
    certificate = credentials.client_certificate(
        gateway, tmp_path, device.topic, environments=[credentials.DEVELOPMENT]
    )
    request = refusals.correct(gateway, device, "unused")
    request.without("authorization")
    with client(gateway, certificate) as http:
        response = send(http, request)
    assert (response.status_code, response.json()["reason"]) == (403, "BadCertificateEnvironment")


def test_a_certificate_of_several_topics_needs_the_header(gateway, device, tmp_path):
    topics = [(device.topic, "app"), (device.topic + ".voip", "voip")]
    certificate = credentials.client_certificate(gateway, tmp_path, device.topic, topics=topics)
    request = refusals.correct(gateway, device, "unused")
    request.without("authorization")
    request.without("apns-topic")
    with client(gateway, certificate) as http:
        response = send(http, request)
    assert (response.status_code, response.json()["reason"]) == (400, "MissingTopic")


@pytest.mark.parametrize("refusal", refusals.ALL, ids=str)
def test_httpx_sees_the_refusal(gateway, device, provider_token, refusal):
    request = refusals.correct(gateway, device, provider_token)
    refusal.change(request, gateway)
    with client(gateway) as http:
        response = send(http, request)
    assert (response.status_code, response.json()["reason"]) == (refusal.status, refusal.reason)
    assert response.headers["content-type"] == "application/json"
    assert response.headers["apns-id"]
    assert gateway.notifications(device) == []


@pytest.mark.parametrize("row", readme.test_tokens(), ids=lambda row: row.prefix)
def test_a_test_token_of_the_readme_draws_its_refusal(gateway, device, provider_token, row):
    request = refusals.correct(gateway, device, provider_token)
    request.path = "/3/device/" + row.prefix + "ab" * 27
    with client(gateway) as http:
        response = send(http, request)
    assert (response.status_code, response.json()["reason"]) == (row.status, row.reason)
    assert ("timestamp" in response.json()) == (row.status == 410)
