#!/usr/bin/env python3
"""A swing: acceleration above a threshold, then a rest. traces/FORMAT.md defines the lines."""
import math
import sys

print("""shadowbox-detector/1
name swing
version 1
channel user_acceleration
task punch
parameter threshold 30 0 2000 m/s2 magnitude
parameter rest 0.4 0 60 s time without further detections
threshold threshold
ready""", flush=True)

for line in sys.stdin:
    word, *fields = line.split()
    if word == "start":
        parameters, quiet_until = {}, -math.inf
    elif word == "parameter":
        parameters[fields[0]] = float(fields[1])
    elif word == "sample":
        number, measured = fields[0], int(fields[1])
        x, y, z = map(float, fields[3:6])
        magnitude = math.sqrt(x * x + y * y + z * z)
        if magnitude > parameters["threshold"] and measured >= quiet_until:
            quiet_until = measured + round(parameters["rest"] * 1e9)
            print("detect", number, measured, f"value={magnitude}")
    elif word == "end":
        print("done", flush=True)
