"""Writes the figures of results files of older versions, read by h5py: `<file>.txt` for each run.

    python3 Tests/Fixtures/results/expected.py

The programs of their time (1: commit faea8ce, 2: d1a3cf0, 3: ef76b68, 4: e1eecee) wrote the files:

    for s in 1 2 3; do shadowbox synth punches --seed $s --subject $s --duration 30s -o $s.h5; done
    shadowbox run suite.yml --deterministic -o run-N.h5
    shadowbox sweep 1.h5 2.h5 3.h5 --detector punch --gravity-filter lowpass -o sweep-N.h5
    shadowbox tune 1.h5 2.h5 3.h5 --detector punch --gravity-filter lowpass --resamples 100 \\
      --search refractory=0.3s..0.4s:2 --method grid --results tune-N.h5 -o p.json

with this suite:

    schema: shadowbox-suite/1
    traces: {all: [1.h5, 2.h5, 3.h5]}
    entries:
      - {detector: punch, traces: all, gravity_filter: lowpass}
"""

from pathlib import Path

import h5py

for path in sorted(Path(__file__).parent.glob("run-*.h5")):
    with h5py.File(path) as file:
        if "entry" in file["summary"]:
            # From version 3 on one dataset over entry, origin, activity and sometimes class.
            group = file["summary"]
            names = {d: [t.decode() for t in group[d][()]] for d in ("origin", "activity", "class")}
            place = (0, names["origin"].index("synthetic"), names["activity"].index("all"))
            cell = {name: group[name][place + (names["class"].index("all"),) * (group[name].ndim - 3)]
                    for name in group if group[name].ndim > 2 and group[name].dtype.kind == "f"}
            lines = [f"{name} {float(cell[name])!r}" for name in sorted(cell)
                     if not name.endswith(("_lo", "_hi")) and cell[name] == cell[name]]
            path.with_name(path.name + ".txt").write_text("\n".join(lines) + "\n")
            continue
        group = file["summary/punch%2Fdefault/synthetic"]
        lines = [f"{name} {float(group[name][()])!r}" for name in sorted(group)
                 if not name.endswith(("_lo", "_hi")) and group[name].shape == ()
                 and group[name].dtype.kind == "f" and group[name][()] == group[name][()]]
    path.with_name(path.name + ".txt").write_text("\n".join(lines) + "\n")
