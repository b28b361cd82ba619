"""How long each page of the console takes with many installations, and whether 500 live streams hold:

    BELFRY=.build/release/belfry .venv/bin/python Tests/Interop/measure_console.py [INSTALLATIONS]
"""

import http.client
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time
import urllib.parse

import console
from gateway import Gateway
from service import Service

TOPIC = "com.example.App"
ROUNDS = 7
STREAMS = 500


def write_export(path, count):
    chance = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for index in range(count):
            zone, locale, _ = chance.choice(console.ZONES)
            file.write(json.dumps({
                "objectId": f"{0x60000000 + index:08x}{index:016x}", "deviceType": "ios",
                "deviceToken": f"{index + 1:064x}", "timeZone": zone, "localeIdentifier": locale,
                "channels": chance.sample(["news", "sports", "science"], chance.randint(0, 2)),
                "age": chance.randint(16, 70), "createdAt": "2026-11-01T00:00:00.000Z",
                "updatedAt": "2026-11-29T00:00:00.000Z",
            }) + "\n")


class Browser:
    def __init__(self, service):
        self.host = service.url.split("//")[1]
        self.cookies = {}
        form = self.get("/console/sign-in")[1]
        token = form.split('name="csrf" value="')[1].split('"')[0]
        status, _ = self.post("/console/sign-in", {"csrf": token, "name": console.OWNER, "password": console.PASSWORD})
        assert status == 303, status
        page = self.get("/console/apps/" + service.app_id + "/compose")[1]
        self.token = page.split('name="csrf" value="')[1].split('"')[0]

    def get(self, path):
        return self._ask("GET", path, None)

    def post(self, path, fields):
        return self._ask("POST", path, urllib.parse.urlencode(fields, doseq=True))

    def _ask(self, method, path, body):
        connection = http.client.HTTPConnection(self.host, timeout=120)
        connection.request(method, path, body, {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded", "Accept-Encoding": "gzip",
        })
        response = connection.getresponse()
        text = response.read()
        for field in response.headers.get_all("Set-Cookie") or []:
            name, value = field.split(";")[0].split("=", 1)
            self.cookies[name] = value
        connection.close()
        if response.headers.get("Content-Encoding") == "gzip":
            import gzip
            text = gzip.decompress(text)
        return response.status, text.decode(errors="replace")


def measure(name, ask, rounds=ROUNDS):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        status, _ = ask()
        times.append((time.perf_counter() - start) * 1000)
        assert status == 200, f"{name}: {status}"
    print(f"{name:28} first {times[0]:8.1f} ms   median {statistics.median(times):8.1f} ms   most {max(times):8.1f} ms")
    return times


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "gateway").mkdir()
        gateway = Gateway(folder / "gateway", "--open")
        service = Service(folder / "service", gateway, topic=TOPIC)
        console.add_users(service)
        write_export(folder / "export.jsonl", count)
        start = time.perf_counter()
        service.belfry("import", "--app", service.app_id, "--data", service.data, folder / "export.jsonl")
        print(f"imported {count} installations in {time.perf_counter() - start:.0f} s")
        service.start("--gateway-control", gateway.control)
        try:
            everybody = None
            for channels in [None, ["news"], ["sports"]]:
                body = {"data": {"alert": {"title": "News", "body": "Something happened"}}}
                if channels:
                    body["channels"] = channels
                push = service.master("POST", "/1.1/push", body)["objectId"]
                service.wait_until_done(push, 600)
                everybody = push if channels is None else everybody
            for _ in range(40):
                service.master("POST", "/1.1/push", {"data": {"alert": "small"}, "where": {"age": 16, "timeZone": "Asia/Tokyo"}})
            console.add_schedules(service)
            browser = Browser(service)
            app = "/console/apps/" + service.app_id
            some = f"{0x60000000 + 77:08x}{77:016x}"
            for name, path in {
                "apps": "/console/apps", "overview": app + "/overview", "compose": app + "/compose",
                "pushes": app + "/pushes", "push to all": f"{app}/pushes/{push}", "schedules": app + "/schedules",
                "installations": app + "/installations", "installation": f"{app}/installations/{some}",
                "search by id": f"{app}/installations?q={some}", "search by token": f"{app}/installations?q={78:064x}",
                "search page": f"{app}/installations?q=age+%3E+30", "events": app + "/events",
                "explain": f"{app}/explain?push={push}&installation={some}", "credentials": app + "/credentials",
                "users": "/console/users", "audit": "/console/audit", "gateway": "/console/gateway",
            }.items():
                measure(name, lambda path=path: browser.get(path))
            print("fetched by scripts:")
            form = {"csrf": browser.token, "audience": "everyone", "body": "x", "text-language": "", "title": "", "subtitle": ""}
            measure("devices on the overview", lambda: browser.get(app + "/overview/devices"), 2)
            measure("estimate of everyone", lambda: browser.post(app + "/compose/audience", form), 2)
            measure("count of everyone", lambda: browser.post(app + "/compose/audience?exact=1", form), 2)
            measure("everyone again", lambda: browser.post(app + "/compose/audience", form), 2)
            form.update({"audience": "channels", "channels": "news"})
            measure("estimate of a channel", lambda: browser.post(app + "/compose/audience", form), 2)
            measure("count of a channel", lambda: browser.post(app + "/compose/audience?exact=1", form), 2)
            form.update({"audience": "condition", "field": "age", "comparison": "greater", "value": "40"})
            measure("estimate of a condition", lambda: browser.post(app + "/compose/audience", form), 2)
            measure("count of a condition", lambda: browser.post(app + "/compose/audience?exact=1", form), 2)
            measure("outcomes by language", lambda: browser.get(f"{app}/pushes/{everybody}/outcomes"), 2)
            measure("checks of a message", lambda: browser.post(app + "/compose/check", form))
            measure("charts", lambda: browser.get(app + "/overview/series"))
            measure("results of a search", lambda: browser.get(app + "/installations/results?q=age+%3E+69"))
            measure("history of a device", lambda: browser.get(f"{app}/installations/{some}/history"))
            connections = streams(service, browser, f"{app}/pushes/{push}/stream")
            measure("push to all, watched", lambda: browser.get(f"{app}/pushes/{push}"))
            close(connections)
            watched_push(service, browser, app)
        finally:
            service.stop()
            gateway.stop()


def open_streams(browser, path):
    connections = []
    for _ in range(STREAMS):
        connection = http.client.HTTPConnection(browser.host, timeout=120)
        connection.request("GET", path, headers={
            "Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        })
        response = connection.getresponse()
        assert response.status == 200
        connections.append((connection, response))
    hear(connections)
    return connections


def hear(connections):
    """Waits until each has been told something."""
    for _, response in connections:
        while b"event: live" not in response.readline():
            pass


def processor_seconds(service):
    """What the service's process has used of the processor."""
    fields = pathlib.Path(f"/proc/{service.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watched_push(service, browser, app):
    """A push to everyone, once without anybody who looks and once with all streams open."""
    for watchers in [0, STREAMS]:
        push = service.master("POST", "/1.1/push", {"data": {"alert": "watched"}})["objectId"]
        used, start = processor_seconds(service), time.perf_counter()
        connections = open_streams(browser, f"{app}/pushes/{push}/stream") if watchers else []
        opened = time.perf_counter() - start
        service.wait_until_done(push, 600)
        seconds, used = time.perf_counter() - start, processor_seconds(service) - used
        print(f"push to all with {watchers} streams: {seconds:.1f} s, {used:.1f} s of processor time"
              + (f"; they were open after {opened:.1f} s" if watchers else ""))
        close(connections)


def close(connections):
    for connection, response in connections:
        response.close()
        connection.close()


def streams(service, browser, path):
    start = time.perf_counter()
    connections = open_streams(browser, path)
    print(f"{STREAMS} streams open and told in {time.perf_counter() - start:.1f} s")
    # An opening changes the push's page: every stream hears of it.
    service.call("POST", "/1.1/stats/open/collect", {"client": {"id": "somebody"}, "notificationId": path.split("/")[-2]})
    start = time.perf_counter()
    hear(connections)
    print(f"a change told to all of them in {time.perf_counter() - start:.1f} s")
    used, start = processor_seconds(service), time.perf_counter()
    time.sleep(10)
    share = (processor_seconds(service) - used) / (time.perf_counter() - start)
    print(f"held for 10 s with {share:.1%} of a processor")
    return connections


if __name__ == "__main__":
    main()
