"""The judgement of `make soak`: what grows and what does not."""

import math
import random
import sys

import pytest

from gateway import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks"))

from scale.flat import Bound, fit, percentile, slope  # noqa: E402

HOUR = 3600


def samples(value):
    return [(at, value(at)) for at in range(15, HOUR + 1, 15)]


def test_a_slope_is_the_line_of_least_squares():
    assert slope([(0, 1), (1, 3), (2, 5)]) == pytest.approx(2)
    assert slope([(0, 0), (1, 3), (2, 0)]) == pytest.approx(0)
    assert slope([(5, 7)]) == 0
    assert slope([]) == 0


def test_steady_growth_is_seen_however_much_it_swings():
    chance = random.Random(1)
    leak = samples(lambda at: 50 + at * 0.005 + chance.uniform(-5, 5))
    found = fit(leak, Bound(0.05, 4), HOUR)
    assert not found.is_flat
    assert found.growth == pytest.approx(0.005 * HOUR * 2 / 3, rel=0.3)


def test_growth_that_ends_in_the_first_third_is_none():
    assert fit(samples(lambda at: 20 + 30 * (1 - math.exp(-at / 200))), Bound(0.05, 1), HOUR).is_flat


def test_what_settles_late_is_judged_from_then_on():
    late = samples(lambda at: 24 if at < 1700 else 29)
    assert not fit(late, Bound(0.05, 4), HOUR).is_flat
    assert fit(late, Bound(0.05, 4, settling=0.5), HOUR).is_flat
    assert not fit(samples(lambda at: 24 + at / 300), Bound(0.05, 4, settling=0.5), HOUR).is_flat


def test_what_is_cleaned_every_ten_minutes_is_flat_and_grows_when_too_little_is_cleaned():
    assert fit(samples(lambda at: 1000 + at % 600), Bound(0.10, 50), HOUR).is_flat
    assert not fit(samples(lambda at: 1000 + at % 600 + at // 600 * 150), Bound(0.10, 50), HOUR).is_flat


def test_a_last_sample_that_comes_late_is_no_round_of_its_own():
    late = [*samples(lambda at: 1000 + (at - 1) % 600)[:-1], (HOUR + 0.05, 1600)]
    found = fit(late, Bound(0.10, 50), HOUR)
    assert found.points == 4
    assert found.is_flat


def test_what_shrinks_is_flat():
    assert fit(samples(lambda at: 100 - at * 0.01), Bound(0, 0), HOUR).is_flat


def test_a_few_samples_of_a_short_run_are_fitted_as_they_are():
    found = fit([(15, 1.0), (30, 2.0), (45, 3.0), (60, 4.0)], Bound(0, 1), 60)
    assert not found.is_flat
    assert found.points == 3


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.99, 99), (1.0, 100), (0.001, 1)])
def test_a_percentile_is_the_smallest_value_that_the_share_does_not_exceed(share, expected):
    values = list(range(1, 101))
    random.Random(2).shuffle(values)
    assert percentile(values, share) == expected


def test_a_percentile_of_nothing_is_zero():
    assert percentile([], 0.99) == 0
