"""`fathom score`: a run read, marked and summed up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import say
from fathom.cli.incomplete import end_incomplete

Run = Annotated[Path, typer.Argument(help="The run folder.", file_okay=False)]
Extractor = Annotated[
    str,
    typer.Option(
        help="How answers are extracted: fathom, vlmevalkit, lmms-eval, or module:attribute of your own; the "
        "benchmark's own if not given."
    ),
]
JudgeRequests = Annotated[
    Path | None,
    typer.Option(help="Write what a judge of captions is to be asked into this folder.", file_okay=False),
]
ReaderRequests = Annotated[
    Path | None,
    typer.Option(
        help="Write what a reader of answers that no rule reads is to be asked into this folder.",
        file_okay=False,
    ),
]
Responses = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="<dir>", help="A run that answers such requests; may be given twice.", file_okay=False
    ),
]
HumanScores = Annotated[
    Path | None,
    typer.Option(
        help="People's scores of the captions, to tell how far the judge agrees: CSV with the columns "
        "object, appearance and action.",
        dir_okay=False,
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("score")(score)


def score(
    run: Run,
    extractor: Extractor = "",
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="MODULE:ATTRIBUTE", help="A metric of your own, beside the others; repeatable."),
    ] = None,
    seed: Annotated[str, typer.Option(help="Of the bootstrap.")] = "0",
    judge_requests: JudgeRequests = None,
    reader_requests: ReaderRequests = None,
    responses: Responses = None,
    human_scores: HumanScores = None,
) -> None:
    """Score a run and print the tables.

    The tables have the shape of the paper's, with the published rows beside ours. The
    score of every answer and the scores of the run are written to RUN/scores/EXTRACTOR.

    An auxiliary model can judge captions or read answers: --judge-requests or
    --reader-requests writes the requests, fathom run has a model answer them, and
    --responses reads its run.

    Answers that failed, never came or are empty count as wrong. Exits with 1 where there are
    such, and every number of the run is marked.
    """
    from fathom import api

    lost: list[str] = []
    scores = api.score_run(
        run,
        extractor=extractor,
        metrics=metric or (),
        seed=seed,
        judge_requests=judge_requests,
        reader_requests=reader_requests,
        responses=responses or None,
        human_scores=human_scores,
        say=lost.append,
    )
    say(str(scores))
    end_incomplete(lost)
