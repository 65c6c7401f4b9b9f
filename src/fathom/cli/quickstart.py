"""`fathom quickstart`: everything once, small."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("quickstart")(quickstart)


def quickstart(
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)] = Path("quickstart"),
    scenes: Annotated[int, typer.Option(min=2, help="How many scenes.")] = 12,
    seed: Annotated[str, typer.Option(help="Everything random follows from it.")] = "0",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Build, run, score and report a small dataset.

    The dataset is made of built-in models and put to three baselines. This takes about a minute on two
    cores, and needs no network and no files.
    """
    from fathom import api

    with progress.shown(quiet) as show:
        say(api.quickstart(out, scenes=scenes, seed=seed, progress=show))
