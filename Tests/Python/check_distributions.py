"""The expected figures of distributions, by SciPy, are those that are committed.

`Tests/Fixtures/distributions.tsv` is what DistributionTableTests.swift holds Shadowbox's
probabilities and quantiles against. `check_distributions.py --write` makes it again. A line is a
kind, its arguments, and the figure.
"""

import math
import pathlib

from scipy import special, stats

import expected_table

TABLE = pathlib.Path(__file__).resolve().parent.parent / "Fixtures" / "distributions.tsv"
PROBABILITIES = [1e-12, 1e-6, 0.001, 0.025, 0.1, 0.3, 0.4999, 0.5, 0.500001, 0.6, 0.7499, 0.7501,
                 0.9, 0.975, 0.9999, 1 - 1e-9]
SHAPES = [0.01, 0.1, 0.5, 1, 2.5, 9.99, 10, 33, 100, 1234.5, 1e4, 1e6]


def normal():
    for p in PROBABILITIES:
        yield "normal quantile", p, special.ndtri(p)
    for z in (-9, -1.5, -1e-9, 0, 1e-5, 0.3, 1, 2.5, 6, 20, 37):
        yield "normal tail", z, stats.norm.sf(z)


def student():
    for degrees in [0.3, 0.5, 1, 2, 3.7, 10, 29, 100, 1e4, 1e6]:
        for p in PROBABILITIES:
            # SciPy's median is 1e-17 instead of 0.
            if p == 0.5:
                continue
            yield "student quantile", p, degrees, stats.t.ppf(p, degrees)
        for t in (-3, -1e-6, 0, 1e-9, 0.1, 1, 2.5, 7, 1e3):
            # The tail of the square's beta distribution keeps more digits than t.sf.
            half = stats.beta.sf(t * t / (degrees + t * t), 0.5, degrees / 2) / 2
            yield "student tail", t, degrees, half if t >= 0 else 1 - half


def gamma():
    for shape in SHAPES:
        for p in PROBABILITIES:
            x = stats.gamma.ppf(p, shape)
            # SciPy's error is 1.4e-9 in one place, and 2.1e-10 below: mpmath has 40 digits of them.
            if x > 1e-290 and (p, shape) != (1e-6, 1e6):
                yield "gamma quantile", p, shape, x
        for factor in (0.01, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 2, 10):
            x = shape * factor
            below, above = special.gammainc(shape, x), special.gammaincc(shape, x)
            if below > 1e-250 and above > 1e-250 and (factor, shape) != (0.99, 1e6):
                yield "gamma below", x, shape, below
                yield "gamma above", x, shape, above


def beta():
    for a in SHAPES:
        for b in SHAPES:
            for p in (1e-6, 0.025, 0.5, 0.975, 0.9999):
                x = stats.beta.ppf(p, a, b)
                if 1e-290 < x < 0.999:
                    yield "beta quantile", p, a, b, x
            middle = a / (a + b)
            for factor in (0.5, 0.99, 1, 1.01):
                x = middle * factor
                if 0 < x < 1 and stats.beta.cdf(x, a, b) > 1e-250:
                    yield "beta below", x, a, b, stats.beta.cdf(x, a, b)


def binomial():
    for trials, probability in ((1, 0.5), (10, 0.3), (1_000, 0.05), (100_000, 0.5)):
        for share in (0, 0.01, 0.3, 0.5, 0.51, 1):
            k = round(trials * share)
            tail = stats.binom.sf(k - 1, trials, probability)
            if tail > 1e-250:
                yield "binomial tail", k, trials, probability, tail


def rows():
    for source in (normal, student, gamma, beta, binomial):
        for kind, *numbers in source():
            yield "\t".join([kind, *(repr(float(x)) for x in numbers)])


def differs(expected, found):
    """Whether two lines differ by more than rounding."""
    *arguments, left = expected.split("\t")
    *others, right = found.split("\t")
    return arguments != others or not math.isclose(float(left), float(right), rel_tol=1e-11)


expected_table.check(TABLE, rows(), differs)
