"""The simulated phone as a process: linked to a gateway, told on standard input and over HTTP."""

import json
import signal
import subprocess
import urllib.request

import pytest

import readme
from gateway import BELFRY, STOP_SECONDS, clean_environment
from phone import Phone

TOPIC = "com.example.App"


@pytest.fixture
def phone(gateway):
    phone = Phone("--control", gateway.control, "--zone", "Asia/Shanghai", "--topic", TOPIC)
    yield phone
    assert phone.stop() == 0


@pytest.fixture
def send(gateway, belfry):
    def send(token, *arguments):
        return belfry(
            "push", "--direct", "--url", gateway.apns, "--ca", gateway.ca, "--key", gateway.key,
            "--team-id", gateway.team_id, "--topic", TOPIC, *arguments, token,
        )  # fmt: skip

    return send


def test_a_push_is_shown_replied_to_and_gone(phone, send):
    assert phone.state()["isClockRunning"] and phone.state()["zone"] == "Asia/Shanghai"
    phone.tell("home")
    phone.wait_for("left")
    assert send(phone.token, "--title", "Ada", "--body", "Are you there?", "--category", "message").returncode == 0
    banner = phone.wait_for("banner", "Ada · Are you there?")
    shown = phone.state()["groups"][0]["notifications"][0]
    assert [action["identifier"] for action in shown["actions"]] == ["reply", "read"]
    phone.tell(f"reply {banner['notification']} on my way")
    assert phone.wait_for("acted")["text"] == "reply: on my way"
    phone.wait_for("withdrawn")
    assert phone.state()["groups"] == []


def test_what_waits_in_airplane_mode_comes_when_it_is_over(phone, send):
    phone.act(action="lock")
    # Answered when the stream is closed.
    assert phone.act(action="airplane", value="on")["isAirplane"]
    for number in ("first", "second"):
        assert send(phone.token, "--body", number).returncode == 0
    phone.tell("airplane off")
    assert phone.wait_for("lock-screen")["text"] == "second"
    assert [shown["body"] for shown in phone.state()["lockScreen"]] == ["second"]


def test_a_deleted_app_is_noticed_by_the_gateway(own_gateway):
    phone = Phone("--control", own_gateway.control)
    assert own_gateway.call("GET", f"/devices/{phone.device}")["apps"][0]["installed"]
    first = phone.token
    phone.act(action="reinstall", app=TOPIC)
    phone.act(action="open", app=TOPIC)
    tokens = own_gateway.call("GET", f"/devices/{phone.device}")["apps"][0]["registrations"]
    assert {token["token"]: token["state"] for token in tokens}[first] != "live"
    assert phone.state()["apps"][0]["token"] != first
    assert phone.stop() == 0


def test_the_http_api_acts_and_refuses(phone):
    assert phone.act(action="fly")[0] == 400
    assert phone.act(action="tap", notification=99)[0] == 404
    assert phone.act(action="allow")[0] == 409
    payload = json.dumps({"aps": {"alert": "By HTTP", "thread-id": "a"}})
    state = phone.act(action="push", app=TOPIC, payload=payload)
    assert state["banner"]["body"] == "By HTTP"
    assert phone.act(action="tap", notification=state["banner"]["id"])["groups"] == []
    request = urllib.request.Request(phone.http + "/phones", headers={"Origin": "http://evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.code == 403


def test_events_are_a_stream_of_the_journal(phone):
    request = urllib.request.Request(phone.http + "/phones/1/events", headers={"Last-Event-ID": "0"})
    with urllib.request.urlopen(request, timeout=60) as stream:
        ids = []
        while len(ids) < 3:
            line = stream.readline().decode()
            if line.startswith("id: "):
                ids.append(int(line[4:]))
    assert ids == [1, 2, 3]


def test_a_question_can_wait_for_the_finger(gateway):
    phone = Phone("--control", gateway.control, "--permission", "wait")
    assert phone.state()["prompt"]["app"] == TOPIC
    phone.tell("deny")
    phone.wait_for("denied")
    assert phone.act(action="home")["apps"][0]["settings"]["status"] == "denied"
    assert phone.stop() == 0


def test_files_are_shown_without_a_gateway_and_time_travels(belfry, tmp_path):
    file = tmp_path / "hello.apns"
    file.write_text(json.dumps({"aps": {"alert": {"title": "Hello", "body": "World"}, "badge": 2}}))
    commands = "show\nadvance 09:00\nlock\npush {0}\ntap\n# a remark\n\nshow\n".format(file)
    result = belfry(
        "phone", "--once", "--at", "2027-03-01T08:00", "--zone", "Asia/Shanghai", "--push", file,
        text_input=commands, check=0,
    )  # fmt: skip
    lines = result.stdout.splitlines()
    assert any(line.startswith("08:00:00  banner") and line.endswith("Hello · World") for line in lines)
    assert any(line.startswith("09:00:00  lock-screen") for line in lines)
    assert any(line.startswith("09:00:00  tapped") for line in lines)
    assert "  App (com.example.App): active, badge 2, notifications authorized, pending 0" in lines


@pytest.mark.parametrize(
    "content, reason",
    [("{", "not JSON"), ('{"alert": "x"}', "no key aps"), ('{"aps": {"alert": "%s"}}' % ("x" * 4096), "at most 4096")],
)
def test_a_file_that_no_device_takes_is_refused(belfry, tmp_path, content, reason):
    file = tmp_path / "wrong.apns"
    file.write_text(content)
    result = belfry("phone", "--once", "--push", file, check=1)
    assert "wrong.apns" in result.stderr and reason in result.stderr


def test_wrong_commands_are_named_and_the_exit_code_says_so(belfry):
    result = belfry("phone", "--once", text_input="fly\ntap 9\nairplane maybe\n", check=1)
    assert '"fly"' in result.stderr and "notification 9" in result.stderr and "allowed: on, off" in result.stderr


def test_a_gateway_that_is_not_there(belfry):
    result = belfry("phone", "--once", "--control", "http://127.0.0.1:1", check=69)
    assert "http://127.0.0.1:1" in result.stderr
    assert "zone" in belfry("phone", "--once", "--zone", "Mars/Base", check=1).stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(number):
    process = subprocess.Popen(
        [BELFRY, "phone"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environment()
    )
    while not process.stdout.readline().startswith("ready"):
        pass
    process.send_signal(number)
    assert process.wait(timeout=STOP_SECONDS) == 0
    process.stdin.close()
    process.stdout.close()


def test_the_commands_of_the_readme(tmp_path):
    (block,) = readme.blocks("phone")
    environment = clean_environment()
    environment["PATH"] = f"{BELFRY.parent}:{environment['PATH']}"
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "lock screen  #1 Ada · Are you there? [reply] [read]" in result.stdout
    assert "reply: on my way" in result.stdout
