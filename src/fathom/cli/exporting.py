"""`fathom export`: a dataset into a folder that another kit reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("export")(export)


def export(
    dataset: Annotated[Path, typer.Argument(help="The dataset folder.", file_okay=False)],
    to: Annotated[str, typer.Option(help="official, vlmevalkit, lmms-eval, huggingface or inspect.")],
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)],
    pictures: Annotated[
        str,
        typer.Option(
            help="Of vlmevalkit: embedded in the table, or files beside it.", metavar="embedded|files"
        ),
    ] = "embedded",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Write a dataset in the format of another evaluation tool.

    OUT/export.json says of which dataset it is. Texts are written as they are: a spreadsheet may take one
    that begins with = or @ for a formula. Example:

        fathom export my-set --to vlmevalkit --out my-tsv
    """
    from fathom import api
    from fathom.records.errors import InputError

    if pictures not in ("embedded", "files"):
        raise InputError(f"--pictures {pictures}: expected embedded or files")
    with progress.shown(quiet) as show:
        report = api.export_dataset(dataset, to, out, files=pictures == "files", progress=show)
    say(f"{report}\n{out}")
