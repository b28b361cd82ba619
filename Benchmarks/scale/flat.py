"""Whether a measured quantity grows."""

import dataclasses
import math
import statistics

# Whatever is removed in rounds goes up and down with them: the fit is over means of whole rounds.
ROUND_SECONDS = 600


@dataclasses.dataclass(frozen=True)
class Bound:
    """How much a quantity may grow from the first to the last moment of the fit: a share of its mean or an amount."""

    share: float
    amount: float
    # Which part of the run it may take to settle; the fit is over the rest.
    settling: float = 1 / 3


@dataclasses.dataclass(frozen=True)
class Fit:
    mean: float
    growth: float
    allowed: float
    points: int

    @property
    def is_flat(self):
        return self.growth <= self.allowed


def slope(points):
    """The slope of the least squares line through (x, y)."""
    if len(points) < 2:
        return 0.0
    middle_x = statistics.fmean(x for x, _ in points)
    middle_y = statistics.fmean(y for _, y in points)
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0.0


def fit(samples, bound, duration):
    """Fits a line over the run from where the quantity has settled.

    samples: (seconds since the start, value). The growth is the line's rise over the time that was fitted.
    """
    start = duration * bound.settling
    late = [(at, value) for at, value in samples if at >= start]
    if duration - start >= 3 * ROUND_SECONDS:
        rounds = {}
        for at, value in late:
            # Counted from the end, so that each has its full time; the last sample may be late by a moment.
            index = max(0, int((duration - at) // ROUND_SECONDS))
            if duration - (index + 1) * ROUND_SECONDS >= start - 1:
                rounds.setdefault(index, []).append((at, value))
        late = [
            (statistics.fmean(at for at, _ in each), statistics.fmean(value for _, value in each))
            for each in rounds.values()
        ]
    mean = statistics.fmean(value for _, value in late) if late else 0.0
    growth = slope(late) * (duration - start)
    return Fit(mean, growth, max(bound.share * abs(mean), bound.amount), len(late))


def percentile(values, share):
    """The smallest value that at least this share of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * share) - 1)] if ordered else 0.0
