"""`fathom run`: a dataset put to a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say, warn
from fathom.cli.settings import command_listing, option_among, read_options, read_settings, set_option

if TYPE_CHECKING:
    from fathom.settings import SettingLine


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("run", cls=command_listing(settings_of))(run)


def settings_of(dataset: str, words: Sequence[str]) -> tuple[str, Sequence[SettingLine]]:
    """Return what can be set of the protocol that is named among the words, and what it belongs to."""
    from fathom import api

    what, lines = api.run_settings(Path(dataset), option_among(words, "--protocol") or "default")
    return f"Settings of {what} (--set NAME=VALUE)", lines


def run(
    dataset: Annotated[
        Path, typer.Argument(help="The dataset folder, or a folder of requests.", file_okay=False)
    ],
    model: Annotated[
        str,
        typer.Option(
            help="openai:MODEL[@URL], hf:FOLDER-OR-NAME, inspect:PROVIDER/MODEL, each with "
            "[,option=value …]; random, prior:DATASET, oracle[:position_sigma_m=0.2,sees=all …], "
            "of STI-Bench depth[:frames=30], scripted:NAME-OR-FILE, or module:attribute for a Python "
            "function of your own. The key for openai is read from OPENAI_API_KEY. See docs/runner.md."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The run folder to make or carry on.", file_okay=False)],
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of the model, as after the comma in --model (for openai: max_tokens, "
            "temperature=none, extra_body={…} …); repeatable.",
        ),
    ] = None,
    protocol: Annotated[str, typer.Option(help="How questions are put; see docs/protocols.md.")] = "default",
    set_: Annotated[
        list[str] | None, set_option("the protocol (frames=8, early-stop=yes …)", "fathom run DATASET")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Only so many questions, spread evenly over the tasks; 0: all.")
    ] = 0,
    task: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only questions of this task; repeatable.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each question is put.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests in flight at most.")] = 32,
    seed: Annotated[str, typer.Option(help="Of what is random in the baselines.")] = "0",
    prices: Annotated[
        Path | None,
        typer.Option(help="What models cost, before our own; else FATHOM_PRICES. See docs/runner.md."),
    ] = None,
    max_cost: Annotated[
        float, typer.Option(min=0, help="End before the run could cost more, in US dollars; 0: no limit.")
    ] = 0.0,
    max_requests: Annotated[
        int, typer.Option(min=0, help="End after so many requests this time; 0: no limit.")
    ] = 0,
    more_tokens: Annotated[
        int, typer.Option(min=0, help="Ask answers that were cut off again, with so many tokens; 0: do not.")
    ] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count questions, tokens and cost; ask nothing, need no key.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Ask a model the questions of a dataset, or the requests that another verb wrote.

    Started again, it asks only what has no answer yet. Exits with 1 where requests failed, or a limit was
    reached; what was answered is kept. Example:

        fathom run my-set --model openai:gpt-4o --out runs/gpt-4o
    """
    from fathom import api

    with progress.shown(quiet) as show:
        ran = api.run_model(
            dataset,
            model,
            out,
            options=read_options(option or ()),
            protocol=protocol,
            settings=read_settings(set_),
            limit=limit,
            repeats=repeats,
            concurrency=concurrency,
            tasks=task or (),
            seed=seed,
            prices=prices,
            max_cost=max_cost,
            max_requests=max_requests,
            more_tokens=more_tokens,
            dry_run=dry_run,
            progress=show,
        )
    say(ran.text)
    if ran.failed:
        warn(
            f"{ran.failed:,} of {ran.requests:,} requests failed; run the same command again to ask them "
            "once more"
        )
    if ran.stopped:
        warn(f"ended by {ran.stopped}; run the same command again with a higher limit to carry on")
    if ran.failed or ran.stopped:
        raise typer.Exit(1)
