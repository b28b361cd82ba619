"""Requests that APNs refuses, each wrong in one way, for clients that speak plain HTTP/2."""

import dataclasses
import time

import credentials

JSON = b'{"aps":{"alert":"Hello"}}'


@dataclasses.dataclass
class Request:
    """One request: what a client has to put on the wire."""

    path: str
    headers: list
    body: bytes = JSON
    method: str = "POST"

    def without(self, name):
        self.headers = [pair for pair in self.headers if pair[0] != name]

    def set(self, name, value):
        self.without(name)
        self.headers.append((name, value))


@dataclasses.dataclass(frozen=True)
class Refusal:
    name: str
    status: int
    reason: str
    change: object

    def __str__(self):
        return self.name


def correct(gateway, device, provider_token):
    return Request(
        f"/3/device/{device.token}",
        [
            ("authorization", f"bearer {provider_token}"),
            ("apns-topic", device.topic),
            ("apns-push-type", "alert"),
        ],
    )


def _set(name, value):
    return lambda request, gateway: request.set(name, value)


def _path(path):
    def change(request, gateway):
        request.path = path

    return change


def _method(method):
    def change(request, gateway):
        request.method = method
        if method == "GET":
            request.body = b""

    return change


def _body(body):
    def change(request, gateway):
        request.body = body

    return change


def _token(**options):
    def change(request, gateway):
        made = {name: value() for name, value in options.items()}
        request.set("authorization", "bearer " + credentials.provider_token(gateway, **made))

    return change


def _sandbox_device(request, gateway):
    request.path = "/3/device/" + gateway.register(environment="sandbox").token


def _repeated(name, value):
    return lambda request, gateway: request.headers.append((name, value))


def _background_at_once(request, gateway):
    request.set("apns-push-type", "background")
    request.set("apns-priority", "10")
    request.body = b'{"aps":{"content-available":1}}'


ALL = [
    Refusal("no provider token", 403, "MissingProviderToken", lambda r, _: r.without("authorization")),
    Refusal("a provider token that is none", 403, "InvalidProviderToken", _set("authorization", "bearer x.y.z")),
    Refusal("a key nobody knows", 403, "InvalidProviderToken", _token(key=credentials.new_signing_key)),
    Refusal("an unknown key id", 403, "InvalidProviderToken", _token(key_id=lambda: "UNKNOWN123")),
    Refusal("a token of two hours", 403, "ExpiredProviderToken", _token(issued_at=lambda: int(time.time()) - 7200)),
    Refusal("another path", 404, "BadPath", _path("/3/devices")),
    Refusal("another method", 405, "MethodNotAllowed", _method("GET")),
    Refusal("no device token", 400, "MissingDeviceToken", _path("/3/device/")),
    Refusal("a device token of letters", 400, "BadDeviceToken", _path("/3/device/" + "zz" * 32)),
    Refusal("a device token nobody has", 400, "BadDeviceToken", _path("/3/device/" + "00ab" * 16)),
    Refusal("a device of the other environment", 400, "BadDeviceToken", _sandbox_device),
    Refusal("a device of another app", 400, "DeviceTokenNotForTopic", _set("apns-topic", "com.example.Other")),
    Refusal("no topic", 400, "MissingTopic", lambda r, _: r.without("apns-topic")),
    Refusal("a topic without its suffix", 400, "BadTopic", _set("apns-push-type", "voip")),
    Refusal("an id that is no UUID", 400, "BadMessageId", _set("apns-id", "1234")),
    Refusal("a date in words", 400, "BadExpirationDate", _set("apns-expiration", "tomorrow")),
    Refusal("priority 7", 400, "BadPriority", _set("apns-priority", "7")),
    Refusal("a background push at once", 400, "BadPriority", _background_at_once),
    Refusal("a collapse id of 65 bytes", 400, "BadCollapseId", _set("apns-collapse-id", "c" * 65)),
    Refusal("an unknown push type", 400, "InvalidPushType", _set("apns-push-type", "banner")),
    Refusal("no payload", 400, "PayloadEmpty", _body(b"")),
    Refusal("a payload of 4097 bytes", 413, "PayloadTooLarge", _body(b'{"aps":{},"x":"' + b"x" * 4080 + b'"}')),
    Refusal("a header twice", 400, "DuplicateHeaders", _repeated("apns-topic", "com.example.App")),
    Refusal("a dead device", 410, "Unregistered", _path("/3/device/fa11041001" + "0" * 54)),
    Refusal("a device pushed too often", 429, "TooManyRequests", _path("/3/device/fa11042901" + "0" * 54)),
    Refusal("a fault of the server", 500, "InternalServerError", _path("/3/device/fa11050001" + "0" * 54)),
    Refusal("a server that is away", 503, "ServiceUnavailable", _path("/3/device/fa11050301" + "0" * 54)),
]
assert len(b'{"aps":{},"x":"' + b"x" * 4080 + b'"}') == 4097
