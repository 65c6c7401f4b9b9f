"""`fathom curate`: which objects stay in a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli.console import remark, say
from fathom.cli.run import read_options

app = typer.Typer(help="Which objects stay in a dataset.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _group() -> None:
    pass


@app.command("train")
def train(
    dataset: Annotated[
        Path,
        typer.Argument(help="The dataset whose objects people decided about.", file_okay=False),
    ],
    verdicts: Annotated[
        Path,
        typer.Option(help="What they decided: a line an object, as verdicts.jsonl.", dir_okay=False),
    ],
    clip: Annotated[
        Path, typer.Option(help="The folder of a CLIP model; nothing is downloaded.", file_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="The folder to make or carry on.", file_okay=False)],
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the training (epochs=20, views=4, layers=1, folds=5 …); repeatable.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Train a classifier of quality from keep and reject verdicts.

    It sees the pictures in DATASET/previews, and says how often it is right on objects of assets that it had
    not seen. Stopped, the same command carries on. Example, with a line such as
    {"question": "0a1b…", "reviewer": "ana", "decision": "reject", "reason": "too simple"} an object:

        fathom curate train my-films --verdicts verdicts.jsonl --clip clip-vit-base --out taste

        fathom build 4d-bench --out more-films --classifier taste --clip clip-vit-base
    """
    from fathom import api

    said = api.train_classifier(
        dataset,
        verdicts,
        clip,
        out,
        settings=read_options(set_ or (), "--set"),
        say=lambda text: None if quiet else remark(text),
    )
    say(f"{said}\n{out}")
