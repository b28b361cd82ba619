"""Makes up rules, with starts near the moments at which a zone's clocks change."""

import datetime

import zoneinfo

import rule_oracle

ZONES = """
    UTC America/New_York America/Los_Angeles America/Havana America/St_Johns America/Sao_Paulo America/Asuncion
    America/Santiago America/Caracas America/Nuuk America/Scoresbysund Europe/Berlin Europe/London Europe/Dublin
    Europe/Moscow Europe/Istanbul Africa/Casablanca Africa/Cairo Africa/Windhoek Asia/Beirut Asia/Gaza Asia/Amman
    Asia/Tehran Asia/Kolkata Asia/Kathmandu Asia/Tokyo Asia/Pyongyang Asia/Shanghai Australia/Adelaide
    Australia/Lord_Howe Antarctica/Troll Antarctica/Casey Pacific/Apia Pacific/Kwajalein Pacific/Chatham
    Pacific/Norfolk Pacific/Tongatapu Pacific/Auckland
""".split()
FIRST_YEAR, LAST_YEAR = 1990, 2023
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# How far dateutil has to walk: a few thousand times at most.
SPAN_DAYS = {"YEARLY": 9000, "MONTHLY": 2500, "WEEKLY": 900, "DAILY": 500, "HOURLY": 25, "MINUTELY": 4}


class Window:
    """Steps within a day that BYHOUR and BYMINUTE cannot say."""

    def __init__(self, random):
        self.first, self.last = random.randrange(1440), random.randrange(1440)
        self.step = random.choice([5, 17, 30, 60, 90, 120, 300, 1440])
        self.weekdays = sorted(random.sample(range(7), random.randint(1, 7)))

    def text(self):
        first, last = (f"{minute // 60:02}{minute % 60:02}" for minute in (self.first, self.last))
        days = ",".join(WEEKDAYS[day] for day in self.weekdays)
        return f"FREQ=DAILY;BYDAY={days};X-WINDOW={first}-{last}/{self.step}"

    def times(self, start, end):
        day = start.replace(hour=0, minute=0, second=0) - rule_oracle.DAY
        length = (self.last - self.first) % 1440
        while day <= end:
            if day.weekday() in self.weekdays:
                for minute in range(0, length + 1, self.step):
                    yield day + datetime.timedelta(minutes=self.first + minute)
            day += rule_oracle.DAY


class LastDays:
    """Days of the month, the last one where it is shorter."""

    def __init__(self, random):
        self.days = random.sample([28, 29, 30, 31], random.randint(1, 2))
        self.interval = random.choice([1, 1, 2, 3, 5])
        self.minute = random.randrange(1440)

    def text(self):
        days = ",".join(map(str, self.days))
        hour, minute = divmod(self.minute, 60)
        return f"FREQ=MONTHLY;INTERVAL={self.interval};BYMONTHDAY={days};BYHOUR={hour};BYMINUTE={minute};BYSECOND=0"

    def times(self, start, end):
        month = start.year * 12 + start.month - 1
        while month // 12 <= end.year:
            first = datetime.datetime(month // 12, month % 12 + 1, 1)
            following = datetime.datetime((month + 1) // 12, (month + 1) % 12 + 1, 1)
            length = (following - first).days
            for day in sorted({min(day, length) for day in self.days}):
                yield first + datetime.timedelta(days=day - 1, minutes=self.minute)
            month += self.interval


class Generator:
    def __init__(self, random):
        self.random = random
        self.changes = {}

    def changes_of(self, name):
        if name not in self.changes:
            zone = zoneinfo.ZoneInfo(name)
            self.changes[name] = rule_oracle.transitions(zone, FIRST_YEAR, LAST_YEAR)
        return self.changes[name]

    def some(self, values, most):
        return sorted(self.random.sample(list(values), self.random.randint(1, most)))

    def maybe(self, chance):
        return self.random.random() < chance

    def request(self):
        name = self.random.choice(ZONES)
        zone = zoneinfo.ZoneInfo(name)
        changes = self.changes_of(name)
        if changes and self.maybe(0.85):
            change = self.random.choice(changes)
        else:
            year = self.random.randint(FIRST_YEAR, LAST_YEAR)
            change = datetime.datetime(year, 1, 1, tzinfo=rule_oracle.UTC)
            change += datetime.timedelta(minutes=self.random.randrange(365 * 1440))
        frequency = self.random.choice(list(SPAN_DAYS))
        span = SPAN_DAYS[frequency]
        # The wall clock just before and after the change, as the old offset has it: also times in a gap.
        around = rule_oracle.wall(zone, change - rule_oracle.SECOND) + rule_oracle.SECOND
        around += datetime.timedelta(minutes=self.random.randint(-90, 90))
        before = self.random.random() ** 2 * span * 0.6
        start = (around - datetime.timedelta(days=before)).replace(
            hour=around.hour, minute=around.minute, second=self.random.choice([0, 0, 0, 30]))
        if frequency in ("HOURLY", "MINUTELY"):
            start = start.replace(hour=self.random.randrange(24))
        start_text = start.isoformat(timespec="seconds")
        request = {
            "zone": name,
            "start": start_text,
            "until": (start + datetime.timedelta(days=span)).isoformat(timespec="seconds"),
            "from": (change - datetime.timedelta(hours=self.random.choice([0, 1, 3, 30, 100]), minutes=self.random.choice([0, 0, 7])))
            .isoformat(timespec="seconds").replace("+00:00", "Z"),
            "count": self.random.choice([1, 5, 20, 40]),
            "gap": self.random.choice(["shift-forward", "shift-forward", "end-of-gap", "skip"]),
            "fold": self.random.choice(["first", "first", "second", "both"]),
        }
        kind = self.random.random()
        if kind < 0.1:
            request["plan"] = Window(self.random)
            request["until"] = (start + datetime.timedelta(days=min(span, 500))).isoformat(timespec="seconds")
        elif kind < 0.17:
            request["plan"] = LastDays(self.random)
            request["month_end"] = "last-day"
        if "plan" in request:
            request["rule"] = request["plan"].text()
            return request
        request["rule"] = self.rule(frequency, around, start, request)
        if self.maybe(0.15):
            request["exdates"] = [start_text, around.replace(second=start.second).isoformat(timespec="seconds")]
        return request

    def rule(self, frequency, around, start, request):
        random = self.random
        parts = [f"FREQ={frequency}"]
        if frequency != "YEARLY" and self.maybe(0.3):
            # Nothing but the time: sure to meet the change.
            if frequency == "WEEKLY":
                parts.append(f"BYDAY={WEEKDAYS[around.weekday()]}")
            if frequency == "MONTHLY":
                parts.append(f"BYMONTHDAY={around.day}")
            parts.append(f"BYHOUR={around.hour}")
            if self.maybe(0.5):
                parts.append(f"BYMINUTE={around.minute}")
            return ";".join(parts)
        if self.maybe(0.5):
            most = {"YEARLY": 4, "MONTHLY": 7, "WEEKLY": 5, "DAILY": 10, "HOURLY": 30, "MINUTELY": 200}[frequency]
            parts.append(f"INTERVAL={random.randint(1, most)}")
        self.days(frequency, around, parts)
        chance = 0.6 if frequency in ("HOURLY", "MINUTELY") else 0.5
        if self.maybe(chance):
            hours = {around.hour} if self.maybe(0.7) else set()
            hours |= set(self.some(range(24), 8 if frequency == "MINUTELY" else 4))
            parts.append("BYHOUR=" + ",".join(map(str, sorted(hours))))
        if frequency != "MINUTELY" and self.maybe(0.4) or frequency == "MINUTELY" and self.maybe(0.2):
            minutes = {around.minute} | set(self.some([0, 5, 15, 30, 45, 59], 3))
            parts.append("BYMINUTE=" + ",".join(map(str, sorted(minutes))))
        if self.maybe(0.1):
            parts.append("BYSECOND=" + ",".join(map(str, self.some([0, 1, 30, 59], 2))))
        week_start = "MO"
        if self.maybe(0.3):
            week_start = random.choice(WEEKDAYS)
            parts.append(f"WKST={week_start}")
        # dateutil counts positions of the first week from the start, Belfry from the week's first day.
        is_whole = frequency != "WEEKLY" or start.weekday() == WEEKDAYS.index(week_start)
        if self.maybe(0.2) and is_whole and any(part.startswith("BY") for part in parts):
            parts.append("BYSETPOS=" + ",".join(map(str, self.some([1, 2, 3, 5, -1, -2, -4], 2))))
        end = random.random()
        if end < 0.15:
            parts.append(f"COUNT={random.randint(1, 400)}")
        elif end < 0.25:
            parts.append("UNTIL=" + (around + datetime.timedelta(days=3)).strftime("%Y%m%dT%H%M%S"))
        elif end < 0.3:
            last = datetime.datetime.fromisoformat(request["from"].replace("Z", "+00:00")) + 2 * rule_oracle.DAY
            request["last_instant"] = last
            request["rule_until"] = last.strftime("%Y%m%dT%H%M%SZ")
        return ";".join(parts)

    def days(self, frequency, around, parts):
        random = self.random
        if self.maybe(0.25):
            months = {around.month} | set(self.some(range(1, 13), 5))
            parts.append("BYMONTH=" + ",".join(map(str, sorted(months))))
        has_month = parts[-1].startswith("BYMONTH=")
        if frequency != "WEEKLY" and self.maybe(0.3):
            days = {around.day} | set(self.some([1, 13, 15, 28, 29, 30, 31, -1, -2, -31], 3))
            parts.append("BYMONTHDAY=" + ",".join(map(str, sorted(days))))
        if not self.maybe(0.4):
            return
        # dateutil takes the intersection of BYDAY's plain and numbered days; RFC 5545 their union.
        if frequency in ("MONTHLY", "YEARLY") and self.maybe(0.6):
            most = 5 if frequency == "MONTHLY" or has_month else 53
            days = {f"{random.choice([1, -1]) * random.randint(1, most)}{day}" for day in random.sample(WEEKDAYS, 2)}
        else:
            days = set(random.sample(WEEKDAYS, random.randint(1, 5))) | {WEEKDAYS[around.weekday()]}
        parts.append("BYDAY=" + ",".join(sorted(days)))
