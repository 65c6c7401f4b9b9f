"""What is known of pictures (`fathom extract`), questions that models write (`fathom write-questions`), and
captions that people write (`fathom captions`).
"""

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
    app.command("extract")(extract)
    app.command("write-questions", cls=command_listing(_settings_of))(write_questions)
    app.command("written", hidden=True)(write_questions)  # its name before
    app.command("captions")(captions)


def _settings_of(dataset: str, words: Sequence[str]) -> tuple[str, Sequence[SettingLine]]:
    from fathom import api

    return "Settings of the work (--set NAME=VALUE)", api.writing_settings(Path(dataset))


def extract(
    images: Annotated[Path, typer.Argument(help="A folder of pictures, or a dataset.", file_okay=False)],
    out: Annotated[
        Path, typer.Option(help="The folder of information, or of requests, to make.", file_okay=False)
    ],
    extractors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=WHAT]",
            help="perfect, noisy=labels=0.1,missed=0.1,attributes=0.1,boxes=0.02 (both of a dataset with "
            "scenes); jsonl=FILE, coco=FILE; ocr, imagenet, coco80 (their weights lie in packages; "
            "coco80=FOLDER names its own); captions=, tags=, objects=, words=, outlines= or "
            "regions=CHECKPOINT (models of transformers); replies=RUN; or module:attribute. Repeatable: each "
            "may use what those before it said.",
        ),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Write requests for a model that sees the pictures instead.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Collect what is known of pictures: captions, objects, attributes, regions, texts.

    OUT/info.jsonl has a record a picture that says who said what, and how sure. A picture that cannot be read
    costs one sentence. Started again with the same arguments it carries on where it stopped. Questions are
    then written with `fathom write-questions OUT WORK`. Examples:

        fathom extract my-set --out info --extractors perfect

        fathom extract photos --out info --extractors captions=blip2 --extractors words=owlv2,score=0.2

        fathom extract photos --out asked --ask, then fathom run asked --model openai:MODEL --out said, then
        fathom extract photos --out info --extractors replies=said
    """
    from fathom import api
    from fathom.records import InputError

    if ask:
        if extractors:
            raise InputError("extract: --ask writes requests alone; leave --extractors out")
        asked, left = api.ask_of_pictures(images, out)
        say("\n".join([f"{asked:,} requests", *(f"  left out: {why}" for why in left)]))
        say(
            f"next: fathom run {out} --model MODEL --out RUN, then fathom extract {images} --out INFO "
            "--extractors replies=RUN"
        )
        return
    with progress.shown(quiet) as show:
        report = api.extract_information(images, out, extractors=extractors or (), progress=show)
    say(f"{report}\n{out}")


def write_questions(
    dataset: Annotated[Path, typer.Argument(help="The dataset, built or imported.", file_okay=False)],
    work: Annotated[
        Path, typer.Argument(help="The folder of the work, to make or to go on with.", file_okay=False)
    ],
    responses: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="RUN", help="A run that answers requests in the folder; repeatable, each given once."
        ),
    ] = None,
    decisions: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="What people decided: the folder of an export of fathom review WORK; repeatable.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None, set_option("the work, at its first call", "fathom write-questions DATASET")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Make a dataset here: the given one, with the questions that were accepted.", file_okay=False
        ),
    ] = None,
) -> None:
    """Have models write questions, step by step.

    About animated objects: one model writes questions from the images, another checks them, two try to
    answer them without images, and people decide. About videos with exact tracks: a model describes objects
    and writes questions about facts; both are checked against the ground truth, and people decide what it
    cannot. About pictures of which something is known (fathom extract): models write from that, three try to
    answer blind, and people answer and sort the questions. About clips of annotated videos (fathom import
    seed-bench --layout annotations): a model writes other wrong options, three try to answer blind, and
    people answer. Other datasets are refused. Each call goes on as far as it can, then says which requests
    wait for which model. Example:

        fathom write-questions my-objects work

        fathom run work/write/01 --model openai:gpt-4o --out written

        fathom write-questions my-objects work --responses written

    and so on. What people are to decide stands in work/review.jsonl, to be filled in there or on pages:

        fathom review work --task drafts --out review --person Ana --person Ben

        fathom review review --export decided

        fathom write-questions my-objects work --decisions decided --out my-objects-written
    """
    from fathom import api

    made = api.write_questions(
        dataset,
        work,
        responses=responses or (),
        decisions=decisions or (),
        settings=read_settings(set_),
        out=out,
    )
    say(made)


def captions(
    dataset: Annotated[Path, typer.Argument(help="The dataset, built or imported.", file_okay=False)],
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A table with folder_name and caption_1 …, or with object, caption and decision.",
            dir_okay=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="The dataset folder to make.", file_okay=False)],
    add: Annotated[
        bool, typer.Option("--add", help="Put written captions behind an object's own, not in their place.")
    ] = False,
    writer: Annotated[str, typer.Option(help="Who wrote them, where the file has no column `writer`.")] = "",
) -> None:
    """Make a dataset whose reference captions people wrote or revised.

    CSV, TSV or JSON lines. A line of revisions keeps, rejects or revises one caption of an object, and names
    who did. What cannot be taken over is printed by reason. Example:

        fathom captions my-objects captions.csv --writer ana --out my-objects-captioned
    """
    from fathom import api

    say(f"{api.take_captions(dataset, path, out, add=add, writer=writer)}\n{out}")
