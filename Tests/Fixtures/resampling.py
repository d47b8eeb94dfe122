"""Writes resampling.tsv, the figures of SciPy that ResamplingTests holds the step to.

python3 Tests/Fixtures/resampling.py > Tests/Fixtures/resampling.tsv      (SciPy 1.15 or later)
"""

import numpy as np
from scipy import interpolate, signal

# Readings at 100 Hz with uneven times: whole nanoseconds.
count = 160
index = np.arange(count)
times = index * 10_000_000 + (index * 7919 % 13 - 6) * 300_000
times[0] = 0
values = (index * 37 % 101) / 101 + np.sin(times / 1e9 * 9)
values = values.astype(np.float32).astype(np.float64)
seconds = times / 1e9

print("case\ttick_ns\tvalue")


def show(case, ticks, found):
    for tick, value in zip(ticks, found):
        print(f"{case}\t{tick}\t{value:.17g}")


for tick, value in zip(times, values):
    print(f"input\t{tick}\t{value:.17g}")
ticks = np.arange(0, times[-1] + 1, 4_000_000)  # 250 Hz: no low-pass
places = ticks / 1e9
show("linear", ticks, interpolate.interp1d(seconds, values)(places))
show("akima", ticks, interpolate.Akima1DInterpolator(seconds, values)(places))
show("cubic", ticks, interpolate.CubicSpline(seconds, values, bc_type="natural")(places))

# 25 Hz from even readings at 100 Hz: the low-pass, where its whole kernel lies within the readings.
half = 19 * 4
kernel = signal.firwin(2 * half + 1, 0.45 / 4 * 2, window=("kaiser", 5.65326), scale=True)
even = np.concatenate([values, values[::-1], values]).astype(np.float32).astype(np.float64)
filtered = np.convolve(even, kernel, mode="same")
for place, value in enumerate(even):
    print(f"even\t{place * 10_000_000}\t{value:.17g}")
chosen = np.arange(half, len(even) - half, 1)
chosen = chosen[chosen % 4 == 0]
show("lowpass", chosen * 10_000_000, filtered[chosen])

# Its response, in shares of the new rate.
for share in [0, 0.2, 0.4, 0.45, 0.5, 0.6, 1.2]:
    response = abs(signal.freqz(kernel, worN=[2 * np.pi * share / 4])[1][0])
    print(f"response\t{share:g}\t{response:.17g}")
