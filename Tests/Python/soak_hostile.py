"""What check_soak_commands.py does with files and clients that mean harm.

hostile  a random command in the folder of hostile_folder.py, with results, histories and parameters in which
         random texts name programs, files and addresses, and counts and groups are wrong: nothing of it starts,
         and nothing but the output is written (by strace).
bombs    recordings of few bytes that unpack to many: a command takes less than 300 MB, or refuses them.
serve    slow, idle and lying clients of `report --serve`: its owner gets the page all the same.
"""

import functools
import gzip
import operator
import os
import random
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import h5py
import numpy as np

os.environ.setdefault("SHADOWBOX_EXECUTABLE", str(Path(__file__).resolve().parents[2] / ".build/release/shadowbox"))

import check_hostile_folder  # noqa: E402 (the variable comes first)
import hostile_folder  # noqa: E402
from hostile_folder import MAP  # noqa: E402

PROGRAM = os.environ["SHADOWBOX_EXECUTABLE"]
MOST_MEMORY = 300 << 20
TEXTS = ["exec:./own.sh", "exec:sh ./own.sh", "exec:/bin/sh own.sh", "./own.sh", "|./own.sh", "$(./own.sh)",
         "ext::./touch-trap", "/etc/passwd", "../victim", "outside", "root/etc/passwd", "x/x/x/p1.h5", "gone",
         "http://127.0.0.1:9/", "\x1b]0;x\x07", "::error::x", "a\nb", "=cmd()", "a" * 70_000, "", "-o", "--force",
         "{}", "[]", "null", "schema: shadowbox-suite/1", "\x7f", "\x85", "/dev/zero", "/proc/self/environ"]


def damage_hdf5(path, draw):
    """Other texts, other numbers, a group less."""
    with h5py.File(path, "r+") as file:
        places = [file]
        file.visititems(lambda _, item: places.append(item))
        for _ in range(draw.choice([1, 1, 2, 5, 40])):
            item = draw.choice(places)
            if not item or not item.name:
                continue
            if item.attrs and draw.random() < 0.5:
                key = draw.choice(list(item.attrs))
                if isinstance(item.attrs[key], (bytes, str)):
                    item.attrs[key] = np.bytes_(draw.choice(TEXTS).encode() or b" ")
                elif np.isscalar(item.attrs[key]):
                    item.attrs[key] = draw.choice([-1, 0, 2**62, 1e300, float("nan")])
            elif isinstance(item, h5py.Dataset) and item.size:
                if h5py.check_string_dtype(item.dtype) or item.dtype.kind == "S":
                    text = draw.choice(TEXTS).encode()
                    item[...] = np.full(item.shape, text, item.dtype if item.dtype.kind == "S" else object)
                elif item.dtype.kind in "iuf" and draw.random() < 0.5:
                    item[...] = np.full(item.shape, draw.choice([0, 1, np.iinfo("i1").max]), item.dtype)
            elif item.name != "/" and draw.random() < 0.3:
                del file[item.name]
                return


def damage_text(path, draw):
    """Some texts between quotes are others."""
    text = path.read_text(errors="replace")
    quoted = list(re.finditer(r'"[^"\\\n]{0,200}"', text))
    for match in sorted(draw.sample(quoted, min(len(quoted), draw.choice([1, 2, 10]))), key=lambda m: -m.start()):
        other = draw.choice(TEXTS).replace("\\", "\\\\").replace('"', '\\"')
        other = re.sub(r"[\x00-\x1f]", lambda c: f"\\u{ord(c.group()):04x}", other)
        text = f'{text[:match.start()]}"{other}"{text[match.end():]}'
    path.write_text(text)


def damage_sqlite(path, draw):
    """A column of a table of the history says the same everywhere."""
    with sqlite3.connect(path) as base:
        tables = [name for name, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = [(t, row[1]) for t in tables for row in base.execute(f'PRAGMA table_info("{t}")')]
        table, column = draw.choice(columns)
        try:
            base.execute(f'UPDATE "{table}" SET "{column}" = ?', [draw.choice(TEXTS)])
        except sqlite3.IntegrityError:
            pass
    base.close()


class HostileCases:
    """One folder for all cases; each works on a copy."""

    done = "held"

    def __init__(self):
        self.base = tempfile.TemporaryDirectory(prefix="soak-hostile-", ignore_cleanup_errors=True)
        self.made = Path(os.path.realpath(self.base.name), "made")
        (self.made / "folder").mkdir(parents=True)
        hostile_folder.make(self.made / "folder", PROGRAM)
        self.rows = list(check_hostile_folder.rows())

    def run(self, seed, number):
        draw = random.Random(f"hostile {seed} {number}")
        # The folder's own paths are in its files: a case has the same ones, one after another.
        kept = self.made.with_name(f"kept-{number}")
        shutil.copytree(self.made, kept, symlinks=True)
        folder = self.made / "folder"
        try:
            for name in ("results.h5", "hostile.h5", "sweep.h5"):
                damage_hdf5(folder / name, draw)
            for name in ("hostile.json", "history.jsonl"):
                damage_text(folder / name, draw)
            damage_sqlite(folder / "history.sqlite", draw)
            name, arguments, outputs, helpers, _ = draw.choice(
                [row for row in self.rows if "shadowbox" not in " ".join(row[1])])
            row = (name, arguments, outputs, helpers, check_hostile_folder.ANY)
            environment = check_hostile_folder.environment(self.made)
            found = list(check_hostile_folder.faults(row, folder, environment))
        finally:
            shutil.rmtree(self.made)
            kept.rename(self.made)
        return f"{name}: {arguments}", "; ".join(dict.fromkeys(found))[:1500] or None


class BombCases:
    done = "read or refused"

    def run(self, seed, number):
        draw = random.Random(f"bombs {seed} {number}")
        with tempfile.TemporaryDirectory(prefix="bomb-") as name:
            folder = Path(name)
            isNative = draw.random() < 0.25
            kind, path, options = self.native(folder, draw) if isNative else self.make(folder, draw)
            last = (["run", path, "-o", "out.h5", "--detector", "punch/hitThatCards",
                     *draw.choice([[], ["--errors", "errors.csv"]])] if isNative
                    else ["convert", path, *options, "-o", "out.h5", *draw.choice([[], ["--sort"]])])
            arguments = draw.choice([["info", path, *options], ["validate", path, *options], last])
            text = f"{kind} of {(folder / path).stat().st_size} bytes: {arguments[0]}"
            return text, self.fault(arguments, folder)

    def make(self, folder, draw):
        count = int(10 ** draw.uniform(5, 7.3))
        kind = draw.choice(["csv.gz", "gpx.gz", "nmea.gz", "zip"] * 4 + ["zeros.csv.gz", "line.csv.gz", "xml.gpx.gz"])
        head, tail, options = b"t,x,y,z\n", b"", []
        row = b"0.01,1,2,3\n"
        if "gpx" in kind:
            head = b"<?xml version='1.0'?><gpx version='1.1' creator='x'><trk><trkseg>"
            row, tail = b"<trkpt lat='46' lon='14'><time>2024-05-01T10:00:00Z</time></trkpt>", b"</trkseg></trk></gpx>"
            row = b"<a>" if kind.startswith("xml") else row
        elif "nmea" in kind:
            line = b"GPRMC,100000.00,A,4600.0000,N,01400.0000,E,1.0,0.0,010524,,,A"
            head, row = b"", b"$%s*%02X\r\n" % (line, functools.reduce(operator.xor, line))
        elif kind == "zip":
            head, row = b"time,seconds_elapsed,z,y,x\n", b"1714557600000000000,0.01,1,2,3\n"
        elif kind.startswith("zeros"):
            head, row = b"", bytes(100)
        elif kind.startswith("line"):
            row = b"1" * 50
        if "csv" in kind:
            options = MAP
        path = folder / f"bomb.{kind}"
        with gzip.open(path, "wb", 6) if kind != "zip" else tempfile.TemporaryFile() as file:
            file.write(head)
            for _ in range(count // 1000 + 1):
                file.write(row * 1000)
            file.write(tail)
            if kind == "zip":
                file.seek(0)
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                    with archive.open("Accelerometer.csv", "w") as member:
                        shutil.copyfileobj(file, member)
        return kind, path.name, options

    def native(self, folder, draw):
        """Readings that are equal, that alternate, or that are random at few of their times."""
        count, kind = int(10 ** draw.uniform(5, 7.3)), draw.choice(["equal", "alternating", "sparse"])
        path = folder / "bomb.h5"
        subprocess.run([PROGRAM, "synth", "punches", "--duration", "10s", "-o", path, "--quiet"], check=True)
        x = np.full(count, 30, np.float32)
        if kind == "alternating":
            x[::2] = 0
        elif kind == "sparse":
            x[:: draw.choice([10, 100, 1000])] = draw.random()
        columns = {"time": np.arange(count, dtype=np.int64) * draw.choice([1, 10**6, 10**7]), "x": x, "y": x, "z": x}
        with h5py.File(path, "r+") as file:
            for task in draw.choice([[], list(file["reference"])]):
                del file["reference"][task]
            file.attrs["end"] = max(file.attrs["end"], columns["time"][-1])
            group = file["user_acceleration"]
            for name, values in columns.items():
                attributes = {key: value for key, value in group[name].attrs.items() if key.islower()}
                del group[name]
                column = group.create_dataset(name, data=values, chunks=(32768,), shuffle=True, compression=9)
                column.attrs.update(attributes)
        return f"h5 {kind}", path.name, []

    def fault(self, arguments, folder):
        def restrict():
            resource.setrlimit(resource.RLIMIT_CPU, (300, 300))
            # A file of the same size as what is unpacked, and no more.
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
        with open(folder / "errors", "wb") as errors:
            process = subprocess.Popen([PROGRAM, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors,
                                       preexec_fn=restrict)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        memory = usage.ru_maxrss << 10
        text = (folder / "errors").read_text(errors="replace")[-300:]
        if process.returncode not in (0, 64, 65, 74):
            return f"exit code {process.returncode}: {text}"
        if memory > MOST_MEMORY:
            return f"{memory >> 20} MB, exit code {process.returncode}: {text}"
        return None


class ServeCases:
    done = "served"

    def __init__(self):
        self.base = tempfile.TemporaryDirectory(prefix="soak-serve-")
        folder = Path(self.base.name)
        for words in (["synth", "punches", "--duration", "10s", "-o", "p.h5"],
                      ["run", "p.h5", "--detector", "punch", "-o", "r.h5"]):
            subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def run(self, seed, number):
        draw = random.Random(f"serve {seed} {number}")
        process = subprocess.Popen([PROGRAM, "report", "r.h5", "--serve"], cwd=self.base.name, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        stop = threading.Event()
        kind, clients = draw.choice(sorted(CLIENTS)), draw.choice([8, 32, 100])
        text = f"{clients} clients, {kind}"
        try:
            port, page = re.match(r"http://127\.0\.0\.1:(\d+)(/\w+/)", process.stdout.readline()).groups()
            threads = [threading.Thread(target=client, args=(int(port), CLIENTS[kind], stop), daemon=True)
                       for _ in range(clients)]
            for thread in threads:
                thread.start()
            time.sleep(1)
            fault = self.owner(int(port), page)
            memory = int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text()).group(1)) << 10
            if not fault and memory > MOST_MEMORY:
                fault = f"{memory >> 20} MB"
        finally:
            stop.set()
            process.send_signal(signal.SIGTERM)
            try:
                code = process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                code = "none: it ignores TERM"
            process.stdout.close()
        return text, fault or (None if code in (0, 130) else f"exit code {code}")

    @staticmethod
    def owner(port, page):
        """The page comes within 20 s, three times."""
        for _ in range(3):
            try:
                with socket.create_connection(("127.0.0.1", port), 20) as owner:
                    owner.settimeout(20)
                    owner.sendall(f"GET {page} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                    if not owner.recv(1 << 16).startswith(b"HTTP/1.1 200"):
                        return "the owner gets no page"
            except OSError as error:
                return f"the owner gets no answer: {error}"
        return None


# What a client sends: the beginning, then a part of it again and again.
CLIENTS = {
    "idle": (b"", b""), "slow line": (b"", b"G"), "slow header": (b"GET / HTTP/1.1\r\n", b"a"),
    "slow body": (b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n", b"x"),
    "great body": (b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n", b"x" * (1 << 20)),
    "many headers": (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 10_000), "no end": (b"GET /", b"/" * (1 << 16)),
}


def client(port, words, stop):
    begin, more = words
    try:
        with socket.create_connection(("127.0.0.1", port), 20) as connection:
            connection.sendall(begin)
            # A slow one sends a byte now and then, the others all they can.
            while not stop.wait(0.05 if len(more) > 1 else 2):
                connection.sendall(more)
    except OSError:
        pass


CASES = {"hostile": HostileCases, "bombs": BombCases, "serve": ServeCases}


def soak(mode, number, seed, first):
    """Prints counts and faults; returns how many faults there were."""
    if mode == "hostile" and not hostile_folder.is_there():
        print("hostile: strace is not installed, or may not follow programs here: left out")
        return 0
    cases, faults = CASES[mode](), []
    for case in range(first, first + number):
        text, fault = cases.run(seed, case)
        if fault:
            faults.append(f"{mode} {case}: {text}\n    {fault}")
    print(f"{mode}: {number} cases, seed {seed}: {number - len(faults)} {cases.done}, {len(faults)} faults", flush=True)
    for fault in faults[:20]:
        print("  " + fault)
    return len(faults)
