"""Writes the man pages of `shadowbox` and its commands.

    python3 docs/make_man_pages.py PROGRAM FOLDER

They are made of what the program prints about itself with --experimental-dump-help and `help
exit-codes`, so they need no list of their own. `make install` runs this. Equal programs give equal pages.
"""

import json
import subprocess
import sys
from pathlib import Path


def roff(text):
    """Text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def paragraphs(text):
    """Running text, with the lines that are indented or under a heading kept as they are."""
    lines, literal = [], False
    for line in text.split("\n"):
        indented = line.startswith("  ")
        if indented != literal and line.strip():
            lines.append(".nf" if indented else ".fi")
            literal = indented
        if not line.strip():
            lines += [".fi"] * literal + [".PP"]
            literal = False
        elif line.isupper() and line.endswith(":"):
            if lines[-1:] == [".PP"]:
                lines.pop()
            lines.append(f".SS {roff(line[:-1].capitalize())}")
        else:
            lines.append(roff(line.replace("\t", "    ")))
    return lines + [".fi"] * literal


def spelled(argument, shortly=False):
    """An option as it is written on a command line, e.g. `-o, --output <output>`."""
    value = f" \\fI{roff('<' + argument.get('valueName', '') + '>')}\\fR"
    if argument["kind"] == "positional":
        return value.strip()
    names = sorted(argument["names"], key=lambda name: len(name["name"]))
    names = [argument["preferredName"]] if shortly else names
    text = ", ".join(
        f"\\fB{roff(('-' if name['kind'] == 'short' else '--') + name['name'])}\\fR"
        for name in names)
    return text + (value if argument["kind"] == "option" else "")


def described(argument):
    text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
    if argument.get("allValues") and "values:" not in text:
        text += " Values: " + ", ".join(argument["allValues"]) + "."
    if argument.get("defaultValue"):
        text += f" Default: {argument['defaultValue']}."
    return text.strip()


def synopsis(name, command, shown):
    words = [f"\\fB{roff(name)}\\fR"]
    if command.get("subcommands"):
        return ".B " + roff(name) + " \\fI<command>\\fR [options]"
    words += ["[options]"] if any(a["kind"] != "positional" for a in shown) else []
    for argument in shown:
        word = spelled(argument, shortly=True) + ("..." if argument["isRepeating"] else "")
        if argument["kind"] == "positional":
            words.append(f"[{word}]" if argument["isOptional"] else word)
        elif not argument["isOptional"]:
            words.append(word)
    return " ".join(words)


def page(name, command, version, exits):
    shown = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    title = name.replace(" ", "-")
    description = command.get("discussion", "").strip() or command["abstract"]
    lines = [
        f".TH {title.upper()} 1 \"\" \"shadowbox {version}\" \"Shadowbox\"",
        ".SH NAME", f"{roff(title)} \\- {roff(command['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS", synopsis(name, command, shown),
        ".SH DESCRIPTION", *paragraphs(description),
    ]
    sections = list(dict.fromkeys(a.get("sectionTitle", "Options") for a in shown))
    for section in sections:
        lines.append(f".SH {section.upper()}")
        for argument in shown:
            if argument.get("sectionTitle", "Options") == section:
                lines += [".TP", spelled(argument), roff(described(argument))]
    commands = [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True)]
    if commands:
        lines.append(".SH COMMANDS")
        for one in commands:
            lines += [".TP", f"\\fB{roff(one['commandName'])}\\fR", roff(one["abstract"])]
    lines += [".SH EXIT STATUS", *paragraphs(exits)]
    others = [f"{title}\\-{c['commandName']}" for c in commands] or ["shadowbox"]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{other}\\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


def write_pages(folder, name, command, version, exits):
    """The page of a command, and those of its subcommands."""
    (folder / f"{name.replace(' ', '-')}.1").write_text(page(name, command, version, exits))
    for one in command.get("subcommands", []):
        if one.get("shouldDisplay", True) and one["commandName"] != "help":
            write_pages(folder, f"{name} {one['commandName']}", one, version, exits)


def output(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    root = json.loads(output(program, "--experimental-dump-help"))["command"]
    version = output(program, "--version").strip()
    exits = output(program, "help", "exit-codes").partition("EXIT CODES:\n")[2].strip("\n")
    write_pages(folder, "shadowbox", root, version, exits)


if __name__ == "__main__":
    main()
