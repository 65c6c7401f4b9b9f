"""Rooms and streets seen from two places each, before and after a change: the same questions about all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fathom.assets.model import Model, mirrored_model
from fathom.datasets.findings import CheckResult, Made
from fathom.datasets.generator import Again, AnswerPair, Generator, Step
from fathom.datasets.generators.videos import as_painted, look_of
from fathom.datasets.generators.videos_cache import Part, VideoOwn, seen_in, sights_of_part
from fathom.datasets.generators.viewpoints_worlds import (
    Plan,
    ViewpointSettings,
    draw_world,
    with_writing,
    world_inputs,
    world_models,
)
from fathom.datasets.proofs import AGREE, DISAGREE, UNDECIDED, Proof, QuestionChoice
from fathom.datasets.stages import read_scene
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import as_filmed, footage
from fathom.named import attribute_of
from fathom.pages.tables import Table, per_cent
from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.balancing.viewpoints import chosen
from fathom.questions.candidate import SelectionCounts, counts_of
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Seeing, seen_by, sights_in
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.viewpoints import view_candidates
from fathom.questions.summary.viewpoints import (
    SUGGESTS,
    about_heights,
    share_of,
    turned_heights,
    view_tables,
)
from fathom.questions.view_candidate import ViewCandidate
from fathom.questions.writing.viewpoints import (
    FLIP,
    OPPOSITE_OF,
    ROOMS,
    in_the_mirror,
    is_mirrored,
    option_of,
    picture_name,
    with_mirror_images,
    written_views,
)
from fathom.records import Media, Question, Scene, Setting
from fathom.render.animated import painted
from fathom.render.tone import png
from fathom.render.variants import Engine
from fathom.scenes.looked_rooms import CHANGED_FROM, TIMES_S
from fathom.scenes.looked_rooms import GENERATOR as MADE_BY
from fathom.scenes.mirroring import mirrored
from fathom.scenes.viewpoints import COMMON
from fathom.settings import flat
from fathom.stats.intervals import accuracy_interval
from fathom.store.datasets import MEDIA_FOLDER, TRUTH_FOLDER, Dataset
from fathom.store.files import sha256_file, write_bytes
from fathom.verify.engine import derive
from fathom.verify.observed.video import observed_video

NAMES = (COMMON, "uncommon")
"""What the two viewpoints of a room are called."""

FRAMES = tuple(range(len(TIMES_S)))

LEAST_ASKED = 0.9
"""Which share of the questions that are wanted has to be asked."""

TURNED_HEIGHTS = 1 / 3
"""In which share of the questions about heights the lower object has to appear higher in the picture."""


Asked = QuestionChoice[tuple[Question, ...], SelectionCounts]


class Rooms(Generator[ViewpointSettings, VideoOwn, tuple[Question, ...], SelectionCounts]):
    """Rooms and streets seen from a common and from an uncommon viewpoint."""

    title = "rooms and streets seen from two places"
    plural = "worlds"
    makes = frozenset({MADE_BY})
    built_in_assets = "built-in"
    defaults = ViewpointSettings()
    part_type = Part
    choice_type = Asked
    drafts = True

    def settings(self, plan: Plan) -> dict[str, Setting]:
        own = plan.own
        told: dict[str, Setting] = {"streets": own.streets, "hssd": own.hssd}
        told |= {"mirrored": own.mirrored, "augment": own.augment}
        return told | flat("world", own.world)

    def inputs(self, plan: Plan) -> dict[str, str]:
        return dict(world_inputs(plan))

    def check(self, plan: Plan) -> None:
        recipe_of(plan)
        world_inputs(plan)

    def draw(self, plan: Plan, index: int) -> Scene:
        drawn = draw_world(plan, index)
        scene: Scene = msgspec.structs.replace(drawn, truth=f"{TRUTH_FOLDER}/{drawn.id}.zip")
        return scene

    def observe(self, plan: Plan, index: int, scene: Scene) -> Part:
        filmed, models = as_filmed(scene, world_models(plan, scene))
        shots = footage(filmed, models, FRAMES, POINTS)
        truth = write_cells(plan.out / scene.truth, filmed, shots, POINTS)
        with TruthCells(plan.out / scene.truth) as cells:
            visibility = sights_in(scene, cells)
        return Part(scene=scene, truth_sha256=truth, own=VideoOwn(seen=seen_in(visibility), faults=()))

    def offers(self, plan: Plan, part: Part) -> list[ViewCandidate]:
        return view_candidates(part.scene, sights_of_part(part), recipe_of(plan))

    def choose(self, plan: Plan, indices: Sequence[int], offers: Mapping[int, Any], step: Step) -> Asked:
        recipe = recipe_of(plan)
        scenes = {k: read_scene(plan, k).scene for k in indices}
        candidates = [c for k in sorted(indices) for c in offers[k]]
        selection = chosen(candidates, wanted_of(recipe.mix, list(scenes.values())), recipe)
        by_scene: dict[str, list[Question]] = {}
        by_id = {s.id: s for s in scenes.values()}
        for question in written_views(selection.selected, NAMES, by_id, recipe):
            asked = with_mirror_images([question]) if plan.own.mirrored else [question]
            by_scene.setdefault(question.scene, []).extend(asked)
        return Asked(
            indices=tuple(indices),
            work={k: tuple(by_scene[s.id]) for k, s in scenes.items() if s.id in by_scene},
            tally=counts_of(selection),
            lacking=(selection.short.total(),),
        )

    def prove(self, plan: Plan, part: Part, chosen: tuple[Question, ...] | None) -> Proof:
        questions = chosen or ()
        with TruthCells(plan.out / part.scene.truth) as cells:
            found = list(zip(questions, _answers(part.scene, cells, questions), strict=True))
        return Proof(
            questions=questions,
            first={q.id: first for q, (first, _) in found},
            second={q.id: second for q, (_, second) in found},
            verdicts={q.id: _verdict(q, *answers) for q, answers in found},
        )

    def paint(self, plan: Plan, part: Part, engine: Engine, whole: bool) -> tuple[Media, ...]:
        models = world_models(plan, part.scene)
        writing = with_writing(part.scene)
        made = []
        for frame, pixels in _pictures(plan, part.scene, models, engine):
            made.append(_written(plan, _media(part.scene, frame), pixels))
            if plan.own.mirrored and not writing:
                made.append(_written(plan, _flipped(_media(part.scene, frame)), pixels[:, ::-1]))
        if plan.own.mirrored and writing:
            other = {k: m if k in writing else mirrored_model(m) for k, m in models.items()}
            for frame, pixels in _pictures(plan, mirrored(part.scene), other, engine):
                made.append(_written(plan, _flipped(_media(part.scene, frame)), pixels))
        return tuple(made)

    def tables(self, made: Made) -> Iterator[Table]:
        yield from view_tables(_as_they_are(made), [p.scene for p in made.parts], made.choice.tally.selection)

    def promises(self, made: Made) -> Iterator[CheckResult]:
        selection = made.choice.tally.selection
        drawn = [q for q in _as_they_are(made) if OPPOSITE_OF not in q.tags]
        asked, wanted = len(drawn), len(NAMES) * sum(selection.wanted.values())
        yield CheckResult(
            name=f"at least {LEAST_ASKED:.0%} of the questions wanted are asked",
            passed=asked >= LEAST_ASKED * wanted,
            found=f"{asked} of {wanted}",
        )
        yield _picture_promise(_as_they_are(made))
        yield from _height_promise(_as_they_are(made))

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        return partial(_derived, dataset)


GENERATOR = Rooms()


def recipe_of(plan: Plan) -> VideoQuestionRecipe:
    """Return the benchmark's recipe of questions."""
    return _recipe(plan.recipe, plan.seed, plan.own.augment, plan.own.street_share)


@lru_cache(maxsize=4)
def _recipe(where: str, seed: str, augment: str, streets: float) -> VideoQuestionRecipe:
    make: Callable[[str, str, float], VideoQuestionRecipe] = attribute_of(where)
    return make(seed, augment, streets)


def _media(scene: Scene, frame: int) -> Media:
    viewpoint, room = NAMES[frame % CHANGED_FROM], ROOMS[frame // CHANGED_FROM]
    name, camera = f"{scene.id}-{picture_name(viewpoint, room)}", scene.cameras[0]
    return Media(
        id=name,
        path=f"{MEDIA_FOLDER}/{name}.png",
        kind="image",
        size=(camera.width, camera.height),
        sha256="",
        scene=scene.id,
        view=frame,
    )


def _pictures(
    plan: Plan, scene: Scene, models: dict[str, Model], engine: Engine
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the picture of each time, with its number."""
    joined, parts = as_painted(scene, models)
    cells = [(0, frame) for frame in FRAMES]
    for (_, frame), pixels in painted(joined, lambda _: parts, cells, engine, look_of(plan.quality)):
        yield frame, pixels


def _written(plan: Plan, media: Media, pixels: np.ndarray) -> Media:
    """Write a picture; return its entry."""
    write_bytes(plan.out / media.path, png(np.ascontiguousarray(pixels)))
    found: Media = msgspec.structs.replace(media, sha256=sha256_file(plan.out / media.path))
    return found


def _flipped(media: Media) -> Media:
    """Return the entry of a picture's mirror image."""
    path = media.path.removesuffix(".png") + f"{FLIP}.png"
    found: Media = msgspec.structs.replace(media, id=f"{media.id}{FLIP}", path=path)
    return found


def _as_they_are(made: Made) -> list[Question]:
    """Return the questions on pictures that are not mirrored."""
    return [q for q in made.questions if not is_mirrored(q)]


def _derived(dataset: Dataset, scene: Scene, asked: Sequence[Question]) -> Iterator[AnswerPair]:
    with TruthCells(dataset.truth_path(scene)) as cells:
        answers = list(_answers(scene, cells, asked))
    yield from (AnswerPair(first, second) for first, second in answers)


def _answers(
    scene: Scene, cells: TruthCells, questions: Sequence[Question]
) -> Iterator[tuple[str, str | None]]:
    """Yield the option that each question's program comes to on the exact poses, and the one that follows
    from what the pictures show; None where that does not decide.

    Of mirror images the first comes from the mirrored scene, and the second by rule from the picture itself.
    """
    seeing = Seeing()
    tracks = seen_by(video_view(scene), sights_in(scene, cells), seeing)
    made_out = (seeing.made_out_px, seeing.made_out_share)
    video = observed_video(scene, (cells.read(*at) for at in cells.cells), made_out)
    other = seen_by(video_view(mirrored(scene)), sights_in(scene, cells), seeing)
    for q in questions:
        turned, operator = is_mirrored(q), q.program[-1].op
        second = derive(q.program, video)
        first = option_of(q, str(run(q.program, other if turned else tracks).value))
        word = second.word if second else ""
        yield first, option_of(q, in_the_mirror(word, operator) if turned else word) if second else None


def _verdict(question: Question, first: str, second: str | None) -> str:
    if first != question.answer or second not in (None, first):
        return DISAGREE
    return AGREE if second else UNDECIDED


def _picture_promise(questions: Sequence[Question]) -> CheckResult:
    """Return the promise that boxes in the picture do not tell the answer."""
    right = [float(q.tags[SUGGESTS] == "the answer") for q in questions]
    chance = sum(1 / len(q.choices) for q in questions) / max(len(questions), 1)
    interval = accuracy_interval(right, [q.scene for q in questions])
    return CheckResult(
        name="boxes in the picture do not give the answer away",
        passed=interval.low <= chance,
        found=f"{per_cent(interval.value)} % [{per_cent(interval.low)}, {per_cent(interval.high)}], "
        f"chance {per_cent(chance)} %",
    )


def _height_promise(questions: Sequence[Question]) -> Iterator[CheckResult]:
    """Yield the promise that pictures often show the lower of two objects higher up."""
    shown = [turned_heights(q) for q in questions if about_heights(q)]
    if shown:
        yield CheckResult(
            name="at least a third of the lower objects appear higher in the picture",
            passed=sum(shown) >= TURNED_HEIGHTS * len(shown),
            found=f"{share_of(shown)} % of {len(shown)}",
        )
