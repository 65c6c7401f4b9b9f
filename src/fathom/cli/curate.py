"""`fathom curate`: which objects stay in a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fathom.cli.console import remark, say
from fathom.cli.settings import command_listing, read_settings, set_option

if TYPE_CHECKING:
    from fathom.settings import SettingLine

app = typer.Typer(help="Which objects stay in a dataset.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _group() -> None:
    pass


def _settings_of(dataset: str, words: Sequence[str]) -> tuple[str, Sequence[SettingLine]]:
    from fathom import api

    return "Settings of the training (--set NAME=VALUE)", api.training_settings()


@app.command("train", cls=command_listing(_settings_of))
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
    set_: Annotated[list[str] | None, set_option("the training", "fathom curate train DATASET")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Train a quality filter from keep and reject verdicts.

    It sees the pictures in DATASET/previews, and says how often it is right on objects of assets that it had
    not seen. Stopped, the same command carries on. Example, with a line such as
    {"question": "0a1b…", "reviewer": "ana", "decision": "reject", "reason": "too simple"} an object:

        fathom curate train my-films --verdicts verdicts.jsonl --clip clip-vit-base --out taste

        fathom build 4d-bench --out more-films --set quality_filter=taste --set clip_model=clip-vit-base
    """
    from fathom import api

    said = api.train_classifier(
        dataset,
        verdicts,
        clip,
        out,
        settings=read_settings(set_),
        say=lambda text: None if quiet else remark(text),
    )
    say(f"{said}\n{out}")
