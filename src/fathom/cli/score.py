"""`fathom score`: a run read, marked and summed up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("score")(score)


def score(
    run: Annotated[Path, typer.Argument(help="The run folder.", file_okay=False)],
    policy: Annotated[
        str,
        typer.Option(
            help="How answers are read: fathom, vlmevalkit or lmms-eval; the benchmark's own if not given."
        ),
    ] = "",
    seed: Annotated[str, typer.Option(help="Of the bootstrap.")] = "0",
) -> None:
    """Mark a run and print the tables.

    The paper's tables, with the published rows beside ours. Marks and scores are
    written to RUN/scores/POLICY.
    """
    from fathom import api

    print(api.score_run(run, policy=policy, seed=seed))
