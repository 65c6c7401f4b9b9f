"""`fathom build`: worlds, truth, questions and pictures into a dataset folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fathom.cli import progress
from fathom.cli.console import say, warn
from fathom.cli.settings import command_listing, option_among, read_settings, set_option

if TYPE_CHECKING:
    from fathom.settings import SettingLine


def add_to(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command("build", cls=command_listing(_settings_of))(build)


def _settings_of(benchmark: str, words: Sequence[str]) -> tuple[str, Sequence[SettingLine]]:
    from fathom import api

    what, lines = api.build_settings(benchmark, option_among(words, "--generator"))
    return f"Settings of {what} (--set NAME=VALUE)", lines


def build(
    benchmark: Annotated[
        str,
        typer.Argument(
            help="Which benchmark: pulsecheck457, 4d-bench, sti-bench, 3dsrbench, seed-bench, or "
            "module:attribute of your own."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder to make.", file_okay=False)],
    scenes: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many scenes, animated objects or videos. Few scenes leave kinds of questions out; the "
            "README says how many each benchmark needs.",
        ),
    ] = 100,
    seed: Annotated[str, typer.Option(help="Everything random follows from it.")] = "0",
    generator: Annotated[
        str,
        typer.Option(
            help="What makes the scenes, as module:attribute of your own; else the benchmark's first."
        ),
    ] = "",
    assets: Annotated[
        Path | None,
        typer.Option(
            help="A folder of glTF/GLB models with a manifest (see fathom assets index), of sti-bench one "
            "with such folders (tabletop, indoor, street, vehicles); else the built-in ones."
        ),
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
    set_: Annotated[
        list[str] | None, set_option("the benchmark's scenes and questions", "fathom build BENCHMARK")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Stop at the first model or object that cannot be used, instead of leaving it out, and fail "
            "where a check of the whole dataset is not met, instead of saying so.",
        ),
    ] = False,
    photos: Annotated[
        Path | None,
        typer.Option(
            help="Of 3dsrbench: a folder of photographs about which people write the questions.",
            file_okay=False,
        ),
    ] = None,
    instances: Annotated[
        Path | None,
        typer.Option(
            help="With --photos: COCO's instances (JSON), offered to people as words and marks.",
            dir_okay=False,
        ),
    ] = None,
    person: Annotated[
        list[str] | None, typer.Option(help="With --photos: the name of somebody who writes; repeatable.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Build a dataset.

    Scenes with exact ground truth, questions whose answers are derived twice, and images or videos.

    Started again with the same arguments it carries on where it stopped. With a benchmark before --help, its
    settings are listed too. Examples:

        fathom build pulsecheck457 --out my-set --scenes 200 --seed 7

        fathom build 4d-bench --out my-objects --scenes 20 --assets animated/

        fathom build sti-bench --out my-videos --scenes 30 --quality preview --set desktop.most=8

    Of photographs people write the questions: the first start prepares pages, later ones make a dataset of
    what is written:

        fathom build 3dsrbench --photos photos --out my-photos --person Ana --person Ben
    """
    from fathom import api
    from fathom.records import InputError

    if photos is not None:
        scenes_only = {"--assets": assets, "--generator": generator, "--set": set_}
        _from_photos(benchmark, photos, out, person or (), instances, scenes_only)
        return
    if instances is not None or person:
        raise InputError("--instances, --person: belong to a build of photographs; give --photos too")
    with progress.shown(quiet) as show:
        summary = api.build_dataset(
            benchmark,
            out,
            scenes=scenes,
            seed=seed,
            assets=assets,
            renderer=renderer,
            quality=quality,
            workers=workers,
            train_scenes=train_scenes,
            settings=read_settings(set_),
            generator=generator,
            strict=strict,
            progress=show,
        )
    say(str(summary))
    broken = [v.name for v in summary.verdicts if not v.passed]
    if broken:
        say(f"{out}: checks not passed: {'; '.join(broken)} (small sets often miss some; build more scenes)")
    say(f"{out}: complete; put it to a model with: fathom run {out} --model MODEL --out RUN")


def _from_photos(
    benchmark: str,
    photos: Path,
    out: Path,
    people: Sequence[str],
    instances: Path | None,
    scenes_only: Mapping[str, object],
) -> None:
    from fathom import api
    from fathom.records import InputError
    from fathom.review.server import links_text

    if odd := [name for name, given in scenes_only.items() if given]:
        raise InputError(f"{odd[0]}: belongs to builds of scenes; leave it out with --photos")
    found = api.build_from_photos(benchmark, photos, out, people=people, instances=instances, say=warn)
    say(found.text)
    if found.links:
        say("the links; each is for one person, and is not shown again:")
        say(links_text(found.links, "http://localhost:8600"))
