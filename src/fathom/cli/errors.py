"""`fathom errors`: why answers of a run are wrong, from what people said in a review."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import say


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("errors")(errors)


def errors(
    run: Annotated[Path, typer.Argument(help="The run folder.", file_okay=False)],
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)],
    labels: Annotated[
        list[Path],
        typer.Option(
            metavar="<file>", help="The labels.jsonl that a review exported; repeat it.", dir_okay=False
        ),
    ],
) -> None:
    """Read why answers are wrong, as people labeled them: a figure and a table.

    People label them on the pages of fathom review RUN --task errors --sample 200, whose
    --export writes labels.jsonl.
    """
    from fathom import api

    say(api.read_error_labels(run, out, labels))
