"""The commands of the guides under docs, run as a reader would type them."""

import datetime
import http.server
import json
import pathlib
import re
import shutil
import signal
import sqlite3
import ssl
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

import guide
from gateway import BELFRY, ROOT, START_SECONDS, STOP_SECONDS, clean_environment
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
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    times = {"createdAt": "2024-03-01T08:00:00.000Z", "updatedAt": now}
    rows = [
        {"objectId": "a" * 24, "deviceType": "ios", "deviceToken": device.token, "channels": ["news"], **times},
        {"objectId": "b" * 24, "deviceType": "android", "installationId": "c" * 32, **times},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return device


def test_the_move_from_leancloud_works_as_written(own_gateway, tmp_path):
    folder = tmp_path / "operator"
    folder.mkdir()
    device = export(own_gateway, folder / "_Installation.0.jsonl")
    (port,) = free_ports(1)
    environment = {
        **clean_environment(),
        "PATH": f"{BELFRY.parent}:{clean_environment()['PATH']}",
        "APP_ID": "UtOCzqb67d3sN12Kts4URwy8-gzGzoHsz",
        "APP_KEY": "an-app-key-from-leancloud",
        "MASTER_KEY": "a-master-key-from-leancloud",
        "P8_FILE": str(own_gateway.key),
        "KEY_ID": own_gateway.key_id,
        "TEAM_ID": own_gateway.team_id,
        "EXPORT": "_Installation.0.jsonl",
        "MY_PHONE": "a" * 24,
        # In place of Apple's servers, which the guide is about.
        "BELFRY_APNS": own_gateway.apns,
        "BELFRY_APNS_SANDBOX": own_gateway.sandbox,
        "BELFRY_APNS_CA": str(own_gateway.ca),
        "BELFRY_SERVE_PORT": str(port),
    }

    def bash(*scripts):
        script = "set -euo pipefail\n" + "\n".join(scripts).replace("localhost:8080", f"localhost:{port}")
        result = subprocess.run(
            ["bash", "-c", script], capture_output=True, text=True, timeout=120, cwd=folder, env=environment
        )
        assert result.returncode == 0, result.stderr + result.stdout
        return result.stdout

    create, take_over, count, dry_run, push, once_more = guide.blocks("move-from-leancloud.md", "move")
    assert "an-app-key-from-leancloud" in bash(create)
    assert "2" in bash(take_over)
    (serve,) = guide.blocks("move-from-leancloud.md", "move-serve")
    service = subprocess.Popen(
        ["bash", "-c", "exec " + serve], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder,
        env=environment, text=True,
    )
    # readline() has no time limit of its own.
    watchdog = threading.Timer(START_SECONDS, service.kill)
    watchdog.start()
    try:
        assert service.stdout.readline().startswith("ready ")
        watchdog.cancel()
        printed = bash(count, dry_run)
        assert '"count":1' in printed.replace(" ", ""), printed
        printed = bash(count, push)
        assert '"successes":1' in printed.replace(" ", ""), printed
        assert "accepted" in printed, printed
        assert len(own_gateway.notifications(device)) == 1
        bash(once_more)
        bash(*guide.blocks("run-it.md", "backup"))
        (copy,) = folder.glob("backup-*.sqlite")
        assert sqlite3.connect(copy).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        watchdog.cancel()
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=STOP_SECONDS)
        service.stdout.close()


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
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    assert pathlib.Path(nginx).exists(), "nginx is missing: make setup installs it"
    elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    (port,) = free_ports(1)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=api.example.com", "-keyout", tmp_path / "key.pem", "-out", tmp_path / "certificate.pem"],
        check=True, capture_output=True,
    )
    (server,) = guide.blocks("move-from-leancloud.md", "nginx", language="nginx")
    for written, here in [
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/api.example.com.pem", str(tmp_path / "certificate.pem")),
        ("/etc/ssl/api.example.com.key", str(tmp_path / "key.pem")),
        ("http://127.0.0.1:8080", service.url.replace("localhost", "127.0.0.1")),
        ("http://127.0.0.1:9000", f"http://127.0.0.1:{elsewhere.server_port}"),
    ]:
        assert written in server, f"the guide's configuration no longer has {written}"
        server = server.replace(written, here)
    places = "\n".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in
                       ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(
        f"daemon off; pid {tmp_path}/nginx.pid; error_log {tmp_path}/error.log;\nevents {{}}\n"
        f"http {{ access_log off;\n{places}\n{server}\n}}\n", encoding="utf-8",
    )
    subprocess.run([nginx, "-t", "-q", "-c", configuration, "-p", tmp_path], check=True)
    process = subprocess.Popen([nginx, "-c", configuration, "-p", tmp_path], stderr=subprocess.DEVNULL)
    context = ssl.create_default_context(cafile=tmp_path / "certificate.pem")
    context.check_hostname = False

    def call(method, path, body=None):
        request = urllib.request.Request(
            f"https://127.0.0.1:{port}{path}", method=method, data=json.dumps(body).encode() if body else None,
            headers={"x-lc-id": service.app_id, "x-lc-key": service.master_key + ",master",
                     "content-type": "application/json", "host": "api.example.com"},
        )
        for attempt in range(50):
            try:
                with urllib.request.urlopen(request, context=context, timeout=30) as response:
                    return json.loads(response.read())
            except urllib.error.HTTPError as error:
                return json.loads(error.read())
            except urllib.error.URLError:
                # nginx has not yet taken the port; it says nothing when it has.
                assert process.poll() is None, (tmp_path / "error.log").read_text()
                threading.Event().wait(0.1)
        raise AssertionError("nginx does not answer")

    try:
        for path in ["/1.1/installations?limit=1", "/1.1/classes/_Installation?limit=1",
                     "/1.1/scan/classes/_Installation?limit=1", "/1.1/notifications?limit=1", "/1.1/scheduledPushMessages"]:
            assert "results" in call("GET", path), path
        assert "iso" in call("GET", "/1.1/date")
        assert "objectId" in call("POST", "/1.1/push", {"channels": ["nobody"], "data": {"alert": "x"}})
        assert call("POST", "/1.1/batch", {"requests": [{"method": "GET", "path": "/1.1/date"}]})[0].keys() == {"success"}
        for path in ["/1.1/classes/Post", "/1.1/files/1", "/1.1/users/1", "/1.1/pushes", "/"]:
            assert call("GET", path) == {"elsewhere": path}
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait(timeout=STOP_SECONDS)
        elsewhere.shutdown()
