"""Animated objects: one actor and what is around it, seen from all sides over a stretch of time.

Objects are drawn, looked at alone, and some left out (see `animated_curation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from fathom.authoring.captions.book import FILE as CAPTIONS
from fathom.authoring.captions.book import book_of
from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.questions import caption_question
from fathom.curation.curate import FILE as CURATION
from fathom.curation.curate import Curation, write_curation
from fathom.curation.verdicts import read_verdicts
from fathom.datasets.findings import CheckResult, Made
from fathom.datasets.generator import Again, Generator, Step
from fathom.datasets.generators.animated_checks import curation_tables, object_promises
from fathom.datasets.generators.animated_curation import (
    ObjectPart,
    curated,
    grade_of,
    measured_of,
    object_drawn,
)
from fathom.datasets.generators.animated_library import examined
from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.datasets.generators.animated_proofs import VISIBILITY_FOLDER, checked_captions, derivation
from fathom.datasets.generators.animated_settings import (
    AnimatedSettings,
    Plan,
    inputs_of,
    library_of_plan,
    recipe_of,
    settings_of,
)
from fathom.datasets.proofs import Proof, QuestionChoice, ScenePart, compared
from fathom.datasets.stages import read_scene
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS, TruthCell, cells_of, views_looked_at
from fathom.pages.tables import Table
from fathom.questions.animated_candidate import AnimatedCandidate, AnimatedSelected
from fathom.questions.balancing.animated import select
from fathom.questions.candidate import SceneCandidates, SelectionCounts, counts_of
from fathom.questions.sampling.animated import offer
from fathom.questions.summary.animated import animated_tables
from fathom.questions.writing.animated import write
from fathom.records import InputError, Media, Question, Record, Scene, Setting
from fathom.render.animated import CARES, RenderLook
from fathom.render.frame_writer import joined, make_film, make_stills, media_of
from fathom.render.variants import Engine
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import limbs_of, model_at, models_at
from fathom.scenes.visibility_files import read_visibility_grid, write_visibility_grid
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.store.datasets import Dataset, hash_of_stills
from fathom.store.files import read_json, sha256_file, write_json, write_jsonl
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import observed_animation

MEASURED = "measured.jsonl"


class ObjectOwn(Record, frozen=True, kw_only=True):
    """What could be asked of an object, and of which asset it is made."""

    asset: str
    candidates: tuple[AnimatedCandidate, ...] = ()
    tried: dict[str, int] = {}


class ObjectTally(Record, frozen=True, kw_only=True):
    """What the selection came to, and which objects were left out."""

    counts: SelectionCounts
    curation: Curation


Part = ScenePart[ObjectOwn]
Asked = QuestionChoice[tuple[AnimatedSelected, ...], ObjectTally]


class AnimatedObjects(Generator[AnimatedSettings, ObjectOwn, tuple[AnimatedSelected, ...], ObjectTally]):
    """Animated objects, questions on them and captions of them."""

    title = "films of animated objects"
    plural = "objects"
    makes = frozenset({"stories"})
    part_type = Part
    choice_type = Asked
    drawn_type = ObjectPart
    defaults = AnimatedSettings()
    curates = True

    @property
    def built_in_assets(self) -> str:  # type: ignore[override]
        """What the built-in actors are called."""
        return built_in_animated().name

    def examined(self, plan: Plan, workers: int) -> Plan:
        if plan.assets is None:
            return plan
        left_out = examined(plan.assets, plan.own.lexicon, plan.strict, workers)
        return replace(plan, own=replace(plan.own, left_out=left_out))

    def settings(self, plan: Plan) -> dict[str, Setting]:
        return settings_of(plan.own)

    def inputs(self, plan: Plan) -> dict[str, str]:
        return inputs_of(plan)

    def check(self, plan: Plan) -> None:
        own, known = plan.own, recipe_of(plan).showings(plan.own.staging, plan.quality)
        if own.shown not in known:
            raise InputError(f"--set shown={own.shown}: there is {', '.join(known)}")
        if own.film_quality not in CARES:
            raise InputError(f"--set film_quality={own.film_quality}: there is {', '.join(CARES)}")
        grade_of(plan)  # opens the classifier, where there is one

    def draw(self, plan: Plan, index: int) -> Scene:
        return draw_animated_scene(index, plan.seed, library_of_plan(plan), plan.own.staging)

    def drawn(self, plan: Plan, index: int) -> ObjectPart:
        return object_drawn(plan, index, self.draw)

    def keep(self, plan: Plan, drawn: Sequence[int]) -> list[int]:
        verdicts = read_verdicts(plan.own.verdicts) if plan.own.verdicts else ()
        curation, indices = curated(plan, drawn, verdicts)
        write_json(plan.work / CURATION, curation)
        return indices

    def observe(self, plan: Plan, index: int, scene: Scene) -> Part:
        library = library_of_plan(plan)
        truth = write_cells(plan.out / scene.truth, scene, _truth(plan, scene), POINTS)
        grid = grid_of(len(scene.times_s))
        visibility = visibility_grid_of(
            scene, partial(models_at, scene, library), grid, limbs_of(scene, library)
        )
        path = f"{VISIBILITY_FOLDER}/{scene.id}.npz"
        write_visibility_grid(plan.out / path, visibility)
        lot = offer(scene, visibility, recipe_of(plan).questions)
        own = ObjectOwn(asset=scene.objects[0].asset.name, candidates=lot.candidates, tried=dict(lot.tried))
        return Part(scene=scene, truth_sha256=truth, files={path: sha256_file(plan.out / path)}, own=own)

    def choose(self, plan: Plan, indices: Sequence[int], offers: Mapping[int, Any], step: Step) -> Asked:
        lots: dict[int, SceneCandidates[AnimatedCandidate]] = {}
        for k in indices:
            part = read_scene(plan, k)
            own: ObjectOwn = part.own
            lots[k] = SceneCandidates(part.scene.id, own.candidates, Counter(own.tried))
        selection = select([*lots.values()], recipe_of(plan).questions)
        of_scene = selection.by_scene()
        return Asked(
            indices=tuple(indices),
            work={k: tuple(of_scene.get(lot.scene, ())) for k, lot in lots.items()},
            tally=ObjectTally(
                counts=counts_of(selection),
                curation=read_json(plan.work / CURATION, Curation),
            ),
        )

    def prove(self, plan: Plan, part: Part, chosen: tuple[AnimatedSelected, ...] | None) -> Proof:
        scene, recipe = part.scene, recipe_of(plan)
        visibility = read_visibility_grid(plan.out / VISIBILITY_FOLDER / f"{scene.id}.npz")
        questions, found = write(scene, visibility, chosen or (), recipe.questions)
        with TruthCells(plan.out / scene.truth) as cells:
            film = observed_animation(scene, cells, motion_library_of(scene, library_of_plan(plan)))
        first = {q.id: key_of(q) for q in questions}
        second = {q.id: derived_text(q.program, film) for q in questions}
        captions = recipe.captions(scene, visibility)
        wrong = {c.text: faults(c, scene, recipe.lexicon, visibility) for c in captions}
        return Proof(
            questions=tuple(questions),
            found=dict(found),
            first=first,
            second=second,
            verdicts=compared(first, second),
            more=(caption_question(scene, captions, ()),) if captions else (),
            captions=captions,
            untrue={text: "; ".join(why) for text, why in wrong.items() if why},
        )

    def whole(self, plan: Plan, place: int, index: int) -> bool:
        return place < plan.own.films

    def paint(self, plan: Plan, part: Part, engine: Engine, whole: bool) -> tuple[Media, ...]:
        own, scene = plan.own, part.scene
        models = partial(models_at, scene, library_of_plan(plan))
        made: list[Media] = []
        # What comes later is painted over what came before.
        for showing in recipe_of(plan).showings(own.staging, plan.quality)[own.shown]:
            look = RenderLook(quality=showing.quality)
            made += make_stills(plan.out, scene, models, showing.cells, engine, look)
        if whole:
            views = range(len(scene.cameras))
            made += make_film(plan.out, scene, models, views, engine, RenderLook(quality=own.film_quality))
        return with_every_view(scene, joined(made))

    def unpainted(self, plan: Plan, part: Part) -> tuple[Media, ...]:
        return with_every_view(part.scene, ())

    def slim(self, own: ObjectOwn) -> ObjectOwn:
        return ObjectOwn(asset=own.asset)

    def tables(self, made: Made) -> Iterator[Table]:
        tally: ObjectTally = made.choice.tally
        yield from curation_tables(tally.curation)
        yield from animated_tables(made.questions, tally.counts.selection, made.findings.checked)

    def promises(self, made: Made) -> Iterator[CheckResult]:
        yield from object_promises(made.questions, recipe_of(made.plan).questions.mix)

    def write(self, made: Made) -> tuple[str, ...]:
        plan, curation = made.plan, made.choice.tally.curation
        write_jsonl(plan.out / MEASURED, measured_of(plan))
        write_curation(plan.out, curation, Counter(q.task for q in made.questions))
        write_json(plan.out / CAPTIONS, book_of(made.findings.captions, recipe_of(plan).lexicon))
        return (MEASURED, CURATION, CAPTIONS)

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        return derivation(dataset, assets)

    def captions(self, dataset: Dataset, asked: Sequence[Question]) -> Iterator[tuple[str, list[str] | None]]:
        return checked_captions(dataset, asked)


GENERATOR = AnimatedObjects()


def _truth(plan: Plan, scene: Scene) -> Iterator[TruthCell]:
    """Yield the cells that the second derivation may look at, a frame at a time."""
    library = library_of_plan(plan)
    views = views_looked_at(scene, plan.own.truth_step)
    # The actor's points are followed through time; everything else moves as a whole.
    actor = scene.objects[0]
    stance = model_at(actor, library, scene.times_s[0])
    rest = {actor.id: stance} if stance else {}
    for frame in grid_of(len(scene.times_s)):
        yield from cells_of(scene, models_at(scene, library, frame), frame, views, rest)


def key_of(question: Question) -> str:
    """Return the key of a question's answer: the argument of its last step at the place of its choice."""
    return question.program[-1].args[question.choices.index(question.answer)]


def with_every_view(scene: Scene, media: Iterable[Media]) -> tuple[Media, ...]:
    """Return the media, and a record of every other view, of which nothing was painted."""
    made = {m.view: m for m in media}
    for view in range(len(scene.cameras)):
        if view not in made:
            made[view] = msgspec.structs.replace(media_of(scene, view), sha256=hash_of_stills({}))
    return tuple(made[view] for view in sorted(made))
