#!/usr/bin/env python3
"""Derives the coefficients of Sources/TraceModel/Mathematics, and the values that its tests expect.

  .venv/bin/python Tests/Python/mathematics.py coefficients   prints them as Swift
  .venv/bin/python Tests/Python/mathematics.py values         writes Tests/Fixtures/mathematics.csv

Both by mpmath with 60 digits. A polynomial interpolates at Chebyshev nodes, which is within a factor of
two of the best one there is; then its error is measured on 2,000 points, with the coefficients rounded.
"""

import random
import sys
from pathlib import Path

import mpmath as mp

ROOT = Path(__file__).resolve().parents[2]
mp.mp.dps = 60
HALF_LOG2 = mp.log(2) / 2
QUARTER_PI = mp.pi / 4


def interpolated(function, low, high, degree):
    """Monomial coefficients of the polynomial that meets the function at Chebyshev nodes."""
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count))
             for k in range(count)]  # fmt: skip
    matrix = mp.matrix(count, count)
    for row, node in enumerate(nodes):
        for column in range(count):
            matrix[row, column] = node**column
    return [float(c) for c in mp.lu_solve(matrix, mp.matrix([function(node) for node in nodes]))]


def near_zero(function, terms):
    """A function with a removable singularity at zero, by its Taylor series there."""
    return lambda x: function(x) if abs(x) > mp.mpf(10) ** -12 else mp.polyval(terms[::-1], x)


# Each: the polynomial that is stored, its range and degree, and from its value the whole function,
# by which the relative error is measured.
POLYNOMIALS = {
    # sin x = x + x z S(z), z = x²
    "sine": (
        near_zero(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, [-mp.mpf(1) / 6, mp.mpf(1) / 120]),
        0, QUARTER_PI**2, 6, lambda z: 1 + z * POLYNOMIALS["sine"][0](z),
        lambda z, p: 1 + z * p,
    ),
    # cos x = 1 - z/2 + z² C(z)
    "cosine": (
        near_zero(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, [mp.mpf(1) / 24, -mp.mpf(1) / 720]),
        0, QUARTER_PI**2, 5, lambda z: mp.cos(mp.sqrt(z)),
        lambda z, p: 1 - z / 2 + z * z * p,
    ),
    # exp x = 1 + x + x²/2 + x³ E(x)
    "exponential": (
        near_zero(lambda x: (mp.exp(x) - 1 - x - x * x / 2) / x**3, [mp.mpf(1) / 6, mp.mpf(1) / 24]),
        -HALF_LOG2 * 1.001, HALF_LOG2 * 1.001, 9, lambda x: mp.exp(x),
        lambda x, p: 1 + x + x * x / 2 + x**3 * p,
    ),
    # log((1 + s)/(1 - s)) = 2 s + s z L(z), z = s²
    "logarithm": (
        near_zero(lambda z: (mp.log((1 + mp.sqrt(z)) / (1 - mp.sqrt(z))) / mp.sqrt(z) - 2) / z,
                  [mp.mpf(2) / 3, mp.mpf(2) / 5]),
        0, (3 - 2 * mp.sqrt(2)) ** 2, 6, lambda z: 2 + z * POLYNOMIALS["logarithm"][0](z),
        lambda z, p: 2 + z * p,
    ),
    # atan x = x + x z A(z)
    "arctangent": (
        near_zero(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, [-mp.mpf(1) / 3, mp.mpf(1) / 5]),
        0, mp.mpf("0.4375") ** 2, 11, lambda z: 1 + z * POLYNOMIALS["arctangent"][0](z),
        lambda z, p: 1 + z * p,
    ),
    # erf x = x (1 + f + z G(z)), f = 2/√π - 1
    "error": (
        near_zero(lambda z: (mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 2 / mp.sqrt(mp.pi)) / z,
                  [-2 / mp.sqrt(mp.pi) / 3, 2 / mp.sqrt(mp.pi) / 10]),
        0, mp.mpf("0.75") ** 2, 10, lambda z: 2 / mp.sqrt(mp.pi) + z * POLYNOMIALS["error"][0](z),
        lambda z, p: 2 / mp.sqrt(mp.pi) + z * p,
    ),
}  # fmt: skip

# erfc x = exp(-x²) C(u) / (1 + 2x) for x of 0.75 and more, where t = (x - 3.75)/(x + 3.75) goes from
# TAIL to 1 and u, in proportion, from -1 to 1.
TAIL = (mp.mpf("0.75") - mp.mpf("3.75")) / mp.mpf("4.5")


def tail(u):
    t = TAIL + (u + 1) / 2 * (1 - TAIL)
    if 1 - t < mp.mpf(10) ** -8:
        return 2 / mp.sqrt(mp.pi)
    x = mp.mpf("3.75") * (1 + t) / (1 - t)
    if x > 200:  # exp(x²) erfc x by its asymptotic series
        z = 1 / (2 * x * x)
        series = 1 - z + 3 * z**2 - 15 * z**3 + 105 * z**4
        return (1 + 2 * x) * series / (x * mp.sqrt(mp.pi))
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


POLYNOMIALS["tail"] = (tail, -1, 1, 21, tail, lambda u, p: p)


def split(value, bits):
    """A number as a head of so many bits, which multiplies exactly, and the rest."""
    exponent = mp.floor(mp.log(abs(value), 2))
    unit = mp.mpf(2) ** (exponent - bits + 1)
    head = mp.nint(value / unit) * unit
    return float(head), value - head


def coefficients():
    for name, (function, low, high, degree, whole, build) in POLYNOMIALS.items():
        stored = interpolated(function, low, high, degree)
        worst = max(
            abs(build(x, mp.polyval([mp.mpf(c) for c in stored[::-1]], x)) / whole(x) - 1)
            for x in (low + (high - low) * mp.mpf(k) / 2000 for k in range(1, 2001)) if x != 0
        )  # fmt: skip
        print(f"{name}: relative error 2^{float(mp.log(worst, 2)):.1f}")
        print("".join(f"  {c!r},\n" for c in stored))
    for name, value, bits in [("π/2", mp.pi / 2, 33), ("log 2", mp.log(2), 42)]:
        parts, rest = [], value
        for _ in range(3):
            part, rest = split(rest, bits)
            parts.append(part)
        print(name, *parts, float(rest))
    for name, value in [("atan 0.5", mp.atan(0.5)), ("atan 1", mp.atan(1)), ("atan 1.5", mp.atan(1.5)),
                        ("π/2", mp.pi / 2), ("π", mp.pi), ("2/√π - 1", 2 / mp.sqrt(mp.pi) - 1)]:  # fmt: skip
        head = float(value)
        print(name, repr(head), repr(float(value - mp.mpf(head))))
    with mp.workdps(500):
        words = int(mp.floor(2 / mp.pi * mp.mpf(2) ** 1280))
    print("2/π", *[hex(words >> (1280 - 64 * (k + 1)) & (2**64 - 1)) for k in range(20)])


ARGUMENTS = {
    "sin": [(1e-9, 1.0), (1.0, 100.0), (100.0, 1e7), (1e7, 1e300)],
    "cos": [(1e-9, 1.0), (1.0, 100.0), (100.0, 1e7), (1e7, 1e300)],
    "tan": [(1e-9, 1.0), (1.0, 100.0), (100.0, 1e7)],
    "exp": [(1e-9, 1.0), (1.0, 100.0), (100.0, 700.0)],
    "expm1": [(1e-12, 1e-3), (1e-3, 1.0), (1.0, 700.0)],
    "log": [(1e-300, 0.5), (0.5, 2.0), (2.0, 1e300)],
    "log1p": [(1e-18, 1e-3), (1e-3, 1.0), (1.0, 1e18)],
    "erf": [(1e-9, 0.75), (0.75, 6.0)],
    "erfc": [(1e-9, 0.75), (0.75, 6.0), (6.0, 26.0)],
    "atan2": [(1e-9, 1.0), (1.0, 1e9)],
}
SIGNED = {"sin", "cos", "tan", "exp", "expm1", "erf", "erfc", "atan2"}
EXTRA = {
    # The nearest to a multiple of π/2 that a double comes (Kahan and others), and a few of their kind.
    "sin": [6381956970095103.0 * 2.0**797, 3.141592653589793, 1.5707963267948966, 710.0, 1647101.0],
    "cos": [6381956970095103.0 * 2.0**797, 3.141592653589793, 1.5707963267948966, 11.0, 1647100.5],
    "exp": [-745.13, -708.5, -740.0, 709.78, 0.34657359027997264, -0.34657359027997264],
    "log": [5e-324, 2.2250738585072014e-308, 0.7071067811865475, 1.4142135623730951, 1.0000000000000002],
    "log1p": [-0.5, -0.9, -0.999999999, -1e-10, -0.2928932188134524, 0.41421356237309503],
    "erfc": [-6.0, 26.5, 27.2, 0.75, 0.7499999999999999],
    "expm1": [-745.0, -40.0, 709.7, 0.34657359027997264, 1.0397207708399179, -1.0397207708399179],
}


def values():
    """Each line: function, argument (for atan2 two), value, and what rounding it cost, in units of the last place."""
    draw = random.Random(2026)
    lines = ["function,argument,second,value,rest"]
    for name, ranges in ARGUMENTS.items():
        arguments = list(EXTRA.get(name, []))
        for low, high in ranges:
            for _ in range(60):
                x = low * (high / low) ** draw.random()
                arguments.append(-x if name in SIGNED and draw.random() < 0.5 else x)
        for x in arguments:
            second = 0.0
            with mp.workdps(400):
                if name == "atan2":
                    second = draw.choice([-1, 1]) * 10 ** draw.uniform(-9, 9)
                    exact = mp.atan2(mp.mpf(x), mp.mpf(second))
                else:
                    exact = getattr(mp, name)(mp.mpf(x))
            rounded = float(exact)
            unit = 2.0 ** max(mp.floor(mp.log(abs(exact), 2)) - 52, -1074)
            rest = float((exact - mp.mpf(rounded)) / mp.mpf(unit))
            lines.append(f"{name},{x!r},{second!r},{rounded!r},{rest:.4f}")
    (ROOT / "Tests/Fixtures/mathematics.csv").write_text("\n".join(lines) + "\n")
    print(len(lines) - 1, "values")


if __name__ == "__main__":
    {"coefficients": coefficients, "values": values}[sys.argv[1]]()
