"""A service with a console, people who may use it, and content that looks like an app's, for browser tests."""

import datetime
import json
import random
import sqlite3
import subprocess

from gateway import BELFRY, clean_environment

PASSWORD = "correct horse battery"
OWNER, SENDER, VIEWER = "admin", "editor", "guest"

ZONES = [
    ("Asia/Shanghai", "zh_CN", 40), ("America/New_York", "en_US", 16), ("Europe/London", "en_GB", 10),
    ("Europe/Berlin", "de_DE", 8), ("Asia/Tokyo", "ja_JP", 10), ("America/Los_Angeles", "en_US", 9),
    ("Asia/Taipei", "zh_TW", 7),
]


def add_users(service):
    """One user for each role, all with one password."""
    for name, role in [(OWNER, "owner"), (SENDER, "sender"), (VIEWER, "viewer")]:
        result = subprocess.run(
            [BELFRY, "user", "add", name, "--role", role, "--data", str(service.data)],
            input=PASSWORD + "\n", capture_output=True, text=True, timeout=60, env=clean_environment(),
        )
        assert result.returncode == 0, result.stderr


def register(service, gateway, count, topic, seed=1):
    """Phones at the gateway, each with an installation of its own; gives the installations' ids."""
    chance = random.Random(seed)
    ids = []
    weights = [weight for _, _, weight in ZONES]
    for start in range(0, count, 100):
        size = min(100, count - start)
        devices = {}
        for environment, share in [("production", size - size // 10), ("sandbox", size // 10)]:
            if share:
                answer = gateway.call(
                    "POST", "/devices",
                    {"topic": topic, "environment": environment, "name": "reader", "count": share},
                )
                for device in answer.get("devices", [answer]):
                    devices[device["token"]] = environment
        requests = []
        for index, token in enumerate(devices):
            zone, locale, _ = chance.choices(ZONES, weights)[0]
            channels = [name for name, share in [("news", 0.7), ("sports", 0.3), ("science", 0.2)] if chance.random() < share]
            requests.append({
                "method": "POST", "path": "/1.1/installations", "body": {
                    "deviceType": "ios", "deviceToken": token, "timeZone": zone, "localeIdentifier": locale,
                    "channels": channels, "appVersion": chance.choice(["3.1.0", "3.2.0", "3.2.1"]),
                    "name": chance.choice(["Mei", "Alex", "Yuki", "Sam", "Lin", "Noor"]), "age": chance.randint(16, 70),
                    "test": start == 0 and index < 2, "environment": devices[token],
                },
            })
        for answer in service.master("POST", "/1.1/batch", {"requests": requests}):
            ids.append(answer["success"]["objectId"])
    return ids


def add_refused(service, count_by_reason):
    """Installations with the gateway's test tokens, which it refuses for ever for one reason each."""
    for prefix, count in count_by_reason.items():
        requests = [
            {
                "method": "POST", "path": "/1.1/installations", "body": {
                    "deviceType": "ios", "deviceToken": prefix + f"{index:0{64 - len(prefix)}x}",
                    "timeZone": "Asia/Shanghai", "localeIdentifier": "zh_CN", "channels": ["news"],
                },
            }
            for index in range(count)
        ]
        service.master("POST", "/1.1/batch", {"requests": requests})


def add_history(service, ids):
    """Pushes that were sent, openings, events and schedules."""
    chance = random.Random(2)
    pushes = []
    for title, body, channels in [
        ("Morning briefing", "Five stories to start your day: markets, weather and the long weekend ahead.", ["news"]),
        ("Full time", "Shanghai Port 3 – 1 Beijing Guoan. Tap for the goals.", ["sports"]),
        ("A new picture of a black hole", "Astronomers publish the sharpest image so far.", ["science"]),
        ("今日要闻", "早上好，这里有今天值得关注的五件事。", ["news"]),
        ("Storm warning", "Heavy rain is expected tonight. Stay inside if you can.", None),
    ]:
        push = {"data": {"alert": {"title": title, "body": body}, "sound": "default", "badge": "Increment",
                         "thread-id": "briefing"}}
        if channels:
            push["channels"] = channels
        pushes.append(service.master("POST", "/1.1/push", push)["objectId"])
    for push in pushes:
        service.wait_until_done(push)
    for push in pushes:
        for installation in chance.sample(ids, k=max(1, len(ids) // 5)):
            service.call("POST", "/1.1/stats/open/collect", {"client": {"id": installation}, "notificationId": push})
    topics = ["football", "markets", "space", "weather", "travel", "cooking"]
    for start in range(0, len(ids), 25):
        events = [
            {"installation": installation, "name": chance.choice(["read", "read", "share", "save"]),
             "tags": {chance.choice(topics): 1.0, chance.choice(topics): 0.5}}
            for installation in ids[start:start + 25]
        ]
        service.call("POST", "/1.1/events", {"events": events})
    return pushes


def spread_over_a_day(service):
    """Moves what was sent to earlier hours, in the database of a service that does not run."""
    chance = random.Random(3)
    with sqlite3.connect(service.data / "belfry.sqlite") as database:
        pushes = [row[0] for row in database.execute("SELECT number FROM pushes ORDER BY number")]
        for index, push in enumerate(pushes):
            back = (len(pushes) - index) * 3600_000 + chance.randint(0, 1_800_000)
            for table, columns in [
                ("pushes", ["created_at", "due_at", "ended_at", "began_at"]),
                ("batches", ["finished_at", "claimed_at", "first_claimed_at", "due_at", "not_before"]),
            ]:
                key = "number" if table == "pushes" else "push"
                for column in columns:
                    database.execute(f"UPDATE {table} SET {column} = {column} - ? WHERE {key} = ?", (back, push))
            database.execute(
                "UPDATE opens SET at = at - ? + abs(random() % 3000000) WHERE record = "
                "(SELECT record FROM pushes WHERE number = ?)", (back, push))


def add_schedules(service):
    tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    for body in [
        {"data": {"alert": {"title": "Good morning", "body": "Your briefing is ready."}, "sound": "default"},
         "schedule": {"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "device"}},
        {"data": {"alert": {"title": "Weekend reads", "body": "Ten long stories for a slow Saturday."}},
         "schedule": {"rrule": "FREQ=WEEKLY;BYDAY=SA;BYHOUR=10;BYMINUTE=30", "timezone": "Asia/Shanghai"}},
        {"data": {"alert": {"title": "Election night", "body": "Follow the results live."}}, "channels": ["news"],
         "push_time": tomorrow.strftime("%Y-%m-%dT20:00:00.000Z")},
    ]:
        service.master("POST", "/1.1/push", body)


def sign_in(page, url, name=OWNER, password=PASSWORD):
    page.goto(url + "/console/sign-in")
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", password)
    with page.expect_navigation(wait_until="load"):
        page.click("button[type=submit]")
