"""`fathom import` and `fathom import-run`: official files and other kits' predictions into our folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say
from fathom.cli.settings import command_listing, read_settings, set_option

if TYPE_CHECKING:
    from fathom.settings import SettingLine


def add_to(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    app.command("import", cls=command_listing(_settings_of))(import_dataset)
    app.command("import-run")(import_run)


def _settings_of(benchmark: str, words: Sequence[str]) -> tuple[str, Sequence[SettingLine]]:
    from fathom import api

    return "Settings of questions from annotations (--set NAME=VALUE)", api.import_settings(benchmark)


def import_dataset(
    benchmark: Annotated[
        str,
        typer.Argument(
            help="4d-bench, seed-bench, pulsecheck457, sti-bench, 3dsrbench, jsonl or table (the same: your "
            "own questions, from JSONL, CSV, TSV, Parquet or Excel), or module:attribute of layouts."
        ),
    ],
    path: Annotated[
        Path, typer.Argument(help="The official file, folder or archive, or another tool's table.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="The dataset folder to make; not for --dry-run.", file_okay=False)
    ] = None,
    media: Annotated[
        Path | None,
        typer.Option(help="The folder or archive of pictures and videos, if not beside the questions."),
    ] = None,
    copy: Annotated[
        bool, typer.Option("--copy", help="Copy pictures and videos into the dataset; else they stay.")
    ] = False,
    layout: Annotated[
        str,
        typer.Option(
            help="How the files are written, where several would do; recognized if not given. annotations: "
            "questions are written by rule from published annotations of videos."
        ),
    ] = "",
    set_: Annotated[
        list[str] | None,
        set_option("questions from annotations", "fathom import BENCHMARK"),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Only the first so many questions; 0: all.")] = 0,
    columns: Annotated[
        str,
        typer.Option(
            help="For jsonl: question=NAME,answer=NAME,options=NAME+NAME… where names of columns do not tell."
        ),
    ] = "",
    name: Annotated[
        str, typer.Option(help="For jsonl: what the dataset is called; the name of PATH if not given.")
    ] = "",
    leave_out: Annotated[
        bool,
        typer.Option(
            "--leave-out", help="For jsonl: leave out rows that cannot be questions; else an error."
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be read and what is missing; write nothing."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Make a dataset from a benchmark's official files, another tool's copy of them, or your own questions.

    What was corrected and left out is printed, and kept with file and line in OUT/import.json.

    Examples: the table, and the folder of pictures that it names; your own questions, first looked at.

        fathom import 3dsrbench 3dsrbench_v1.csv --media coco --out 3dsrbench

        fathom import table survey.csv --dry-run

        fathom import table survey.csv --out my-set

    Questions about actions, written by rule from annotations of Something-Something-v2, EPIC-KITCHENS-100 or
    Breakfast, and clips cut from their videos:

        fathom import seed-bench EPIC_100_validation.csv --layout annotations --media videos --out kitchens
    """
    from fathom import api

    with progress.shown(quiet) as show:
        report = api.import_dataset(
            benchmark,
            path,
            out,
            media=media,
            copy=copy,
            layout=layout,
            limit=limit,
            columns=columns,
            name=name,
            leave_out=leave_out,
            settings=read_settings(set_),
            dry_run=dry_run,
            progress=show,
        )
    say(f"{report}" if dry_run else f"{report}\n{out}")
    if report.refused:
        from fathom.records.errors import InputError

        raise InputError(report.refused)


def import_run(
    dataset: Annotated[Path, typer.Argument(help="The dataset folder.", file_okay=False)],
    path: Annotated[Path, typer.Argument(help="The file of predictions, or a folder of them.")],
    out: Annotated[Path, typer.Option(help="The run folder to make.", file_okay=False)],
    format: Annotated[
        str,
        typer.Option(
            help="vlmevalkit, lmms-eval, seed-bench, 4d-bench, sti-bench or 4d-bench-captions; recognized if "
            "not given."
        ),
    ] = "",
    model: Annotated[str, typer.Option(help="What the model is called; the file's name if not given.")] = "",
    columns: Annotated[
        str, typer.Option(help="For any other table: question=NAME,text=NAME[,answer=NAME].")
    ] = "",
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="Score only questions with a prediction; else the rest count as failed."
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Make a run from predictions that were made with another tool.

    It is scored, compared and reported like any other run. Example:

        fathom import-run seed GPT-4V.json --model gpt-4v --out runs/gpt-4v
    """
    from fathom import api

    with progress.shown(quiet) as show:
        report = api.import_run(
            dataset,
            path,
            out,
            format=format,
            model=model,
            columns=columns,
            partial=partial,
            progress=show,
        )
    say(f"{report}\n{out}")
