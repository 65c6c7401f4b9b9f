"""`fathom report`: runs as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import say
from fathom.cli.incomplete import end_incomplete


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("report")(report)


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Run folders on the same dataset.", file_okay=False),
    ],
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)],
    extractor: Annotated[
        str, typer.Option(help="The rules by which answers are extracted; see fathom score.")
    ] = "",
    gallery_scenes: Annotated[int, typer.Option(min=0, help="Scenes in the gallery at most.")] = 60,
    figures: Annotated[
        bool,
        typer.Option(
            help="Charts also as SVG and PDF files; without them a small report takes half as long."
        ),
    ] = True,
) -> None:
    """Write runs as one HTML page.

    Leaderboard, diagnosis and gallery; its figures and tables are also written as files.

    Runs that were not scored yet are scored first. Exits with 1 where answers of a run failed,
    never came or are empty: these count as wrong, and every number of the run is marked.
    """
    from fathom import api

    lost: list[str] = []
    say(
        str(
            api.write_report(
                tuple(runs),
                out,
                extractor=extractor,
                gallery_scenes=gallery_scenes,
                figures=figures,
                say=lost.append,
            )
        )
    )
    end_incomplete(lost)
