"""`--set NAME=VALUE`: read from the command line, and listed by the help of what they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from fathom.settings import SettingLine

SETTABLE = "--set"


def set_option(of: str, help_of: str) -> Any:
    """Return the option `--set` of a verb: settings of what, and which help lists them."""
    said = f"A setting of {of}; repeatable. `{help_of} --help` lists them."
    return typer.Option(SETTABLE, metavar="NAME=VALUE", help=said)


def read_options(words: Sequence[str], flag: str = "--option") -> dict[str, str]:
    """Return the options NAME=VALUE by name. Raises InputError for one that is not of that form, or twice."""
    from fathom.records.errors import InputError

    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(f"{flag} {word}: expected NAME=VALUE, found no {'name' if equals else '='}")
        if name in options:
            raise InputError(f"{flag} {word}: {name} was set to {options[name]!r} already; give it once")
        options[name] = value.strip()
    return options


def read_settings(words: Sequence[str] | None) -> dict[str, str]:
    """Return what was given with --set, by name."""
    return read_options(words or (), SETTABLE)


def option_among(words: Sequence[str], name: str) -> str:
    """Return the value of an option among the words of a command line, "" where it is not given."""
    found = [b for a, b in pairwise(words) if a == name]
    found += [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]
    return found[-1] if found else ""


Listing = Callable[[str, Sequence[str]], tuple[str, Sequence["SettingLine"]]]
"""From a verb's first argument and its other words to a heading, and the settings that stand below it."""


def command_listing(listing: Listing) -> type[TyperCommand]:
    """Return a command whose help, given the verb's first argument, also lists the settings of that."""

    class WithSettings(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if "--help" in args and args[0] != "--help" and not args[0].startswith("-"):
                ctx.meta["fathom.first"] = list(args)
            return super().parse_args(ctx, args)

        def format_epilog(self, ctx: Any, formatter: Any) -> None:
            super().format_epilog(ctx, formatter)
            if words := ctx.meta.get("fathom.first"):
                _write(formatter, *listing(words[0], words[1:]))

    return WithSettings


def _write(formatter: Any, heading: str, lines: Sequence[SettingLine]) -> None:
    """Write settings as help writes options: name and default, then what it is and what it takes."""
    rows = []
    for line in lines:
        closed = line.what[:1].upper() + line.what[1:]
        takes = f"[{line.takes}]" if line.takes else ""
        rows.append((f"{line.name}={line.default}", f"{closed} {takes}".strip()))
    if not rows:
        return
    with formatter.section(heading):
        formatter.write_dl(rows, col_max=38)
