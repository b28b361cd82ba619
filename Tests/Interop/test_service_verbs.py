"""`belfry serve`, `belfry push --service` and `belfry explain` as scripts use them."""

import contextlib
import json
import secrets
import signal
import socket
import socketserver
import subprocess
import threading

import pytest

from gateway import BELFRY, clean_environment
from service import Service


@pytest.fixture
def channel():
    return "c" + secrets.token_hex(6)


@pytest.fixture
def phone(gateway, service, channel):
    """A device of the gateway whose installation is in the channel; gives it and its objectId."""

    def add(**fields):
        device = gateway.register()
        body = {"deviceType": "ios", "deviceToken": device.token, "channels": [channel], **fields}
        status, answer = service.call("POST", "/1.1/installations", body)
        assert status == 201
        return device, answer["objectId"]

    return add


@pytest.fixture
def ask(belfry, service):
    """Runs a verb with the service and its master key."""

    def run(*arguments, check=0, key=None, url=None):
        environment = {"BELFRY_MASTER_KEY": key or service.master_key}
        where = ["--service", url or service.url, "--app", service.app_id]
        return belfry(*arguments, *where, check=check, environment=environment)

    return run


def titles(gateway, device):
    return [one["payload"]["aps"]["alert"]["title"] for one in gateway.notifications(device)]


def test_a_push_to_a_channel(ask, gateway, service, phone, channel):
    device, _ = phone()
    sent = json.loads(ask("push", "--channel", channel, "--title", "Goal", "--badge", "2", "--json").stdout)
    record = service.wait_until_done(sent["objectId"])
    assert (record["devices"], record["successes"]) == (1, 1)
    (one,) = gateway.notifications(device)
    assert one["payload"]["aps"] == {"alert": {"title": "Goal"}, "badge": 2}


def test_a_push_to_tokens(ask, gateway, service, phone, channel):
    (first, _), (second, _) = phone(), phone()
    answer = ask("push", first.token, "--title", "Only you").stdout
    service.wait_until_done(answer.removeprefix("accepted ").strip())
    assert (titles(gateway, first), titles(gateway, second)) == (["Only you"], [])


def test_headers_go_with_it(ask, gateway, service, phone, channel):
    device, _ = phone()
    sent = ask("push", "--where", json.dumps({"channels": channel}), "--title", "x", "--priority", "5",
               "--collapse-id", "score", "--expiration", "1h", "--json").stdout
    service.wait_until_done(json.loads(sent)["objectId"])
    (one,) = gateway.notifications(device)
    assert (one["priority"], one["collapse_id"]) == (5, "score")
    assert one["expiration"] > 0


def test_a_dry_run_sends_nothing(ask, gateway, phone, channel):
    device, _ = phone(timeZone="Asia/Tokyo")
    answer = json.loads(ask("push", "--channel", channel, "--title", "x", "--dry-run", "--json").stdout)
    assert answer["devices"] == 1 and answer["audience"]["timeZones"] == {"Asia/Tokyo": 1}
    assert ask("push", "--channel", channel, "--title", "x", "--dry-run").stdout.startswith("1 devices\n")
    assert titles(gateway, device) == []


def test_explain_says_that_a_push_arrived_and_why_another_did_not(ask, service, phone, channel):
    _, inside = phone()
    _, outside = phone(channels=["elsewhere" + channel])
    sent = json.loads(ask("push", "--channel", channel, "--title", "x", "--json").stdout)["objectId"]
    service.wait_until_done(sent)
    reached = ask("explain", sent, inside).stdout
    assert "failed\t" not in reached and "accepted" in reached.lower()
    assert all(len(line.split("\t")) == 3 and "" not in line.split("\t") for line in reached.splitlines())
    missed = ask("explain", sent, outside, check=1)
    assert "failed\t" in missed.stdout and "channel" in missed.stdout
    steps = json.loads(ask("explain", sent, inside, "--json").stdout)["steps"]
    assert {step["state"] for step in steps} <= {"passed", "open"}


def test_explaining_what_is_not_there(ask):
    assert "there is none" in ask("explain", "nothing", "0" * 24, check=1).stderr


@pytest.mark.parametrize(
    "arguments, status, message",
    [
        (["push", "--title", "x"], 2, "audience"),
        (["push", "--everybody"], 2, "something to send"),
        (["push", "--title", "x", "--where", "{", "--everybody"], 2, "--where"),
        (["push", "--title", "x", "--direct", "--everybody"], 2, "--direct"),
        (["push", "--title", "x", "--where", '{"a": {"$near": 1}}'], 1, "$near"),
        (["explain", "one"], 2, "ID"),
    ],
)
def test_what_cannot_be_asked(ask, arguments, status, message):
    result = ask(*arguments, check=status)
    assert message in result.stderr and result.stdout == ""


def test_a_wrong_key_and_a_service_that_is_not_there(ask, service):
    refused = ask("push", "--everybody", "--title", "x", key="x" * 24, check=1)
    assert "401" in refused.stderr and service.master_key not in refused.stderr
    ask("push", "--everybody", "--title", "x", url="http://127.0.0.1:1", check=69)


def test_a_second_service_on_the_same_folder_is_refused(belfry, service):
    second = belfry("serve", "--data", service.data, "--port", "0", check=69)
    assert second.stdout == "" and "belfry serve" in second.stderr


def test_a_port_in_use_is_an_error_and_not_a_crash(belfry, service, tmp_path):
    port = service.url.rsplit(":", 1)[1]
    result = belfry("serve", "--data", tmp_path / "other", "--port", port, check=69)
    assert result.stdout == "" and result.stderr


class Tunnels(socketserver.ThreadingTCPServer):
    """An HTTP proxy that makes tunnels, and counts them."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Tunnel)
        self.targets = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Tunnel(socketserver.BaseRequestHandler):
        def handle(self):
            head = b""
            while b"\r\n\r\n" not in head:
                head += self.request.recv(4096)
            method, target = head.decode().split()[:2]
            assert method == "CONNECT"
            self.server.targets.append(target)
            host, port = target.rsplit(":", 1)
            with socket.create_connection((host, int(port))) as other:
                self.request.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                threading.Thread(target=self.copy, args=[other, self.request], daemon=True).start()
                self.copy(self.request, other)

        @staticmethod
        def copy(source, target):
            with contextlib.suppress(OSError):
                while data := source.recv(65536):
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)


def test_pushes_go_through_the_proxy(gateway, tmp_path):
    proxy = Tunnels()
    service = Service(tmp_path / "service", gateway)
    service.start("--proxy", f"http://127.0.0.1:{proxy.server_address[1]}")
    try:
        service.send_one()
        assert set(proxy.targets) <= {gateway.apns.removeprefix("https://"), gateway.sandbox.removeprefix("https://")}
        assert proxy.targets, "nobody came through the proxy"
    finally:
        service.stop()
        proxy.shutdown()
        proxy.server_close()


@pytest.mark.parametrize("verb", [
    ["app", "list"], ["app", "show", "news"], ["key", "list", "--app", "news"], ["user", "list"], ["backup", "copy.sqlite"],
    ["webhook", "list", "--app", "news"], ["import", "/dev/null", "--app", "news"],
], ids=" ".join)
def test_a_verb_without_a_database_says_so_and_makes_none(belfry, tmp_path, verb):
    if verb[0] == "backup":
        verb = ["backup", tmp_path / "copy.sqlite"]
    result = belfry(*verb, "--data", tmp_path / "nowhere", check=1)
    assert "nowhere/belfry.sqlite: there is no database" in result.stderr and "BELFRY_DATABASE" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", [["app", "list"], ["app", "create", "Second", "--topic", "com.example.second"], ["serve"]], ids=" ".join)
def test_a_database_whose_secret_is_missing_is_left_alone(belfry, tmp_path, verb):
    data = tmp_path / "data"
    belfry("app", "create", "First", "--topic", "com.example.first", "--data", data)
    (data / "secret").rename(tmp_path / "secret")
    result = belfry(*verb, "--data", data, check=1)
    assert "secret: there is no such file" in result.stderr and "BELFRY_SECRET" in result.stderr
    assert not (data / "secret").exists()
    (tmp_path / "secret").rename(data / "secret")
    assert "First" in belfry("app", "list", "--data", data).stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT] * 5)
def test_serve_prints_a_line_and_ends_when_told(tmp_path, number):
    command = [BELFRY, "serve", "--data", tmp_path / "data", "--port", "0"]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True, env=clean_environment())
    try:
        words = process.stdout.readline().split()
        assert words[0] == "ready"
        fields = dict(word.split("=", 1) for word in words[1:])
        assert fields["api"].startswith("http://") and fields["console"] == fields["api"] + "/console"
        assert fields["store"] == f"{tmp_path}/data/belfry.sqlite"
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
