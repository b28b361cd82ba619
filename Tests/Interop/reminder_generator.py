"""Makes up reminders in plain words and windows, and counts their times with nothing but datetime.

Zones are those whose clocks are moved by half an hour or two hours, at midnight, or by a political decision at an odd
time; most starts are just before such a moment.
"""

import datetime
import zoneinfo

import rule_oracle
from rule_generator import FIRST_YEAR, LAST_YEAR, Window

DAY = rule_oracle.DAY
ZONES = {
    "30 minutes": "Australia/Lord_Howe Asia/Pyongyang America/Caracas America/St_Johns Pacific/Norfolk",
    "2 hours": "Antarctica/Troll Antarctica/Casey",
    "midnight": """Africa/Cairo America/Havana Asia/Beirut America/Asuncion America/Santiago America/Sao_Paulo Asia/Amman
        Asia/Gaza Asia/Tehran America/Scoresbysund Atlantic/Azores America/Nuuk""",
    "a day": "Pacific/Apia Pacific/Kwajalein",
    "usual": "America/New_York Europe/Berlin Pacific/Chatham Africa/Casablanca",
}
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", -1: "last"}
NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def clock(minute):
    return f"{minute // 60:02}:{minute % 60:02}"


def month_length(year, month):
    following = datetime.datetime(year + month // 12, month % 12 + 1, 1)
    return (following - DAY).day


class Reminder:
    """A line of words, and the times that it means."""

    def __init__(self, random, around):
        self.random = random
        self.around = around
        kinds = [self.daily, self.weekly, self.monthly, self.yearly, self.days, self.weeks, self.months, self.steps, self.window]
        self.words, self.count = random.choice(kinds)()

    def text(self):
        words = self.words
        if self.random.random() < 0.2:
            words = words.upper().replace(",", ", ")
        return words

    def times(self, start, end):
        return self.count(start, end)

    # Parts

    def minutes(self, most=1):
        """Times of day, mostly at the hour of the change."""
        around = self.around.hour * 60 + self.around.minute
        found = {around if self.random.random() < 0.7 else self.random.randrange(1440)}
        while len(found) < self.random.randint(1, most):
            found.add((around + self.random.choice([-90, -60, -30, 15, 30, 60, 120, 615])) % 1440)
        return sorted(found)

    def at(self, minutes):
        shuffled = self.random.sample(minutes, len(minutes))
        return "at " + ",".join(clock(minute) for minute in shuffled)

    def weekdays(self):
        """Some weekdays and their words: a range or a list."""
        if self.random.random() < 0.4:
            first, last = self.random.randrange(7), self.random.randrange(7)
            days = {(first + step) % 7 for step in range((last - first) % 7 + 1)}
            return days, f"{NAMES[first]}-{NAMES[last]}"
        days = set(self.random.sample(range(7), self.random.randint(1, 5))) | {self.around.weekday()}
        return days, ",".join(NAMES[day] for day in sorted(days))

    @staticmethod
    def walk(start, end, minutes, fits):
        day = start.replace(hour=0, minute=0, second=0)
        while day <= end:
            if fits(day):
                for minute in minutes:
                    yield day + datetime.timedelta(minutes=minute)
            day += DAY

    # Kinds

    def daily(self):
        minutes = self.minutes(3)
        if self.random.random() < 0.5:
            return f"daily {self.at(minutes)}", lambda start, end: self.walk(start, end, minutes, lambda day: True)
        days, words = self.weekdays()
        return (
            f"daily {self.at(minutes)} on {words}",
            lambda start, end: self.walk(start, end, minutes, lambda day: day.weekday() in days),
        )

    def weekly(self):
        minutes = self.minutes(3)
        days, words = self.weekdays()
        return (
            f"weekly on {words} {self.at(minutes)}",
            lambda start, end: self.walk(start, end, minutes, lambda day: day.weekday() in days),
        )

    def day_of_month(self):
        """A day of the month: its words, and whether a day is it."""
        kind = self.random.random()
        if kind < 0.3:
            return "last", lambda day: day.day == month_length(day.year, day.month)
        if kind < 0.6:
            ordinal, weekday = self.random.choice(list(ORDINALS)), self.around.weekday()

            def is_nth(day):
                if day.weekday() != weekday:
                    return False
                if ordinal > 0:
                    return (day.day - 1) // 7 + 1 == ordinal
                return day.day + 7 > month_length(day.year, day.month)

            return f"{ORDINALS[ordinal]} {NAMES[weekday]}", is_nth
        number = self.random.choice([self.around.day, 1, 28, 29, 30, 31])
        # The last day takes the place of one that the month lacks.
        return str(number), lambda day: day.day == min(number, month_length(day.year, day.month))

    def monthly(self):
        words, fits = self.day_of_month()
        minutes = self.minutes()
        return f"monthly on {words} {self.at(minutes)}", lambda start, end: self.walk(start, end, minutes, fits)

    def yearly(self):
        month, number = self.around.month, self.around.day
        if self.random.random() < 0.3:
            month, number = 2, 29
        minutes = self.minutes()

        def fits(day):
            return day.month == month and day.day == min(number, month_length(day.year, month))

        return f"yearly on {month:02}-{number:02} {self.at(minutes)}", lambda start, end: self.walk(start, end, minutes, fits)

    def days(self):
        step, minutes = self.random.randint(1, 9), self.minutes(2)

        def count(start, end):
            first = start.date()
            return self.walk(start, end, minutes, lambda day: (day.date() - first).days % step == 0)

        return f"every {step} days {self.at(minutes)}", count

    def weeks(self):
        step, minutes = self.random.randint(2, 4), self.minutes()
        days, words = self.weekdays()

        def count(start, end):
            monday = start.date() - datetime.timedelta(days=start.weekday())
            return self.walk(
                start, end, minutes,
                lambda day: day.weekday() in days and (day.date() - monday).days // 7 % step == 0)

        return f"every {step} weeks on {words} {self.at(minutes)}", count

    def months(self):
        step, minutes = self.random.randint(2, 7), self.minutes()
        words, fits = self.day_of_month()

        def count(start, end):
            def is_month(day):
                return (day.year * 12 + day.month - start.year * 12 - start.month) % step == 0

            return self.walk(start, end, minutes, lambda day: is_month(day) and fits(day))

        return f"every {step} months on {words} {self.at(minutes)}", count

    def steps(self):
        unit = self.random.choice(["minute", "hour"])
        step = self.random.choice([1, 2, 3, 5, 7, 20, 45, 90] if unit == "minute" else [1, 2, 3, 4, 5, 6, 7, 12, 24, 36])
        size = datetime.timedelta(minutes=step) if unit == "minute" else datetime.timedelta(hours=step)
        days, words = set(range(7)), ""
        if self.random.random() < 0.3:
            days, words = self.weekdays()
            words = " on " + words

        def count(start, end):
            time = start.replace(second=0) if unit == "minute" else start.replace(minute=0, second=0)
            # Far from the change nothing is asked for.
            while time <= end:
                if time.weekday() in days:
                    yield time
                time += size

        number = "" if step == 1 and self.random.random() < 0.5 else f"{step} "
        return f"every {number}{unit}{'' if number == '' else 's'}{words}", count

    def window(self):
        around = self.around.hour * 60 + self.around.minute
        first = (around - self.random.choice([0, 15, 60, 120, 180, 300])) % 1440
        last = (first + self.random.choice([0, 10, 60, 120, 360, 480, 720, 1439])) % 1440
        step = self.random.choice([10, 15, 30, 45, 60, 90, 120, 180, 360])
        days, words = self.weekdays()
        if self.random.random() < 0.4:
            days, words = set(range(7)), None
        unit = f"{step // 60} hours" if step % 60 == 0 else f"{step} minutes"
        suffix = f" on {words}" if words else ""

        def count(start, end):
            # A window that crosses midnight begins on the day before.
            length = (last - first) % 1440
            day = start.replace(hour=0, minute=0, second=0) - DAY
            while day <= end:
                if day.weekday() in days:
                    for minute in range(0, length + 1, step):
                        yield day + datetime.timedelta(minutes=first + minute)
                day += DAY

        return f"every {unit} from {clock(first)} to {clock(last)}{suffix}", count


class NearWindow(Window):
    """A window of X-WINDOW around the hour of the change."""

    def __init__(self, random, around):
        super().__init__(random)
        self.first = (around.hour * 60 + around.minute - random.choice([0, 30, 60, 150])) % 1440
        self.last = (self.first + random.choice([0, 60, 240, 1000, 1439])) % 1440
        self.weekdays = sorted(set(self.weekdays) | {around.weekday(), (around.weekday() - 1) % 7})


class ReminderGenerator:
    def __init__(self, random):
        self.random = random
        self.changes = {}

    def request(self):
        random = self.random
        kind = random.choice(list(ZONES))
        name = random.choice(ZONES[kind].split())
        zone = zoneinfo.ZoneInfo(name)
        if name not in self.changes:
            self.changes[name] = rule_oracle.transitions(zone, FIRST_YEAR, LAST_YEAR)
        change = random.choice(self.changes[name])
        around = rule_oracle.wall(zone, change - rule_oracle.SECOND) + rule_oracle.SECOND
        around += datetime.timedelta(minutes=random.choice([0, 0, 15, 30, 45, 60, 90, -15, -30, -60]))
        plan = NearWindow(random, around) if random.random() < 0.25 else Reminder(random, around)
        back = random.choice([0, 1, 2, 3, 10])
        start = (around - datetime.timedelta(days=back)).replace(
            hour=random.randrange(24), minute=random.choice([0, 0, random.randrange(60)]), second=0)
        return {
            "kind": kind,
            "zone": name,
            "start": start.isoformat(timespec="seconds"),
            "until": (start + datetime.timedelta(days=random.choice([20, 40, 800]))).isoformat(timespec="seconds"),
            "from": (change - datetime.timedelta(hours=random.choice([0, 1, 2, 25, 60]))).isoformat(timespec="seconds")
            .replace("+00:00", "Z"),
            "count": random.choice([3, 10, 30]),
            "gap": random.choice(["shift-forward", "shift-forward", "end-of-gap", "skip"]),
            "fold": random.choice(["first", "first", "second", "both"]),
            "plan": plan,
            "rule": plan.text(),
        }
