"""Sets of recordings of real people, and how each becomes traces.

A folder of recordings has a folder for each set. The sets are not part of this project, for most have no
licence. Those that are there are used, and missing ones are reported:

  punch-phone50    phyphox folders, punches to a beat: references in beats.tsv, 400 ms either side
  punch-phone100   CSV with gravity, a label for each sample: intervals; resampled first, for rows are
                   missing where labels change
  punch-glove25    CSV with gravity of gloves, 25 Hz: the number of punches per file is known, their times
                   are not
  neg-watch50, neg-umafall, neg-waist200, neg-waist200-more   CSV with gravity, no punch: what is found is
                   a false alarm
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHADOWBOX = ROOT / ".build/release/shadowbox"
ACTIVITIES = {
    "D01": "walking slowly", "D02": "walking quickly", "D03": "jogging slowly",
    "D04": "jogging quickly", "D05": "stairs slowly", "D06": "stairs quickly",
    "D18": "stumbling", "D19": "jumping",
}  # fmt: skip
GRAVITY = ["--map", "time=t,x=ax[g],y=ay[g],z=az[g]", "--gravity", "included"]


def shadowbox(*arguments):
    done = subprocess.run(
        [SHADOWBOX, *map(str, arguments), "--quiet"], capture_output=True, text=True
    )
    # 5: converted, with losses that are listed; they are in the counts of the recordings.
    if done.returncode not in (0, 5):
        sys.exit(f"shadowbox {' '.join(map(str, arguments))}\n{done.stderr}")


def phone50(folder, out):
    for path in sorted(folder.glob("*_sub-*")):
        is_punch = "nopunch" not in path.name
        reference = (
            ["--reference", folder / "beats.tsv", "--tolerance", "400ms"]
            if is_punch
            else ["--without", "punch"]
        )
        activity = "punching" if is_punch else "no punches"
        yield ["convert", path, "--id", path.name, "--subject", "01", "--activity", activity,
               *reference, "-o", out / f"{path.name}.h5"]  # fmt: skip


def phone100(folder, out):
    for path in sorted(folder.glob("*.csv")):
        name = f"phone100-{path.stem}"
        raw = out / "raw" / f"{name}.h5"
        shadowbox(
            "convert", path, "--id", name, "--subject", "02", "--activity", "punching",
            "--map", "time=timestamp[ns],x=accX,y=accY,z=accZ", "--gravity", "included",
            "--reference-column", "label", "--no-event-label", "NoActivity", "-o", raw,
        )  # fmt: skip
        yield ["resample", raw, "--rate", "100Hz", "--method", "cubic", "-o", out / f"{name}.h5"]


def glove25(folder, out):
    for path in sorted(folder.glob("*.csv")):
        hand, count, person = path.stem.split("_")[:3]
        yield ["convert", path, "--map",
               "time=elapsed (s),x=X-Axis (g)[g],y=Y-Axis (g)[g],z=Z-Axis (g)[g]",
               "--gravity", "included", "--id", f"glove-{hand}-{count}-{person}",
               "--subject", f"glove-{person}", "--activity", "punching", "--count", int(count[1:]),
               "-o", out / f"glove-{hand}-{count}-{person}.h5"]  # fmt: skip


def watch(folder, out):
    yield ["convert", folder / "watch_shoulder_50hz.csv", *GRAVITY, "--id", "watch",
           "--split-by", "rec", "--columns", "subject=subject,activity=exercise",
           "--without", "punch", "-o", out / "watch"]  # fmt: skip


def umafall(folder, out):
    for path in sorted(folder.glob("*.csv")):
        activity, place, subject = path.stem.split("_")[:3]
        yield ["convert", path, *GRAVITY, "--id", path.stem, "--subject", f"umafall-{subject}",
               "--activity", f"{activity} ({place.lower()})", "--without", "punch",
               "-o", out / f"{path.stem}.h5"]  # fmt: skip


def waist(folder, out):
    for path in sorted(folder.glob("*.csv*")):
        name = path.name.split(".")[0]
        activity, subject = name.split("_")[:2]
        text = "staged fall" if activity.startswith("F") else ACTIVITIES.get(activity, activity)
        yield ["convert", path, *GRAVITY, "--id", name, "--subject", f"waist-{subject}",
               "--activity", text, "--without", "punch", "-o", out / f"{name}.h5"]  # fmt: skip


SETS = {
    "punch-phone50": phone50,
    "punch-phone100": phone100,
    "punch-glove25": glove25,
    "neg-watch50": watch,
    "neg-umafall": umafall,
    "neg-waist200": waist,
    "neg-waist200-more": waist,
}


def found_sets(folder, names):
    """The sets that are there; the missing ones are named on stderr."""
    missing = [name for name in names if not (folder / name).is_dir()]
    if missing:
        print(f"missing: {', '.join(missing)}", file=sys.stderr)
    return [name for name in names if name not in missing]


def convert(folder, name, out):
    """Converts one set. Returns its traces."""
    (out / "raw").mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda step: shadowbox(*step), SETS[name](folder / name, out)))
    return sorted(path for path in out.rglob("*.h5") if path.parent.name != "raw")


def put(page, path):
    """Writes a page; without a path, to stdout."""
    if path:
        path.write_text(page)
    else:
        print(page, end="")
