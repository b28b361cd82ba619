"""The commands of the guides under docs, run as a reader would type them."""

import datetime
import http.server
import json
import re
import shutil
import subprocess
import threading

import pytest

import guide
from front import Front, running
from gateway import BELFRY, ROOT, clean_environment
from test_readme import free_ports

GUIDES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_a_guide_links_to_files_that_exist(path):
    text = without_code(path.read_text(encoding="utf-8"))
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(#[^)\s]+)?\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file = path.parent / target if target else path
        assert file.exists(), f"{path.name} links to {target}"
        if anchor:
            assert anchor[1:] in anchors(file), f"{path.name} links to {target}{anchor}"


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(file):
    """The anchors of a document's headings, as GitHub and other sites make them."""
    headings = re.findall(r"^#+ (.*)", without_code(file.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", sorted([*ROOT.glob("*.zh-CN.md"), *(ROOT / "docs").rglob("*.zh-CN.md")]), ids=lambda path: path.name)
def test_a_translation_shows_the_same_commands_as_its_original(path):
    original = path.with_name(path.name.replace(".zh-CN", ""))

    def blocks(file):
        return re.findall(r"^```(\w*)\n(.*?)^```", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

    def headings(file):
        text = without_code(file.read_text(encoding="utf-8"))
        return [line.split(" ")[0] for line in text.splitlines() if line.startswith("#")]

    def links(file):
        """What is shown beside the text: pictures and files, not translations and places within documents."""
        found = re.findall(r"\]\(([^)\s]+)\)", without_code(file.read_text(encoding="utf-8")))
        return {target.replace(".zh-CN", "") for target in found if "#" not in target and "README" not in target}

    assert blocks(path) == blocks(original)
    assert links(path) - {original.name} == links(original) - {original.name}
    assert headings(path) == headings(original)


def export(gateway, path):
    """An export of `_Installation` with one phone of the gateway's, and rows that cannot be sent to."""
    device = gateway.register("com.example.App")

    def times(days):
        at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days)
        return {"createdAt": "2024-03-01T08:00:00.000Z", "updatedAt": at.strftime("%Y-%m-%dT%H:%M:%S.000Z")}

    rows = [
        {"objectId": "a" * 24, "deviceType": "ios", "deviceToken": device.token, "channels": ["news"], **times(0)},
        {"objectId": "b" * 24, "deviceType": "android", "installationId": "c" * 32, **times(0)},
        {"objectId": "d" * 24, "deviceType": "ios", "installationId": "e" * 32, **times(200)},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return device


def test_the_move_from_leancloud_works_as_written(machine, own_gateway):
    device = export(own_gateway, machine.home / "_Installation.0.jsonl")
    shutil.copy(own_gateway.key, machine.home / "AuthKey_ABC123DEFG.p8")
    (variables,) = re.findall(
        "^```sh\n(APP_ID=.*?)```", (ROOT / "docs/move-from-leancloud.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    # Each ellipsis is the reader's own.
    for value in ["UtOCzqb67d3sN12Kts4URwy8-gzGzoHsz", "an-app-key-from-leancloud", "a-master-key-from-leancloud", "a" * 24]:
        variables = variables.replace("…", value, 1)
    variables = variables.replace("KEY_ID=ABC123DEFG", f"KEY_ID={own_gateway.key_id}")
    variables = variables.replace("DEF123GHIJ", own_gateway.team_id)

    def block(kind):
        return guide.block("move-from-leancloud.md", kind)

    def shell(*scripts):
        return machine.shell(variables, *scripts, block=block("move-shell"))

    create, take_over, count, dry_run, push, once_more = guide.blocks("move-from-leancloud.md", "move")
    machine.bash(block("move-files"))
    assert "an-app-key-from-leancloud" in shell(create)
    shell(block("move-settings"), block("move-client-push"))
    assert "3" in shell(take_over)
    machine.bash(block("move-serve"))
    printed = shell(count, dry_run)
    # With the one that was not saved for 200 days, which the settings keep.
    assert '"count":2' in printed.replace(" ", ""), printed
    printed = shell(count, push)
    assert '"successes":1' in printed.replace(" ", ""), printed
    assert "accepted" in printed, printed
    assert len(own_gateway.notifications(device)) == 1
    shell(once_more)


def test_the_guide_explains_each_step_that_explain_prints(service, gateway):
    text = (ROOT / "docs" / "why-did-my-phone-not-show-it.md").read_text(encoding="utf-8")
    device = gateway.register()
    _, row = service.call("POST", "/1.1/installations", {"deviceType": "ios", "deviceToken": device.token})
    push = service.master("POST", "/1.1/push", {"where": {"objectId": row["objectId"]}, "data": {"alert": "x"}})
    service.wait_until_done(push["objectId"])
    answer = service.master("GET", f"/1.1/explain?push={push['objectId']}&installation={row['objectId']}")
    printed = [step["step"] for step in answer["steps"]]
    assert printed == re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def test_the_guides_of_the_app_library_work_as_written(tmp_path):
    shutil.copy(ROOT / "Tests" / "ExamplesTests" / "message.apns", tmp_path)

    def bash(script):
        result = subprocess.run(
            ["bash", "-c", "set -euo pipefail\n" + script], capture_output=True, text=True, timeout=120, cwd=tmp_path,
            env={**clean_environment(), "PATH": f"{BELFRY.parent}:{clean_environment()['PATH']}"},
        )
        assert result.returncode == 0, result.stderr + result.stdout
        return result.stdout

    (preview,) = guide.blocks("reminders-that-survive-daylight-saving.md", "preview")
    printed = bash(preview)
    assert "2027-03-27 02:30 +01:00" in printed and "2027-03-28 03:30 +02:00" in printed, printed
    assert "2027-03-12 22:00 -05:00" in printed and "2027-03-15 22:00 -04:00" in printed, printed
    (files,) = guide.blocks("test-notifications-on-linux-ci.md", "files")
    assert "Ann: Are you there?" in bash(files)


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Where objects and files are served: answers each path with itself."""

    def do_GET(self):
        body = json.dumps({"elsewhere": self.path}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *arguments):
        pass


def test_nginx_sends_the_paths_of_push_here_and_the_rest_elsewhere(service, tmp_path):
    elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    front = Front(tmp_path, *free_ports(1))
    front.make_certificate("api.example.com")
    server = replaced(guide.block("move-from-leancloud.md", "nginx", language="nginx"), [
        ("listen 443 ssl", f"listen 127.0.0.1:{front.port} ssl"),
        ("/etc/ssl/api.example.com.pem", str(front.certificate)),
        ("/etc/ssl/api.example.com.key", str(tmp_path / "key.pem")),
        ("http://127.0.0.1:8080", service.url.replace("localhost", "127.0.0.1")),
        ("http://127.0.0.1:9000", f"http://127.0.0.1:{elsewhere.server_port}"),
    ])
    headers = {"x-lc-id": service.app_id, "x-lc-key": service.master_key + ",master"}

    def call(method, path, body=None):
        return json.loads(front.ask(method, path, body, headers)[2])

    with running(front, server):
        for path in ["/1.1/installations?limit=1", "/1.1/classes/_Installation?limit=1",
                     "/1.1/scan/classes/_Installation?limit=1", "/1.1/notifications?limit=1", "/1.1/scheduledPushMessages",
                     "/1.1/cloudQuery?cql=select%20*%20from%20_Installation%20limit%201"]:
            assert "results" in call("GET", path), path
        assert "iso" in call("GET", "/1.1/date")
        push = call("POST", "/1.1/push", {"channels": ["nobody"], "data": {"alert": "x"}})["objectId"]
        for change in ["pause", "resume", "cancel"]:
            assert call("POST", f"/1.1/pushes/{push}/{change}")["objectId"] == push
        assert "there is none" in call("GET", f"/1.1/explain?push=0&installation=0")["error"]
        assert call("POST", "/1.1/batch", {"requests": [{"method": "GET", "path": "/1.1/date"}]})[0].keys() == {"success"}
        for path in ["/1.1/classes/Post", "/1.1/files/1", "/1.1/users/1", "/", "/metrics", "/readyz", "/console",
                     "/1.1/cloudQuery?cql=select%20*%20from%20Post"]:
            assert call("GET", path) == {"elsewhere": path}
        asked = guide.block("move-from-leancloud.md", "move-front")
        for written, here in [(":443:203.0.113.7", f":{front.port}:127.0.0.1"), ("api.example.com/", f"api.example.com:{front.port}/")]:
            assert asked.count(written) == 1
            asked = asked.replace(written, here)
        result = subprocess.run(
            ["bash", "-c", asked], capture_output=True, text=True, timeout=60,
            env={**clean_environment(), "CURL_CA_BUNDLE": str(front.certificate)})
        assert (result.returncode, result.stderr) == (0, ""), result.stderr
        assert "iso" in json.loads(result.stdout)
    elsewhere.shutdown()


def replaced(text, pairs):
    """A configuration with this machine's places; each has to be in it."""
    for written, here in pairs:
        assert written in text, f"the configuration no longer has {written}"
        text = text.replace(written, here)
    return text


def test_nginx_sends_all_of_a_domain_here_and_keeps_what_is_the_operators(service, tmp_path):
    front = Front(tmp_path, *free_ports(1))
    front.make_certificate("api.example.com", "push.example.com")
    key = str(tmp_path / "key.pem")
    servers = replaced((ROOT / "packaging/nginx.conf").read_text(), [
        ("listen 443 ssl", f"listen 127.0.0.1:{front.port} ssl"),
        ("/etc/ssl/api.example.com.pem", str(front.certificate)), ("/etc/ssl/api.example.com.key", key),
        ("/etc/ssl/push.example.com.pem", str(front.certificate)), ("/etc/ssl/push.example.com.key", key),
        ("http://127.0.0.1:8080", service.url.replace("localhost", "127.0.0.1")),
    ])
    with running(front, servers):
        headers = {"x-lc-id": service.app_id, "x-lc-key": service.master_key + ",master"}
        for path in ["/1.1/date", "/1.1/installations?limit=1", "/healthz", "/openapi.json"]:
            assert front.ask("GET", path, headers=headers)[0] == 200, path
        for path in ["/metrics", "/readyz", "/console", "/console/sign-in"]:
            status, _, text = front.ask("GET", path, headers=headers)
            assert status == 404 and "nginx" in text, path
        people = "push.example.com"
        assert front.ask("GET", "/", host=people)[1]["location"].endswith("/console")
        status, fields, _ = front.ask("GET", "/console/sign-in", host=people)
        assert status == 200 and "; Secure" in fields["set-cookie"]
        for path in ["/metrics", "/readyz", "/1.1/date"]:
            status, _, text = front.ask("GET", path, host=people)
            assert status == 404 and "nginx" in text, path
    with running(front, servers.replace("allow 127.0.0.1;", "allow 127.0.0.2;")):
        assert front.ask("GET", "/console/sign-in", host=people)[0] == 403
