"""The expected figures of intervals, by SciPy and statsmodels, are those that are committed.

`Tests/Fixtures/intervals.tsv` is what IntervalTableTests.swift holds Shadowbox's intervals against.
`check_intervals.py --write` makes it again. A line is a kind, its arguments, and the figures.
"""

import math
import pathlib
import re

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.duration.survfunc import SurvfuncRight
from statsmodels.stats.rates import confint_poisson

import expected_table

TABLE = pathlib.Path(__file__).resolve().parent.parent / "Fixtures" / "intervals.tsv"


def proportions():
    for n in (1, 2, 3, 5, 10, 29, 100, 263, 1_000, 2_500, 10_000, 99_999, 1_000_000):
        hits = {0, 1, 2, n // 10, n // 3, n // 2, n * 8 // 10, n * 9 // 10 - 1, n - 2, n - 1, n}
        for k in sorted(k for k in hits if 0 <= k <= n):
            for kind, method in (("wilson", "wilson"), ("exact", "beta")):
                low, high = proportion_confint(k, n, alpha=0.05, method=method)
                # Rounding leaves some 1e-17 of what is 0 or 1.
                yield kind, k, n, 0.0 if k == 0 else low, 1.0 if k == n else high


def rates():
    counts = [0, 1, 2, 3, 5, 10, 19, 50, 100, 500, 1_000, 1_158, 1_159, 1_160, 1_500, 2_000, 5_000]
    counts += [12_345, 50_000, 100_000, 500_000, 999_999, 1_000_000]
    for count in counts:
        for hours in (0.25, 1.0, 24.0, 8_766.0):
            low, high = confint_poisson(count, hours, method="exact-c", alpha=0.05)
            yield "garwood", count, hours, 0.0 if count == 0 else low, high
    for hours in (1e-3, 0.25, 1.0, 24.0, 8_766.0, 1e6):
        yield "none", hours, stats.gamma.ppf(0.95, 1) / hours


def averaged(estimate, degrees, usual):
    """A variance; a small one is averaged with the usual one, which weighs three degrees of freedom."""
    return max(estimate, np.average([estimate, usual], weights=[degrees, 3]))


def means():
    """Means of signed errors, of sizes and of shares, and differences of means."""
    random = np.random.default_rng(13)
    samples = [
        [1.5, -0.5, 2, 0.25], [0, 1], [0.1, 0.1, 0.4], [1e6, 1e6 + 1, 1e6 - 2], [0.25] * 3, [1.0] * 5,
        [math.sqrt(i) for i in range(5)], [math.sqrt(i) for i in range(30)],
        [i % 7 - 3 for i in range(1_000)], *[random.beta(8, 2, n) for n in (3, 8, 20)],
        *[random.lognormal(0, 1, n) for n in (3, 5, 20)],
    ]

    def text(sample):
        return ",".join(repr(float(x)) for x in sample)

    def signed(sample, size):
        degrees = len(sample) - 1
        variance = averaged(np.var(sample, ddof=1), degrees, (1.5 * size) ** 2) * (1 + 1 / degrees)
        error = math.sqrt(variance / len(sample))
        return stats.t.interval(0.95, degrees + 3, loc=np.mean(sample), scale=error)

    for sample in samples:
        degrees, mean = len(sample) - 1, float(np.mean(sample))
        variance = np.var(sample, ddof=1)
        t = stats.t.ppf(0.975, degrees + 3)
        yield "mean-signed", text(sample), mean, *signed(sample, np.mean(np.abs(sample)))
        if min(sample) >= 0:
            # The gamma distribution with the mean of the sample and this variance of the mean.
            error = averaged(variance, degrees, (1.2 * mean) ** 2) * (1 + 1 / degrees) / len(sample)
            scale = error * (t / stats.norm.ppf(0.975)) ** 2 / mean
            yield ("mean-sizes", text(sample), mean, stats.gamma.ppf(0.025, mean / scale, scale=scale),
                   stats.gamma.ppf(0.975, mean / scale + 1, scale=scale))
        if min(sample) >= 0 and max(sample) <= 1:
            alone = mean * (1 - mean)
            number = len(sample) / averaged(variance / alone if alone else 0, degrees, 0.1)
            # The two solutions of Wilson's equation.
            ends = np.roots([1 + t * t / number, -2 * mean - t * t / number, mean * mean])
            yield "mean-shares", text(sample), mean, min(ends), 1.0 if mean == 1 else max(ends)
    for base, head in zip(samples[-6:], ([0.9] * 3, *[random.beta(9, 2, n) for n in (8, 20, 3, 5, 20)])):
        for factor in (1.0, 1.1):
            # The usual size is that of the people's changes.
            values, size = np.array(head) - factor * np.array(base), np.mean(np.abs(np.array(head) - base))
            yield "difference", text(base), text(head), factor, np.mean(values), *signed(values, size)


def ranks():
    """The ranks, from 1, by the interval of the ranks themselves."""
    for n in [*range(1, 41), 50, 99, 100, 101, 250, 1_000, 12_345]:
        for percent in (50, 90):
            sample = np.arange(1, n + 1)
            found = stats.quantile_test(sample, q=0, p=percent / 100).confidence_interval(0.95)
            yield "ranks", n, percent, found.low, found.high


def people():
    """Cases of people: counts and exposures, then what the intervals for new people rest on.

    The variance is that of the jackknife, done by leaving each one out, where the tool has the
    linearised ratio. The degrees of freedom are Kish's.
    """
    random = np.random.default_rng(7)
    for count in (3, 4, 5, 9, 20, 60):
        for spread in (0.0, 1.0, 2.0):
            hours = np.exp(random.normal(0, spread, count))
            trials = np.maximum(1, np.round(40 * hours)).astype(int)
            alarms = random.poisson(random.gamma(1 / (0.1 + spread), 5 * (0.1 + spread), count) * hours)
            hits = random.binomial(trials, random.beta(8, 2, count))
            yield alarms, hours, hits, trials
    yield np.array([0, 0, 0]), np.array([1.0, 2.0, 3.0]), np.array([5, 5, 5]), np.array([5, 5, 5])
    yield np.array([1, 1, 1]), np.ones(3), np.array([4, 8, 12]), np.array([5, 10, 15])


def jackknife(y, e):
    """The variance of sum(y) / sum(e), and the degrees of freedom."""
    count, ratio = len(y), y.sum() / e.sum()
    others = [np.delete(y, k).sum() / np.delete(e, k).sum() for k in range(count)]
    shares = e / e.sum()
    return (count - 1) / count * np.sum((others - ratio) ** 2), 1 / np.sum(shares**2) - 1


def dispersion(estimate, degrees, usual):
    """The variance over that of independent events; a small one is averaged with the usual one."""
    return max(1, averaged(estimate, degrees, usual))


def clusters():
    for alarms, hours, hits, trials in people():
        text = [",".join(map(repr, map(float, part))) for part in (alarms, hours, hits, trials)]
        variance, degrees = jackknife(alarms, hours)
        variance *= hours.sum() ** 2
        for level, kind in ((0.975, "clustered-rate"), (0.9, "clustered-bound")):
            # A budget has one side only, so its bound makes up for the skewness of rates.
            variation, skew = (1, 1) if level == 0.975 else (1.2, 1 + 1 / degrees)
            quantiles = stats.t.ppf(level, degrees + 3) / stats.norm.ppf(level)
            total = alarms.sum()
            usual = 1 + variation**2 * (total + 1) / (1 + degrees)
            factor = dispersion(variance / total if total else 1, degrees, usual)
            factor *= quantiles**2 * skew
            low = stats.gamma.ppf(1 - level, total / factor) if total else 0.0
            high = stats.gamma.ppf(level, total / factor + 1)
            yield kind, *text[:2], low * factor / hours.sum(), high * factor / hours.sum()
        variance, degrees = jackknife(hits, trials)
        recall, total = hits.sum() / trials.sum(), trials.sum()
        alone = recall * (1 - recall) / total
        usual = 1 + (np.sum(trials**2) / total - 1) * 0.1
        number = total / dispersion(variance / alone if variance > 1e-18 else 1, degrees, usual)
        t = stats.t.ppf(0.975, degrees + 3)
        center = (recall + t * t / (2 * number)) / (1 + t * t / number)
        half = t / (1 + t * t / number) * math.sqrt(
            recall * (1 - recall) / number + t * t / (4 * number**2))
        low, high = max(0.0, center - half), min(1.0, center + half)
        yield ("clustered-proportion", *text[2:], 0.0 if recall == 0 else low,
               1.0 if recall == 1 else high)
        number *= (stats.norm.ppf(0.975) / t) ** 2
        found, missed = recall * number, (1 - recall) * number
        yield ("clustered-exact", *text[2:],
               stats.beta.ppf(0.025, found, missed + 1) if found > 0.01 else 0.0,
               stats.beta.ppf(0.975, found + 1, missed) if missed > 0.01 else 1.0)


def delays():
    """Kaplan and Meier's curve with misses: the share that has come, Greenwood's error, quantiles."""
    random = np.random.default_rng(11)
    for count, ties in ((6, 1), (30, 1), (200, 10), (200, 1)):
        times = np.round(random.exponential(60, count) / ties) * ties - 5
        windows = np.round(random.uniform(20, 200, count) / ties) * ties
        reached = times <= windows
        seen = np.where(reached, times, windows)
        # The curve wants positive times.
        curve = SurvfuncRight(seen + 1000, reached.astype(int))
        text = [",".join(map(repr, map(float, part))) for part in (seen[reached], seen[~reached])]
        for share in (0.25, 0.5, 0.75, 0.9):
            # Where a share is reached exactly, statsmodels goes on to the next time.
            if np.any(np.abs(curve.surv_prob - (1 - share)) < 1e-9):
                continue
            found = curve.quantile(share)
            yield "delay-quantile", *text, share, math.nan if np.isnan(found) else found - 1000
        for place in range(0, len(curve.surv_times), max(1, len(curve.surv_times) // 7)):
            # Greenwood's error is undefined where all have come.
            if np.isnan(curve.surv_prob_se[place]):
                continue
            yield ("delay-curve", *text, curve.surv_times[place] - 1000,
                   1 - curve.surv_prob[place], curve.surv_prob_se[place])


def rows():
    for source in (proportions, rates, means, ranks, clusters, delays):
        for row in source():
            yield "\t".join(x if isinstance(x, str) else repr(float(x)) for x in row)


def differs(expected, found):
    """Whether two lines differ by more than rounding."""
    # Also within lists: the last digit of a simulated number depends on the processor.
    lines = [re.split("[\t,]", line) for line in (expected, found)]
    if len(lines[0]) != len(lines[1]):
        return True
    for left, right in zip(*lines):
        if left == right:
            continue
        try:
            if math.isclose(float(left), float(right), rel_tol=1e-11, abs_tol=1e-15):
                continue
        except ValueError:
            pass
        return True
    return False


expected_table.check(TABLE, rows(), differs)
