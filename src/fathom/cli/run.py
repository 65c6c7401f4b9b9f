"""`fathom run`: a dataset put to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli import progress


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("run")(run)


def run(
    dataset: Annotated[Path, typer.Argument(help="The dataset folder.", file_okay=False)],
    model: Annotated[
        str,
        typer.Option(
            help="random, prior:DATASET, oracle[:position_sigma_m=0.2,heading_sigma_deg=10], scripted:NAME, "
            "openai:MODEL[@URL][,option=value …], or module:attribute. The key for openai is read from "
            "OPENAI_API_KEY."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The run folder to make or carry on.", file_okay=False)],
    protocol: Annotated[str, typer.Option(help="How questions are put; see docs/benchmarks.")] = "default",
    limit: Annotated[
        int, typer.Option(min=0, help="Only so many questions, spread evenly over the tasks; 0: all.")
    ] = 0,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests in flight at most.")] = 32,
    seed: Annotated[str, typer.Option(help="Of what is random in the baselines.")] = "0",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count questions, tokens and cost; ask nothing.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Put a dataset to a model.

    Started again, it asks only what has no answer yet. Example:

        fathom run my-set --model openai:gpt-4o --out runs/gpt-4o
    """
    from fathom import api

    with progress.shown(quiet) as show:
        summary = api.run_model(
            dataset,
            model,
            out,
            protocol=protocol,
            limit=limit,
            concurrency=concurrency,
            seed=seed,
            dry_run=dry_run,
            progress=show,
        )
    print(summary)
