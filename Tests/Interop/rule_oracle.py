"""What dateutil and zoneinfo say about a rule: an oracle that shares no line with Belfry."""

import datetime
import itertools
import types
import zoneinfo

import dateutil.rrule

# The data of the package at its pinned version, not the machine's.
zoneinfo.reset_tzpath(to=[])

# dateutil looks for the next time of a silent rule until datetime.MAXYEAR; here until a year that times_of chooses.
calendar = types.SimpleNamespace(**vars(datetime))
dateutil.rrule.datetime = calendar

UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)
# Clocks were never moved further; a time that fires late or twice is within it.
REACH = 2 * DAY


def offset(zone, instant):
    return instant.astimezone(zone).utcoffset()


def wall(zone, instant):
    return instant.astimezone(zone).replace(tzinfo=None)


def instants(zone, naive, gap, fold):
    """The instants of a wall-clock time, each with whether it is an ordinary one."""
    first, second = (naive.replace(tzinfo=zone, fold=which).astimezone(UTC) for which in (0, 1))
    if wall(zone, first) != naive:  # PEP 495: in a gap fold=0 has the offset before it
        if gap == "skip":
            return []
        if gap == "end-of-gap":
            return [(end_of_gap(zone, first), False)]
        return [(first, False)]
    if first == second:
        return [(first, True)]
    return {"first": [(first, False)], "second": [(second, False)], "both": [(first, False), (second, False)]}[fold]


def end_of_gap(zone, shifted):
    """The instant at which the offset became the one that holds at a shifted time."""
    low, high = shifted - 26 * datetime.timedelta(hours=1), shifted
    after = offset(zone, shifted)
    assert offset(zone, low) != after
    while high - low > SECOND:
        middle = low + (high - low) // 2
        middle = middle.replace(microsecond=0)
        if offset(zone, middle) == after:
            high = middle
        else:
            low = middle
    return high


def transitions(zone, first_year, last_year):
    """Every change of a zone's offset, found by looking at each half day."""
    found = []
    instant = datetime.datetime(first_year, 1, 1, tzinfo=UTC)
    end = datetime.datetime(last_year + 1, 1, 1, tzinfo=UTC)
    while instant < end:
        following = instant + DAY / 2
        if offset(zone, instant) != offset(zone, following):
            low, high = instant, following
            while high - low > SECOND:
                middle = (low + (high - low) / 2).replace(microsecond=0)
                if offset(zone, middle) == offset(zone, low):
                    low = middle
                else:
                    high = middle
            found.append(high)
        instant = following
    return found


def times_of(request):
    """The wall-clock times of a request's rule, in order, by dateutil, or by counting where it has no word for them."""
    start = datetime.datetime.fromisoformat(request["start"])
    end = datetime.datetime.fromisoformat(request["until"])
    plan = request.get("plan")
    if plan is None:
        calendar.MAXYEAR = end.year
        rule = dateutil.rrule.rrulestr(request["rule"], dtstart=start)
        return itertools.takewhile(lambda time: time <= end, rule)
    return (time for time in plan.times(start, end) if start <= time <= end)


def expected(request):
    """The first `count` occurrences at or after `from`: (instant, wall clock, is ordinary)."""
    zone = zoneinfo.ZoneInfo(request["zone"])
    first = datetime.datetime.fromisoformat(request["from"].replace("Z", "+00:00"))
    last = request.get("last_instant")
    excluded = {datetime.datetime.fromisoformat(text) for text in request.get("exdates", [])}
    found = {}
    enough = None
    for naive in times_of(request):
        if enough is not None and naive > enough:
            break
        if naive in excluded:
            continue
        for instant, is_ordinary in instants(zone, naive, request["gap"], request["fold"]):
            if instant < first or (last is not None and instant > last):
                continue
            # A time that the clocks show wins over one that was moved onto its instant.
            found[instant] = found.get(instant, False) or is_ordinary
        if len(found) >= request["count"] and enough is None:
            enough = naive + REACH
        if len(found) > 20000:
            break
    return [
        (instant, wall(zone, instant), found[instant]) for instant in sorted(found)[: request["count"]]
    ]
