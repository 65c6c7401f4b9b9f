"""`fathom build`: worlds, truth, questions and pictures into a dataset folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say
from fathom.cli.run import read_options


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("build")(build)


def build(
    benchmark: Annotated[
        str, typer.Argument(help="Which benchmark: pulsecheck457, 4d-bench, sti-bench, or module:attribute.")
    ],
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)],
    scenes: Annotated[int, typer.Option(min=1, help="How many scenes, objects, or videos.")] = 100,
    seed: Annotated[str, typer.Option(help="Everything random follows from it.")] = "0",
    rules: Annotated[
        str,
        typer.Option(
            help="fathom: dead bands, every reading of the words, all checks enforced. "
            "paper: the published thresholds, checks reported."
        ),
    ] = "fathom",
    assets: Annotated[
        Path | None,
        typer.Option(
            help="A folder of glTF/GLB models with a manifest (see fathom assets index), of sti-bench one "
            "with such folders (tabletop, indoor, street, vehicles); else the built-in ones."
        ),
    ] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option(
            help="Of films: a file of verbs for clips beside ours; else fathom-lexicon.json in the folder.",
            dir_okay=False,
        ),
    ] = None,
    environment: Annotated[
        Path | None, typer.Option(help="A folder of .hdr/.exr light probes; else the built-in skies.")
    ] = None,
    renderer: Annotated[
        str, typer.Option(help="mitsuba, mitsuba-scalar, or none (truth and questions without pictures).")
    ] = "mitsuba",
    quality: Annotated[str, typer.Option(help="draft, preview or final.")] = "final",
    workers: Annotated[
        int, typer.Option(min=0, help="Processes to work with; 0: one a core. The result is the same.")
    ] = 0,
    train_scenes: Annotated[
        int, typer.Option(min=0, help="Also build a training split of so many scenes, in OUT-train.")
    ] = 0,
    headings: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="<file>",
            help="A file of real headings in degrees, one a line, to set beside ours; repeatable.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the worlds or of curation (fewest=5, frames=24, films=6, desktop.most=8, "
            "curate=off, curate.floors.least_triangles=50 …); repeatable. A wrong name lists all of them.",
        ),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(help="Of films: what people decided about objects, as verdicts.jsonl.", dir_okay=False),
    ] = None,
    classifier: Annotated[
        Path | None,
        typer.Option(help="Of films: the folder of a training of fathom curate train.", file_okay=False),
    ] = None,
    clip: Annotated[
        Path | None,
        typer.Option(help="The folder of the CLIP model that it was trained on.", file_okay=False),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Stop at the first model or object that cannot be used, instead of leaving it out, and fail "
            "where a check of the whole dataset is not met, instead of saying so.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Build a dataset.

    Worlds, exact truth, questions whose answers are proved twice, pictures.

    Started again with the same arguments it carries on where it stopped. Example:

        fathom build pulsecheck457 --out my-set --scenes 200 --seed 7

        fathom build 4d-bench --out my-films --scenes 20 --assets animated/

        fathom build sti-bench --out my-videos --scenes 30 --quality preview
    """
    from fathom import api

    with progress.shown(quiet) as show:
        summary = api.build_dataset(
            benchmark,
            out,
            scenes=scenes,
            seed=seed,
            rules=rules,
            assets=assets,
            environment=environment,
            renderer=renderer,
            quality=quality,
            workers=workers,
            train_scenes=train_scenes,
            headings=tuple(headings or ()),
            settings=read_options(set_ or (), "--set"),
            lexicon=lexicon,
            verdicts=verdicts,
            classifier=classifier,
            clip=clip,
            strict=strict,
            progress=show,
        )
    say(str(summary))
    broken = [v.name for v in summary.verdicts if not v.passed]
    if broken:
        say(f"{out}: does not keep {', '.join(broken)}; where there is too little, build more scenes")
    say(f"{out}: complete; put it to a model with: fathom run {out} --model MODEL --out RUN")
