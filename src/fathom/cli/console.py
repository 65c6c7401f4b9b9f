"""The console: every verb prints through it, so that no name from outside steers a terminal."""

from __future__ import annotations

import json
import sys


def say(text: str) -> None:
    """Print what a verb found on standard output; what would steer the terminal is written out."""
    from fathom.records.errors import printable

    print(printable(text))


def say_json(text: str) -> None:
    """Print JSON on standard output; what would steer the terminal is escaped as JSON escapes it."""
    print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def remark(text: str) -> None:
    """Print at once on standard error what only people read; what would steer a terminal is written out."""
    from fathom.records.errors import printable

    print(printable(text), file=sys.stderr, flush=True)


def warn(sentence: str) -> None:
    """Print one sentence on standard error, behind the program's name; it stays one line."""
    from fathom.records.errors import printable_line

    print(f"fathom: {printable_line(sentence)}", file=sys.stderr, flush=True)
