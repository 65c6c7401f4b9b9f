"""Videos with exact motion: worlds at several scales, one camera that may move, one video of each.

What is asked of all videos is chosen at once; where that lacks questions, further worlds are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from fathom.assets.libraries import Library
from fathom.assets.loading import shape_hash
from fathom.assets.model import Model
from fathom.assets.together import with_still_as_one
from fathom.datasets.findings import CheckResult, Made
from fathom.datasets.generator import Again, AnswerPair, Generator, Step
from fathom.datasets.generators.videos_cache import (
    Part,
    VideoOwn,
    audited,
    media_of_video,
    seen_in,
    sights_of_part,
)
from fathom.datasets.generators.videos_checks import errors_table, placement_table, video_promises
from fathom.datasets.generators.videos_proofs import MAKES, proofs, video_answers
from fathom.datasets.generators.videos_settings import (
    Plan,
    VideoSettings,
    libraries_of,
    place_of,
    recipe_of,
    settings_of,
)
from fathom.datasets.proofs import Proof, QuestionChoice
from fathom.datasets.stages import read_scene
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import Swinging, as_filmed, footage
from fathom.pages.tables import Table
from fathom.questions.balancing.video import chosen
from fathom.questions.candidate import SelectionCounts, counts_of
from fathom.questions.contexts.video_visibility import Seeing, sights_in
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.video import drafted
from fathom.questions.summary.lacking import lacking_in, lacking_levels
from fathom.questions.summary.video import video_tables
from fathom.questions.video_candidate import VideoCandidate
from fathom.questions.writing.video import written
from fathom.records import InputError, Media, Question, Scene, Setting
from fathom.render.animated import CARES, RenderLook
from fathom.render.frame_writer import joined, make_film, make_stills
from fathom.render.variants import Engine
from fathom.scenes.videos.audit import audit
from fathom.scenes.videos.scales import SCALES, Scale
from fathom.store.datasets import TRUTH_FOLDER, Dataset, hash_of_stills

STILL = "still"
"""The id under which all that does not move is painted as one."""

GIVES = 3.0
"""How many of the missing questions a further world is taken to give."""


Asked = QuestionChoice[tuple[Question, ...], SelectionCounts]


class Videos(Generator[VideoSettings, VideoOwn, tuple[Question, ...], SelectionCounts]):
    """Videos and questions on what moves in them."""

    title = "videos with exact motion"
    plural = "videos"
    makes = MAKES
    built_in_assets = "built-in"
    defaults = VideoSettings()
    part_type = Part
    choice_type = Asked
    rounds = 3
    drafts = True

    def settings(self, plan: Plan) -> dict[str, Setting]:
        return settings_of(plan.own)

    def inputs(self, plan: Plan) -> dict[str, str]:
        libraries = [library for library in libraries_of(plan.assets).values() if library is not None]
        return {f"model:{b.name}:{a.name}": shape_hash(a) for b in libraries for a in b.assets}

    def check(self, plan: Plan) -> None:
        if plan.own.film_quality not in CARES:
            raise InputError(f"--set film_quality={plan.own.film_quality}: there is {', '.join(CARES)}")

    def draw(self, plan: Plan, index: int) -> Scene:
        scale, number = place_of(plan.own, index)
        library = libraries_of(plan.assets)[scale]
        drawn = SCALES[scale].draw(number, plan.seed, plan.own.worlds[scale], library)
        scene: Scene = msgspec.structs.replace(drawn, truth=f"{TRUTH_FOLDER}/{drawn.id}.zip")
        return scene

    def observe(self, plan: Plan, index: int, scene: Scene) -> Part:
        how, library = _how(plan, index)
        filmed, models = as_filmed(scene, how.models(scene, 0, library))
        frames = recipe_of(plan).frames(media_of_video(scene))
        swinging = partial(_swinging, how, scene, library)
        shots = footage(filmed, models, frames, POINTS, swinging)
        truth = write_cells(plan.out / scene.truth, filmed, shots, POINTS)
        with TruthCells(plan.out / scene.truth) as cells:
            visibility = sights_in(scene, cells)
        faults = audit(scene, how.limits).faults
        listed = tuple((f.kind, f.object_id, f.frame, f.value, f.limit, f.words) for f in faults)
        return Part(scene=scene, truth_sha256=truth, own=VideoOwn(seen=seen_in(visibility), faults=listed))

    def offers(self, plan: Plan, part: Part) -> list[VideoCandidate]:
        return list(drafted(part.scene, sights_of_part(part), recipe_of(plan).questions))

    def choose(self, plan: Plan, indices: Sequence[int], offers: Mapping[int, Any], step: Step) -> Asked:
        recipe = recipe_of(plan).questions
        ids = {k: read_scene(plan, k).scene.id for k in indices}
        first = [read_scene(plan, k).scene for k in indices if k < plan.scenes]
        drafts = [d for k in sorted(indices) for d in offers[k]]
        selection = chosen(drafts, wanted_of(recipe.mix, first), recipe)
        questions = tuple(written(selection.selected, recipe))
        if plan.own.graded:
            selection.levels = lacking_levels(questions, recipe.mix)
        by_scene: dict[str, list[Question]] = {}
        for q in questions:
            by_scene.setdefault(q.scene, []).append(q)
        return Asked(
            indices=tuple(indices),
            work={k: tuple(by_scene[name]) for k, name in ids.items() if name in by_scene},
            tally=counts_of(selection),
            lacking=(selection.short.total(), sum(selection.levels.values())),
        )

    def further(self, plan: Plan, choice: Asked, drawn: Sequence[int]) -> list[int]:
        return further(plan, lacking_in(choice.tally.selection), drawn)

    def prove(self, plan: Plan, part: Part, chosen: tuple[Question, ...] | None) -> Proof:
        questions = chosen or ()
        with TruthCells(plan.out / part.scene.truth) as cells:
            seeing = recipe_of(plan).questions.seeing
            found = proofs(part.scene, cells, sights_of_part(part), seeing, questions)
        return Proof(
            questions=questions,
            first={q.id: q.answer for q in questions},
            second={name: words for name, (_, words) in found.items()},
            verdicts={name: verdict for name, (verdict, _) in found.items()},
        )

    def whole(self, plan: Plan, place: int, index: int) -> bool:
        return place_of(plan.own, index)[1] < plan.own.films

    def paint(self, plan: Plan, part: Part, engine: Engine, whole: bool) -> tuple[Media, ...]:
        how, library = SCALES[part.scene.generator], libraries_of(plan.assets)[part.scene.generator]
        scene, models = as_painted(part.scene, how.models(part.scene, 0, library))
        looks = partial(_models, models, partial(_swinging, how, part.scene, library))
        frames, care = {0: part.own.seen.frames}, look_of(plan.quality)
        made = list(make_stills(plan.out, scene, looks, frames, engine, care, _media))
        if whole:
            care = look_of(plan.own.film_quality)
            made += make_film(plan.out, scene, looks, (0,), engine, care, _media)
        return tuple(joined(made))

    def unpainted(self, plan: Plan, part: Part) -> tuple[Media, ...]:
        return (msgspec.structs.replace(media_of_video(part.scene), sha256=hash_of_stills({})),)

    def tables(self, made: Made) -> Iterator[Table]:
        selection = made.choice.tally.selection
        yield placement_table([(p.scene, audited(p)) for p in made.parts])
        yield from video_tables(made.questions, selection)
        yield errors_table(_with_options(made))

    def promises(self, made: Made) -> Iterator[CheckResult]:
        audits = [audited(p) for p in made.parts]
        yield from video_promises(_with_options(made), made.choice.tally.selection, audits)

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        return partial(_derived, dataset)


GENERATOR = Videos()


def further(plan: Plan, lacking: Mapping[str, int], drawn: Sequence[int]) -> list[int]:
    """Return which worlds are drawn next: of each setting as many as may give what it lacks, those that lack
    most first, within the bound of the plan.
    """
    own = plan.own
    left = math.floor(own.further * plan.scenes) - (len(drawn) - plan.scenes)
    need = {s: math.ceil(n / GIVES) for s, n in lacking.items() if s in own.scales and n}
    return further_worlds(plan.scenes, left, need, drawn, lambda k: place_of(own, k)[0])


def further_worlds(
    scenes: int, most: int, need: Mapping[str, int], drawn: Sequence[int], setting_of: Callable[[int], str]
) -> list[int]:
    """Return which worlds are drawn besides the first ones, at most so many: of each setting as many as it
    needs, those that need most first. `setting_of` tells the setting of a world by its number, and comes
    round to each of them.
    """
    need = dict(need)
    found: list[int] = []
    while need and len(found) < most:
        setting = max(sorted(need), key=lambda s: need[s])
        there = [k for k in (*drawn, *found) if k >= scenes and setting_of(k) == setting]
        start = max(there, default=scenes - 1) + 1
        found.append(next(k for k in count(start) if setting_of(k) == setting))
        need = {s: n - (s == setting) for s, n in need.items() if n > (s == setting)}
    return sorted(found)


def look_of(quality: str) -> RenderLook:
    """Return how pictures are painted: previews with fewer samples than a single picture has."""
    return RenderLook("draft" if quality == "preview" else quality)


def as_painted(scene: Scene, models: dict[str, Model]) -> tuple[Scene, dict[str, Model]]:
    """Return a video with all that does not move as one object, which is made ready for light once."""
    still = [t for t in scene.objects if len(t.poses) == 1 and t.poses[0].valid]
    return with_still_as_one(scene, models, STILL, still)


def _with_options(made: Made) -> list[Question]:
    return [q for q in made.questions if q.choices]


def _derived(dataset: Dataset, scene: Scene, asked: Sequence[Question]) -> Iterator[AnswerPair]:
    with TruthCells(dataset.truth_path(scene)) as cells:
        answers = list(video_answers(scene, cells, asked, Seeing()))
    yield from (AnswerPair(first, second) for first, second in answers)


def _how(plan: Plan, index: int) -> tuple[Scale, Library | None]:
    scale, _ = place_of(plan.own, index)
    return SCALES[scale], libraries_of(plan.assets)[scale]


def _models(models: dict[str, Model], swinging: Swinging, frame: int) -> dict[str, Model]:
    return {**models, **swinging(frame)}


def _swinging(how: Scale, scene: Scene, library: Library | None, frame: int | None) -> Mapping[str, Model]:
    return how.swinging(scene, frame, library)


def _media(scene: Scene, view: int) -> Media:
    return media_of_video(scene)
