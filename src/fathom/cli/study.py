"""`fathom study`: a dataset put to a model in several ways, which are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fathom.cli import progress
from fathom.cli.console import say, warn
from fathom.cli.incomplete import end_incomplete
from fathom.cli.settings import read_options, read_settings, set_option


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("study")(study)


def study(
    name: Annotated[
        str,
        typer.Argument(
            help="Which study. Of 4d-bench: views, frames, caption-views, caption-frames, order, "
            "time-stamps, sampling, chain-of-thought, counting-prompt, view-choice. Of 3dsrbench: encoders."
        ),
    ],
    dataset: Annotated[Path, typer.Argument(help="The dataset folder.", file_okay=False)],
    out: Annotated[
        Path,
        typer.Option(
            help="The folder to make or carry on; studies of one model on one dataset can share it.",
            file_okay=False,
        ),
    ],
    model: Annotated[str, typer.Option(help="As for fathom run.")] = "",
    models: Annotated[
        Path | None,
        typer.Option(
            help="Of encoders, instead of --model: a CSV file with the columns name, model (as for fathom "
            "run), vision and connector; every other model is compared with the first.",
            dir_okay=False,
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the model; repeatable."),
    ] = None,
    set_: Annotated[
        list[str] | None, set_option("the protocol, the same at every point", "fathom run DATASET")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Only so many questions, spread evenly over the tasks; 0: all.")
    ] = 0,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests in flight at most.")] = 32,
    extractor: Annotated[
        str, typer.Option(help="The rules by which answers are extracted; see fathom score.")
    ] = "",
    seed: Annotated[str, typer.Option(help="Of the baselines and of the drawn tests.")] = "0",
    prices: Annotated[
        Path | None, typer.Option(help="What models cost, before our own; see fathom run.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count requests, tokens and cost of all points; ask nothing.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Repeat a study of the benchmark's paper.

    Each way of putting the questions is a run of its own, in OUT/runs. They are scored and
    compared question by question; the table in the paper's shape, with the published rows beside
    ours, and the figure are written to OUT. Started again, it asks only what has no answer yet.

        fathom study views my-set --model oracle --out studies/oracle

    The study encoders puts several models to the dataset, such as checkpoints that differ in what they see
    with. Its file of models:

        name,model,vision,connector

        plain,hf:checkpoints/clip,CLIP,MLP

        with DINOv2,hf:checkpoints/dino,CLIP + DINOv2,MLP

        fathom study encoders my-set --models models.csv --out studies/encoders
    """
    from fathom import api
    from fathom.records import InputError

    if bool(model) == (models is not None):
        raise InputError(f"study {name}: expected --model, or of encoders --models FILE; give one of both")
    if models is not None and option:
        raise InputError("--option: write options behind the model in the file: hf:PATH,dtype=bfloat16")
    lost: list[str] = []
    with progress.shown(quiet) as show:
        common: dict[str, Any] = {
            "settings": read_settings(set_), "limit": limit, "concurrency": concurrency,
            "extractor": extractor, "seed": seed, "prices": prices, "dry_run": dry_run, "progress": show,
            "say": lost.append,
        }  # fmt: skip
        if models is not None:
            studied = api.run_model_study(name, dataset, models, out, **common)
        else:
            studied = api.run_study(name, dataset, model, out, options=read_options(option or ()), **common)
    say(studied.text)
    if studied.failed:
        warn(
            f"{studied.failed:,} of {studied.requests:,} requests failed; run the same command again to ask "
            "them once more"
        )
        raise typer.Exit(1)
    end_incomplete(lost)
