"""From what a build was asked for to a plan, and to the pipeline that makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fathom.build.checks import Checks
from fathom.build.parts import Progress
from fathom.build.settings import names_of, with_settings
from fathom.records import InputError

Texts = Mapping[str, str]


def scenes_asked(
    plan: Mapping[str, Any],
    headings: Sequence[Path],
    settings: Texts,
    workers: int,
    strict: bool,
    progress: Progress,
) -> Checks:
    """Build scenes that stand still, with these settings of their worlds, and return what was found.

    Raises InputError for a setting that there is not, and what the build raises.
    """
    from fathom.build.pipeline import build
    from fathom.build.plan import Plan
    from fathom.build.worlds.scatter import Scatter

    world, left = with_settings(Scatter(), settings)
    _check_left(left, names_of(world))
    return build(Plan(**plan, world=world), workers, headings, strict, progress)


def films_asked(
    plan: Mapping[str, Any],
    files: Mapping[str, Path | None],
    settings: Texts,
    workers: int,
    strict: bool,
    progress: Progress,
) -> Checks:
    """Build films of animated objects, with these settings, and return what was found.

    `files` are the lexicon, people's verdicts, a classifier and its clip model. Raises InputError for a
    setting that there is not, and what the build raises.
    """
    from fathom.build.film_cast import examined
    from fathom.build.film_plan import CURATE, SETTABLE, FilmPlan, curation_from, curation_texts
    from fathom.build.films import build_films

    if (files["classifier"] is None) != (files["clip"] is None):
        raise InputError("--classifier and --clip: expected both or none, found one; give the other as well")
    named: dict[str, Any] = {"encoder" if k == "clip" else k: path for k, path in files.items()}
    curating = {k: v for k, v in settings.items() if k.partition(".")[0] == CURATE}
    own = {k: v for k, v in settings.items() if k in SETTABLE}
    curation = curation_from(curating)
    made, _ = with_settings(FilmPlan(**plan, **named), own)
    rest = {k: v for k, v in settings.items() if k not in curating | own}
    staging, left = with_settings(made.staging, rest)
    _check_left(left, (*SETTABLE, *names_of(staging), *curation_texts(curation)))
    left_out = examined(made.assets, made.lexicon, strict, workers) if made.assets else ()
    return build_films(
        replace(made, staging=staging, curation=curation, left_out=left_out), workers, strict, progress
    )


def videos_asked(
    plan: Mapping[str, Any], settings: Texts, workers: int, strict: bool, progress: Progress
) -> Checks:
    """Build videos with exact motion, with these settings of their worlds, and return what was found.

    Raises InputError for a setting that there is not, and what the build raises.
    """
    from fathom.build.videos.pipeline import build_videos
    from fathom.build.videos.plan import SETTABLE, VideoPlan, with_worlds, world_names

    own = {k: v for k, v in settings.items() if k in SETTABLE}
    made, _ = with_settings(VideoPlan(**plan), own)
    worlds, left = with_worlds(made, {k: v for k, v in settings.items() if k not in own})
    _check_left(left, (*SETTABLE, *world_names(made)))
    return build_videos(replace(made, worlds=worlds), workers, strict, progress)


def only_for(
    what: str, files: Mapping[str, Path | None], benchmark: str, settings: Texts | None = None
) -> None:
    """Raise InputError for an option that this benchmark has no use for.

    `settings`: option → the setting that says here what the option says elsewhere.
    """
    here = settings or {}
    for option, path in files.items():
        if path is not None:
            instead = f"use --set {here[option]}=NAME" if option in here else "leave it out"
            raise InputError(f"--{option} {path}: is for {what}, and {benchmark} has none; {instead}")


def _check_left(left: Texts, known: Sequence[str]) -> None:
    for name, text in left.items():
        group, dot, own = name.rpartition(".")
        beside = [k.rpartition(".")[2] for k in known if k.rpartition(".")[0] == group]
        near = get_close_matches(own, beside, n=1, cutoff=0.7)
        meant = f"did you mean {group}{dot}{near[0]}? There are" if near else "there are"
        raise InputError(f"--set {name}={text}: there is no setting {name!r}; {meant} {', '.join(known)}")
