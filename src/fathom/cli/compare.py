"""`fathom compare`: two runs side by side, or two ways of reading one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import say, say_json
from fathom.cli.incomplete import end_incomplete


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("compare")(compare)


def compare(
    first: Annotated[Path, typer.Argument(help="The run folder that is looked at.", file_okay=False)],
    second: Annotated[
        Path | None, typer.Argument(help="The run folder to compare it with.", file_okay=False)
    ] = None,
    extractor: Annotated[
        str, typer.Option(help="The rules by which answers are extracted; see fathom score.")
    ] = "",
    extractors: Annotated[
        str,
        typer.Option(help="Two sets of extraction rules, as in a,b: compares them on the first run alone."),
    ] = "",
    grouping: Annotated[
        str,
        typer.Option(
            help="Which passes count as one: plain, circular, flip or both; as the runs were made if not "
            "given."
        ),
    ] = "",
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:ATTRIBUTE", help="A metric of your own to compare by as well; repeatable."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="Exit with 1 where the first run is surely worse.")
    ] = False,
    seed: Annotated[str, typer.Option(help="Of the drawn tests.")] = "0",
) -> None:
    """Compare two runs question by question.

    The difference on each task, with its interval and an exact test that takes answers on
    one scene together, corrected for the number of tasks (Holm); then what it means in
    plain sentences, and how many questions would show more.

    Exits with 0 whatever is found, unless --fail-if-worse is given, or answers of a run are
    not there: these count as wrong, and it exits with 1.
    """
    from fathom import api

    runs = (first,) if second is None else (first, second)
    lost: list[str] = []
    found = api.compare_runs(
        runs,
        extractor=extractor,
        extractors=extractors,
        grouping=grouping,
        metrics=metric or (),
        seed=seed,
        say=lost.append,
    )
    if as_json:
        say_json(found.json)
    else:
        say(found.text)
    end_incomplete(lost)
    if fail_if_worse and found.first_is_worse:
        raise typer.Exit(1)
