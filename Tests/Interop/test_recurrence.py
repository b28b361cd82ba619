"""Recurrence rules and reminders against dateutil and zoneinfo: thousands of them around changes of the clocks.

RECURRENCE_SEED and RECURRENCE_RULES choose other ones, and more of them.
"""

import collections
import json
import os
import random

import rule_oracle
from reminder_generator import ReminderGenerator
from rule_generator import ZONES, Generator

SEED = int(os.environ.get("RECURRENCE_SEED", "20270314"))
RULE_COUNT = int(os.environ.get("RECURRENCE_RULES", "4000"))
OPTIONS = ("zone", "start", "until", "from", "count", "gap", "fold", "month_end", "exdates")


def line(request):
    """A request as a line of `belfry preview --batch`."""
    options = {key: request[key] for key in OPTIONS if key in request}
    rule = request["rule"]
    if "rule_until" in request:
        rule += ";UNTIL=" + request["rule_until"]
    return json.dumps({**options, "rule": rule})


def answer(request):
    """The oracle's answer, in the form of `belfry preview`; and of each line whether it needs no note."""
    try:
        found = rule_oracle.expected(request)
    except ValueError as error:
        # dateutil refuses steps that never meet BYHOUR or BYMINUTE; for Belfry such a rule never fires.
        assert "generates an empty set" in str(error) or "Invalid combination" in str(error), error
        return [], []
    zone = rule_oracle.zoneinfo.ZoneInfo(request["zone"])
    lines = []
    for instant, wall, _ in found:
        seconds = rule_oracle.offset(zone, instant).total_seconds()
        sign = "-" if seconds < 0 else "+"
        minutes = int(abs(seconds)) // 60
        lines.append((instant.strftime("%Y-%m-%dT%H:%M:%SZ"), f"{wall.isoformat()}{sign}{minutes // 60:02}:{minutes % 60:02}"))
    return lines, [is_ordinary for _, _, is_ordinary in found]


def compare(belfry, requests):
    """What differs from the oracle; and per kind of zone how many occurrences there were, and how many of them special."""
    result = belfry("preview", "--batch", "-", text_input="\n".join(map(line, requests)) + "\n")
    answers = [json.loads(text) for text in result.stdout.splitlines()]
    assert len(answers) == len(requests), result.stderr
    wrong = []
    fired, unusual = collections.Counter(), collections.Counter()
    for index, (request, got) in enumerate(zip(requests, answers)):
        lines, ordinary = answer(request)
        found = [(each["instant"], each["local"]) for each in got.get("occurrences", [])]
        notes = [each["note"] is None for each in got.get("occurrences", [])]
        fired[request.get("kind")] += len(lines)
        unusual[request.get("kind")] += ordinary.count(False)
        if "error" in got or found != lines or notes != ordinary:
            wrong.append(f"rule {index} of seed {SEED}\n  {line(request)}\n  belfry {got}\n  oracle {lines} {ordinary}")
    print(f"seed {SEED}: {len(requests)} rules, occurrences {dict(fired)}, at a change of the clocks {dict(unusual)}")
    return wrong, fired, unusual


def test_rules_agree_with_dateutil_and_zoneinfo(belfry):
    generator = Generator(random.Random(SEED))
    wrong, fired, unusual = compare(belfry, [generator.request() for _ in range(RULE_COUNT)])
    assert not wrong, f"{len(wrong)} of {RULE_COUNT} rules differ\n" + "\n".join(wrong[:5])
    # The rules are worth something only if they meet what they are made to meet.
    assert fired.total() > 5 * RULE_COUNT and unusual.total() > RULE_COUNT / 6


def test_reminders_and_windows_agree_with_zoneinfo(belfry):
    generator = ReminderGenerator(random.Random(SEED))
    wrong, fired, unusual = compare(belfry, [generator.request() for _ in range(RULE_COUNT)])
    assert not wrong, f"{len(wrong)} of {RULE_COUNT} reminders differ\n" + "\n".join(wrong[:5])
    for kind in ("30 minutes", "2 hours", "midnight", "a day", "usual"):
        assert fired[kind] > RULE_COUNT / 2 and unusual[kind] > RULE_COUNT / 50, (kind, fired, unusual)


def test_every_zone_has_the_offsets_of_the_time_zone_database(belfry):
    """Six hours after six hours, for years, at each zone of the list."""
    requests = [
        {"rule": "FREQ=HOURLY;INTERVAL=6", "timezone": "UTC", "zone": "UTC", "start": "2005-01-01", "from": "2005-01-01T00:00:00Z"}
    ]
    for zone in ZONES:
        requests.append({**requests[0], "timezone": zone, "zone": zone, "count": 10000, "fold": "both"})
    text = "\n".join(map(json.dumps, requests[1:])) + "\n"
    answers = belfry("preview", "--batch", "-", text_input=text, check=0).stdout.splitlines()
    assert len(answers) == len(ZONES)
    for name, text in zip(ZONES, answers):
        zone = rule_oracle.zoneinfo.ZoneInfo(name)
        for each in json.loads(text)["occurrences"]:
            instant = rule_oracle.datetime.datetime.fromisoformat(each["instant"].replace("Z", "+00:00"))
            local = rule_oracle.datetime.datetime.fromisoformat(each["local"])
            assert local == instant, (name, each)
            assert local.replace(tzinfo=None) == rule_oracle.wall(zone, instant), (name, each)
