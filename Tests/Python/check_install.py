"""Checks what `make install` puts where: program, man pages, completions.

    python3 Tests/Python/check_install.py

Installs the program in SHADOWBOX_EXECUTABLE under a DESTDIR. Exits with 1 and prints what is wrong.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPLETIONS = {
    "bash-completion/completions/shadowbox": "complete ",
    "zsh/site-functions/_shadowbox": "#compdef shadowbox",
    "fish/vendor_completions.d/shadowbox.fish": "complete ",
}


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


def check_page(path, command):
    require(path.exists(), path.name, "no such man page")
    text = path.read_text().replace("\\-", "-").replace("\\&", "")
    for argument in command.get("arguments", []):
        for name in argument.get("names", []) if argument.get("shouldDisplay", True) else []:
            dashes = "-" if name["kind"] == "short" else "--"
            require(f"\\fB{dashes}{name['name']}\\fR" in text, path.name,
                    f"lacks the option {dashes}{name['name']}")
    require("\n  130  interrupted\n" in text, path.name, "lacks the exit codes")
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", path],
                              capture_output=True, text=True)
        require(done.returncode == 0 and not done.stderr, path.name, done.stderr)


def check_pages(folder, name, command):
    """The page of a command, and those of its subcommands."""
    check_page(folder / f"{name}.1", command)
    for one in command.get("subcommands", []):
        if one["commandName"] != "help" and one.get("shouldDisplay", True):
            check_pages(folder, f"{name}-{one['commandName']}", one)


def main():
    program = str(Path(os.environ["SHADOWBOX_EXECUTABLE"]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["make", "--no-print-directory", "install", f"SHADOWBOX={program}",
             f"DESTDIR={folder}", "PREFIX=/usr"], cwd=ROOT, capture_output=True, text=True)
        require(done.returncode == 0, "make install", done.stderr)
        installed, share = Path(folder) / "usr/bin/shadowbox", Path(folder) / "usr/share"
        require(b".symtab" not in installed.read_bytes(), installed, "expected a stripped program")
        dump = subprocess.run([installed, "--experimental-dump-help"], capture_output=True, text=True)
        root = json.loads(dump.stdout)["command"]
        check_pages(share / "man/man1", "shadowbox", root)
        for name, sign in COMPLETIONS.items():
            text = (share / name).read_text()
            require(sign in text and "resample" in text, name, "no completion of shadowbox")
        bash = share / "bash-completion/completions/shadowbox"
        done = subprocess.run(["bash", "-n", bash], capture_output=True, text=True)
        require(done.returncode == 0, bash.name, done.stderr)
        pages = len(list((share / "man/man1").iterdir()))
    print(f"{pages} man pages, {len(COMPLETIONS)} completions")


if __name__ == "__main__":
    main()
