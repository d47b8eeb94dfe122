"""A folder in which everything waits for a program that trusts its working directory.

`make(folder, program)` fills it: files of all helpers (git, valgrind, gpsbabel, Python, Node, less, gpg,
gdb), a repository with every setting by which git starts programs or writes files, modules named like
Python's, programs named like helpers, links, and results that name `exec:` programs. What is started
leaves a file in the folder `trap` beside it, and what is written through a link changes `victim`.
`shown(...)` runs a command there under strace and says what it did.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HELPERS = ["git", "valgrind", "gpsbabel", "python", "python3", "node", "less", "more", "gpg", "swift", "sh",
           "bash", "env", "strip", "ssh", "curl", "man", "cat", "nproc", "locale", "esbuild", "stty",
           "fc-list"]
MODULES = ["json", "os", "sys", "struct", "re", "codecs", "encodings/__init__", "numpy/__init__", "site",
           "matplotlib/__init__", "h5py/__init__", "sitecustomize", "usercustomize", "PIL/__init__"]
MAP = ["--map", "time=t,x=x,y=y,z=z", "--channel", "user_acceleration", "--gravity", "removed"]
DETECTOR = """#!/bin/sh
: >{trap}/own.sh-$$
printf '%s\\n' shadowbox-detector/1 'name own' 'version 1' 'channel user_acceleration' 'task punch' ready
while read -r word rest; do [ "$word" = end ] && echo done; done
"""
SUITE = """schema: shadowbox-suite/1
traces: {{all: [p1.h5, p2.h5]}}
entries:
  - {{name: a, detector: {}, traces: all}}
"""
GIT = """[core]
\trepositoryformatversion = 1
\tbare = false
\tsshCommand = {run}
\tgitProxy = {run}
\taskPass = {run}
\tpager = {run}
\teditor = {run}
\thooksPath = {folder}/.git/hooks
\tattributesFile = {folder}/attributes
\texcludesFile = {folder}/attributes
\tworktree = {folder}
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = {url}
\tpromisor = true
\tuploadpack = {run}
\tpartialclonefilter = blob:none
[protocol]
\tallow = always
[diff]
\texternal = {run}
\ttrustExitCode = true
[diff "trap"]
\ttextconv = {run}
\tcommand = {run}
[merge "trap"]
\tdriver = {run} %O
[trace2]
\tnormalTarget = {trap}/trace2-normal
\teventTarget = {trap}/trace2-event
\tperfTarget = {trap}/trace2-perf
[include]
\tpath = {folder}/included
[includeIf "gitdir:{folder}/"]
\tpath = {folder}/included
[gpg]
\tprogram = {run}
[log]
\tshowSignature = true
[credential]
\thelper = !{run}
[pager]
\tlog = {run}
\tshow = {run}
[alias]
\tlog = !{run}
\tdiff = !{run}
\trev-parse = !{run}
\tstatus = !{run}
"""

# With these, git is asked for less: such a repository is another one.
FILTERS = """[core]
\tfsmonitor = {run}
[filter "trap"]
\tclean = {run}
\tsmudge = {run}
\tprocess = {run}
\trequired = true
"""


def dot_files(trap, run):
    """Files of helpers by name: each starts `run` or writes into `trap` when its helper trusts it."""
    callgrind = f"--log-file={trap}/valgrind\n--xml-file={trap}/xml\n--trace-children=yes\n"
    python = f"import os; os.system({run!r})\n"
    return {
        ".valgrindrc": callgrind, ".gdbinit": f"shell {run}\n", ".lldbinit": f"platform shell {run}\n",
        ".gitconfig": f"[core]\n\tfsmonitor = {run}\n[include]\n\tpath = {trap}/x\n",
        ".gitattributes": "* filter=trap diff=trap merge=trap\n",
        "attributes": "* filter=trap diff=trap\n",
        ".gitmodules": f'[submodule "s"]\n\tpath = s\n\turl = "ext::{run}"\n\tupdate = !{run}\n',
        "included": f"[core]\n\tsshCommand = {run}\n",
        ".gpsbabelrc": f"[Common]\nlogfile={trap}/gpsbabel\n", "gpsbabel.ini": f"[Common]\nlogfile={trap}/g\n",
        "matplotlibrc": f"savefig.directory: {trap}\nbackend: module://json\n", ".pythonrc": python,
        "pyvenv.cfg": "home = .\n", ".venv/pyvenv.cfg": "home = .\ninclude-system-site-packages = true\n",
        "python3._pth": ".\n",
        ".npmrc": f"script-shell={run}\nnode-options=--require ./json.js\n",
        "package.json": f'{{"type": "module", "scripts": {{"preinstall": "{run}"}}, "imports": {{}}}}\n',
        "json.js": f"require('child_process').execSync('{run}')\n", ".noderc": run,
        ".lesskey": f"#command\nq shell {run}\\n\n", ".less": "x", ".lessfilter": f"#!/bin/sh\n{run}\n",
        ".gnupg/gpg.conf": f"log-file {trap}/gpg\nphoto-viewer {run}\n", ".netrc": "default login a password b\n",
        ".curlrc": f"output = {trap}/curl\n", ".wgetrc": f"logfile = {trap}/wget\n",
        ".editorconfig": "root = true\n", ".sqliterc": f".shell {run}\n", ".bashrc": run, ".profile": run,
        ".ssh/config": f"Host *\n  ProxyCommand {run}\n", ".inputrc": "x", ".swift-version": "0.0.1\n",
        "Makefile": f"all:\n\t{run}\n", "Package.swift": f"// {run}\n", ".envrc": run, ".terminfo/x/xterm": "x",
        "hdf5_plugins/libh5trap.so": "x", ".gtkrc": "x", "ld.so.preload": "x", ".config/git/config":
        f"[core]\n\tfsmonitor = {run}\n", ".shadowbox/history.sqlite": "x", ".shadowbox/config.yml": f"run: {run}\n",
    }


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def make(folder, program):
    """Fills the folder; beside it are `trap`, `victim`, `home` and `tmp`."""
    trap, home, victim = (folder.parent / name for name in ("trap", "home", "victim"))
    run = f"{folder}/touch-trap"
    for each in (trap, home, folder.parent / "tmp", folder / "out", folder / ".git/hooks"):
        each.mkdir(parents=True)
    victim.write_text("not ours\n")
    recordings(folder, program)
    results(folder, program, trap)
    repository(folder, trap, run)
    write(folder / "touch-trap", f"#!/bin/sh\n: >{trap}/ran-$$\n", 0o755)
    for name in [*HELPERS, ".venv/bin/python3", ".venv/bin/python", "node_modules/.bin/node", "bin/git"]:
        write(folder / name, f"#!/bin/sh\n: >{trap}/{name.replace('/', '_')}-$$\nexit 1\n", 0o755)
    for name in MODULES:
        write(folder / f"{name}.py", f"open('{trap}/{name.replace('/', '_')}.py', 'w').close()\n")
    for name, text in dot_files(trap, run).items():
        write(folder / name, text, 0o755 if text.startswith("#!") else 0o644)
    links(folder, victim)


def recordings(folder, program):
    points = [(46 + i * 1e-5, f"2024-05-01T10:{i // 60:02}:{i % 60:02}Z") for i in range(120)]
    for k in (1, 2):
        (folder / f"person{k}.csv").write_text("t,x,y,z\n" + "".join(
            f"{i / 100},{60 if i % 100 == 50 else i * 7919 % (13 + k) / 10},{i * k % 17 / 9},0.{i * k % 97}\n"
            for i in range(600)))
    (folder / "labels.csv").write_text("filename,onset\n" + "".join(
        f"p{k},{0.5 + i}\n" for k in (1, 2) for i in range(6)))
    (folder / "walk.gpx").write_text(
        "<?xml version='1.0'?><gpx version='1.1' creator='x' xmlns='http://www.topografix.com/GPX/1/1'>"
        "<wpt lat='46.001' lon='14'><name>w</name></wpt><trk><trkseg>" + "".join(
            f"<trkpt lat='{lat:.5f}' lon='14'><time>{time}</time></trkpt>" for lat, time in points)
        + "</trkseg></trk></gpx>")
    (folder / "walk.kml").write_text(
        "<?xml version='1.0'?><kml xmlns='http://www.opengis.net/kml/2.2' "
        "xmlns:gx='http://www.google.com/kml/ext/2.2'><Document><Placemark><gx:Track>" + "".join(
            f"<when>{time}</when>" for _, time in points) + "".join(
            f"<gx:coord>14 {lat:.5f} 0</gx:coord>" for lat, _ in points)
        + "</gx:Track></Placemark></Document></kml>")
    (folder / "s.yml").write_text(SUITE.format("punch"))
    (folder / "day.yml").write_text("schema: shadowbox-day/1\nactivities: {walking: 2, sitting: 9.5}\n")
    for k in (1, 2):
        made(folder, program, "convert", f"person{k}.csv", *MAP, "--id", f"p{k}", "--subject", f"s{k}", "--reference",
             "labels.csv", "-o", f"p{k}.h5")
    made(folder, program, "convert", "walk.gpx", "--waypoints-as-places", "-o", "walk.h5")


def results(folder, program, trap):
    """Results of a built-in detector, and those that name a program, without the suite that named it."""
    write(folder / "own.sh", DETECTOR.format(trap=trap), 0o755)
    exec_ = ["--detector", "exec:./own.sh"]
    made(folder, program, "run", "s.yml", "-o", "results.h5")
    made(folder, program, "run", "p1.h5", "p2.h5", *exec_, "-o", "hostile.h5")
    made(folder, program, "history", "add", "hostile.h5", "results.h5", "--history", "history.sqlite")
    made(folder, program, "history", "export", "history.jsonl", "--history", "history.sqlite")
    made(folder, program, "sweep", "p1.h5", "p2.h5", "--detector", "punch", "-o", "sweep.h5")
    made(folder, program, "synth", "fight", "--duration", "20s", "--subject", "1", "-o", "f1.h5")
    made(folder, program, "synth", "fight", "--duration", "20s", "--subject", "2", "-o", "f2.h5")
    (folder / "hostile.json").write_text(
        '{"schema": "shadowbox-parameters/1", "detector": "exec:./own.sh", "preset": "default", "parameters": {}}')
    for path in trap.iterdir():
        path.unlink()


def made(folder, program, *arguments):
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder.parent / "home"), "HOME": str(folder.parent / "home")}
    done = subprocess.run([program, *arguments, "--quiet"], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.returncode}: {done.stderr}")


def repository(folder, trap, run):
    """A repository with a commit whose objects are on a remote that is a program."""
    quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
             "env": {"PATH": "/usr/bin:/bin", "HOME": str(folder.parent / "home"), "GIT_CONFIG_NOSYSTEM": "1"}}
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], ["add", "-f", "s.yml", "p1.h5", "p2.h5"],
                      [*identity, "commit", "-qm", "a"], [*identity, "commit", "-qm", "b", "--allow-empty"]):
        subprocess.run(["git", *arguments], **quiet)
    blobs = subprocess.run(["git", "ls-tree", "-r", "HEAD"], **{**quiet, "stdout": subprocess.PIPE}, text=True).stdout
    for blob in re.findall(r"blob ([0-9a-f]{40})", blobs):
        (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    # What differs makes git ask for the object that is not there.
    with open(folder / "p2.h5", "ab") as file:
        file.write(b"")
    os.utime(folder / "p2.h5", (1, 1))
    config = GIT.format(run=run, trap=trap, folder=folder, url=f"ext::{run} %S")
    write(folder / ".git/config", config)
    write(folder / ".git/objects/info/alternates", f"{folder}/x/../outside-objects\n")
    for hook in ("pre-commit", "post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction"):
        write(folder / ".git/hooks" / hook, f"#!/bin/sh\n{run}\n", 0o755)
    # The same with filters, which are looked at before anything is compared.
    shutil.copytree(folder / ".git", folder / "filters/.git")
    write(folder / "filters/.git/config", (config + FILTERS.format(run=run)).replace(
        f"worktree = {folder}", f"worktree = {folder}/filters"))
    for name in ("s.yml", "p1.h5", "p2.h5"):
        shutil.copy2(folder / name, folder / "filters")
    write(folder / "filters/.gitattributes", "* filter=trap diff=trap merge=trap\n")


def links(folder, victim):
    """A loop, the root, a missing file and a file of the user; the last two are names of outputs."""
    (folder / "x").symlink_to(".")
    (folder / "root").symlink_to("/")
    (folder / "gone").symlink_to(folder.parent / "made-through-a-link")
    for name in ("outside", "p1.txt", "p1.labels.csv", "out/r.h5.partial", "out/.r.h5.partial"):
        (folder / name).symlink_to(victim)


# ---------------------------------------------------------------- what a command does

TRACED = ("execve,execveat,openat,openat2,open,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,"
          "rmdir,symlink,symlinkat,link,linkat,truncate,mknod,mknodat,chmod,fchmodat,connect")
WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")
CALL = re.compile(r"^(\w+)\((.*)\) += +(?:0x)?(\d+)(?:<([^>]*)>)?")
AT = re.compile(r'(?:(AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
OPENING = {"open", "openat", "openat2", "creat"}


def is_there():
    """Whether strace can follow programs here."""
    if not shutil.which("strace"):
        return False
    words = ["strace", "-ff", "-z", "-y", "-qq", "--seccomp-bpf", "true"]
    return subprocess.run(words, capture_output=True).returncode == 0


class Shown:
    """The programs that a command started, the files that it wrote, created, moved or removed, and its sockets."""

    def __init__(self):
        self.programs, self.written, self.sockets, self.unread = [], [], [], []

    def read(self, lines, folder):
        """Reads the calls of a process that began in the folder."""
        opened = {}
        for line in lines:
            call = CALL.match(line)
            if not call:
                # Signals and ends; anything else would be a call that nobody has looked at.
                if not re.match(r"\+\+\+|---", line) and " = ? " not in line:
                    self.unread.append(line)
                continue
            name, arguments, number, result = call.groups()
            if name in OPENING and result:
                opened[number] = result
            paths = []
            for place, base, path in AT.findall(arguments):
                # Calls without such an argument do not say where the process is; those before them did.
                folder = base if place == "AT_FDCWD" else folder
                path = os.path.normpath(os.path.join(base or folder, path.encode().decode("unicode_escape")))
                # A file in an open folder is where that folder is.
                paths.append(re.sub(r"^/proc/self/fd/(\d+)(?=/)", lambda own: opened.get(own[1], own[0]), path))
            if name == "connect":
                self.sockets.append(arguments)
            elif name.startswith("execve"):
                self.programs.append(paths[0])
            elif name not in OPENING or name == "creat" or WRITING.search(arguments):
                self.written += paths


def shown(arguments, folder, environment, seconds=20):
    """Runs a command in the folder under strace: its exit code, errors and what it did."""
    # A file for each process: no call is cut in two by that of another.
    with tempfile.TemporaryDirectory(prefix="strace-") as logs:
        command = ["strace", "-ff", "-z", "-y", "-qq", "--seccomp-bpf", "-s", "400", "-e", f"trace={TRACED}", "-o",
                   f"{logs}/log", *arguments]
        with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, text=True, errors="replace",
                              start_new_session=True) as process:
            try:
                errors = process.communicate(timeout=seconds)[1]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return -signal.SIGKILL, f"still running after {seconds} s", Shown()
        did = Shown()
        for log in sorted(Path(logs).iterdir()):
            did.read(log.read_text(errors="replace").splitlines(), folder)
    return process.returncode, errors, did
