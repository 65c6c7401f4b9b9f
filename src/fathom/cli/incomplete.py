"""What is said, and how a verb ends, where answers of a run are not there."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from fathom.cli.console import warn

INCOMPLETE = 1
"""The exit code of a verb that showed numbers of a run of which answers are not there."""


def end_incomplete(said: Sequence[str]) -> None:
    """Say which runs are not complete, and end with 1; nothing where there are none."""
    for sentence in said:
        warn(sentence)
    if said:
        raise typer.Exit(INCOMPLETE)
