"""`fathom curate`: choose which objects stay in a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fathom.cli.console import remark, say
from fathom.cli.settings import command_listing, read_settings, set_option

if TYPE_CHECKING:
    from fathom.settings import SettingLine

app = typer.Typer(help="Choose which objects stay in a dataset.", no_args_is_help=True, rich_markup_mode=None)


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
        typer.Argument(help="The dataset whose objects people accepted or rejected.", file_okay=False),
    ],
    verdicts: Annotated[
        Path,
        typer.Option(help="Their verdicts: one JSON line for each object.", dir_okay=False),
    ],
    clip_model: Annotated[
        Path, typer.Option(help="The folder of a CLIP model; nothing is downloaded.", file_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="The folder to make or carry on.", file_okay=False)],
    set_: Annotated[list[str] | None, set_option("the training", "fathom curate train DATASET")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Train a quality filter from keep and reject verdicts.

    The filter is trained on the images in DATASET/previews. Its accuracy is measured on objects of assets
    that it was not trained on. An interrupted training continues when the same command is given again.

    VERDICTS has one line for each object, such as
    {"question": "0a1b…", "reviewer": "ana", "decision": "reject", "reason": "too simple"}. Example:

        fathom curate train my-objects --verdicts verdicts.jsonl --clip-model clip-vit-base --out my-filter

        fathom build 4d-bench --out more --set quality_filter=my-filter --set clip_model=clip-vit-base
    """
    from fathom import api

    said = api.train_classifier(
        dataset,
        verdicts,
        clip_model,
        out,
        settings=read_settings(set_),
        say=lambda text: None if quiet else remark(text),
    )
    say(f"{said}\n{out}")
