"""`fathom errors`: wrong answers of a run for people to say why they are wrong, and what they said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import say
from fathom.cli.incomplete import end_incomplete


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("errors")(errors)


def errors(
    run: Annotated[Path, typer.Argument(help="The run folder.", file_okay=False)],
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)],
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="<file>", help="A file of labels that the page saved; one a reviewer.", dir_okay=False
        ),
    ] = None,
    number: Annotated[int, typer.Option("--n", min=1, help="How many wrong answers.")] = 200,
    extractor: Annotated[
        str, typer.Option(help="The rules by which answers are extracted; see fathom score.")
    ] = "",
    seed: Annotated[str, typer.Option(help="Of the sample.")] = "0",
) -> None:
    """Sample wrong answers for people to label, and read their labels.

    Writes errors.jsonl, and errors.html, on which one of the benchmark's reasons is chosen for
    each, beside the pictures or frames that are asked about. With --labels, writes what people
    said as a figure and a table instead.
    """
    from fathom import api

    lost: list[str] = []
    if labels:
        say(api.read_error_labels(run, out, labels))
    else:
        say(api.sample_errors(run, out, number=number, extractor=extractor, seed=seed, say=lost.append))
    end_incomplete(lost)
