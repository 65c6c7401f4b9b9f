"""`fathom check`: a dataset proved again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("check")(check)


def check(
    dataset: Annotated[Path, typer.Argument(help="The dataset folder.", file_okay=False)],
    blind: Annotated[bool, typer.Option(help="Also repeat the blind stress test.")] = True,
    prune: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="Reject as many of the questions that are guessed blind most easily (50, or a share as in "
            "10%): their verdicts are written to verdicts.jsonl.",
        ),
    ] = "",
    assets: Annotated[
        Path | None,
        typer.Option(
            help="The folder of models that animated objects were built from, to derive answers from pixels."
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Check a dataset: files, answers, and whether answers can be guessed.

    Hashes and records are checked, every answer is derived a second time, and the blind stress test is
    repeated.

    For animated objects, the second derivation needs the models that they were built from.

    Of an imported dataset, files, records and media are checked, and the blind stress test is repeated.

    Exits with 1 where an answer does not come out the same, or where answers can be guessed blind.
    """
    from fathom import api

    with progress.shown(quiet) as show:
        result = api.check_dataset(dataset, blind=blind, prune=prune, assets=assets, progress=show)
    say(result.text)
    if not result.passed:
        raise typer.Exit(1)
