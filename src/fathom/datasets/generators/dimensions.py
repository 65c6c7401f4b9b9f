"""Pictures of rooms and streets, videos of tables and of people who act, and questions with four options.

Which world is made is told by its number. Rooms and streets give one picture each; tables, and rooms in which
somebody acts, one short video of which every frame is kept.

Ref: SEED-Bench §3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec

from fathom.assets.libraries import Library
from fathom.assets.loading import shape_hash
from fathom.assets.model import Model
from fathom.datasets.findings import CheckResult, Made
from fathom.datasets.generator import Again, AnswerPair, Generator, PaintedQuestions, Step
from fathom.datasets.generators.dimensions_settings import DimensionSettings
from fathom.datasets.generators.videos import as_painted, further_worlds, look_of
from fathom.datasets.generators.videos_cache import Part, VideoOwn, media_of_video, seen_in, sights_of_part
from fathom.datasets.generators.videos_settings import libraries_of
from fathom.datasets.legible import asks_for_writing, can_read, unread
from fathom.datasets.plan import DatasetPlan
from fathom.datasets.proofs import AGREE, DISAGREE, UNDECIDED, Proof, QuestionChoice
from fathom.datasets.stages import read_scene
from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import POINTS
from fathom.ground_truth.footage import as_filmed, footage
from fathom.named import attribute_of
from fathom.pages.tables import Table
from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.balancing.choices import chosen
from fathom.questions.candidate import SelectionCounts, counts_of
from fathom.questions.choice_candidate import ChoiceCandidate
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Seeing, seen_by, sights_in
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.choices import choice_candidates
from fathom.questions.summary.choices import choice_tables
from fathom.questions.summary.lacking import lacking_in
from fathom.questions.writing.choices import written_choices
from fathom.questions.writing.viewpoints import option_of
from fathom.records import InputError, Media, Question, Scene, Setting
from fathom.render.animated import CARES, painted
from fathom.render.frame_writer import make_film
from fathom.render.tone import png
from fathom.render.variants import Engine
from fathom.scenes.acting import rooms as acted_rooms
from fathom.scenes.acting.rooms import GENERATOR as ACTED
from fathom.scenes.acting.rooms import draw_acted_room
from fathom.scenes.pictured_rooms import GENERATOR as ROOM
from fathom.scenes.pictured_rooms import draw_pictured_room
from fathom.scenes.pictured_streets import GENERATOR as STREET
from fathom.scenes.pictured_streets import draw_pictured_street
from fathom.scenes.videos import desktop, indoor_objects, streetscape
from fathom.scenes.videos.desktop import draw_desktop
from fathom.settings import flat
from fathom.store.datasets import MEDIA_FOLDER, TRUTH_FOLDER, Dataset
from fathom.store.files import sha256_file, write_bytes
from fathom.verify.engine import derive
from fathom.verify.observed.video import observed_video

TABLE = "filmed-table"
"""What scenes of tables say that made them."""

TURN = ("indoor", "indoor", "outdoor", "desktop", "indoor", "indoor", "indoor", "acted")
"""Which world follows which, over and over: of twelve dimensions three are asked of videos."""

ACTED_POINTS = 640
"""So many surface points at most are kept of each object where somebody acts: of a hand there are few."""

SEEING = Seeing(clear_frames=5, front_px=60.0)
"""From when on something can be seen well enough."""

LEAST_ASKED = 0.9
"""Which share of the questions that are wanted has to be asked."""


Plan = DatasetPlan[DimensionSettings]
Asked = QuestionChoice[tuple[Question, ...], SelectionCounts]


class Dimensions(Generator[DimensionSettings, VideoOwn, tuple[Question, ...], SelectionCounts]):
    """Rooms and streets in pictures, tables and people who act in videos."""

    title = "pictures of rooms and streets, and videos of tables and of people who act"
    plural = "scenes"
    makes = frozenset({ROOM, STREET, TABLE, ACTED})
    built_in_assets = "built-in"
    defaults = DimensionSettings()
    part_type = Part
    choice_type = Asked
    drafts = True
    rounds = 2

    def settings(self, plan: Plan) -> dict[str, Setting]:
        own = plan.own
        said: dict[str, Setting] = {
            "shares": own.shares,
            "film_quality": own.film_quality,
            "further": own.further,
        }
        return {
            **said,
            **flat("room", own.room),
            **flat("street", own.street),
            **flat("table", own.table),
            **flat("acted", own.acted),
        }

    def inputs(self, plan: Plan) -> dict[str, str]:
        own = libraries_of(plan.assets)
        libraries = [own[name] for name in ("indoor", "outdoor", "desktop")]
        return {
            f"model:{b.name}:{a.name}": shape_hash(a) for b in libraries if b is not None for a in b.assets
        }

    def check(self, plan: Plan) -> None:
        if plan.own.film_quality not in CARES:
            raise InputError(f"--set film_quality={plan.own.film_quality}: there is {', '.join(CARES)}")
        if plan.own.further < 0:
            raise InputError(f"--set further={plan.own.further:g}: expected a number of at least 0")
        recipe_of(plan)

    def draw(self, plan: Plan, index: int) -> Scene:
        setting, number = setting_of(index), number_of(index)
        library = _library(plan, setting)
        if setting == "acted":
            drawn = draw_acted_room(number, plan.seed, plan.own.acted, library)
        elif setting == "indoor":
            drawn = draw_pictured_room(number, plan.seed, plan.own.room, library)
        elif setting == "outdoor":
            drawn = draw_pictured_street(number, plan.seed, plan.own.street, library)
        else:
            own = draw_desktop(number, plan.seed, plan.own.table, library)
            name = f"table-{number:06d}"
            source = {**own.source, "setting": "desktop", "video": name}
            drawn = msgspec.structs.replace(own, id=name, generator=TABLE, source=source)
        scene: Scene = msgspec.structs.replace(drawn, truth=f"{TRUTH_FOLDER}/{drawn.id}.zip")
        return scene

    def observe(self, plan: Plan, index: int, scene: Scene) -> Part:
        filmed, models = as_filmed(scene, _models(plan, scene))
        acting = partial(acted_rooms.acting_at, scene)
        points = ACTED_POINTS if scene.generator == ACTED else POINTS
        shots = footage(filmed, models, range(len(scene.times_s)), points, acting)
        truth = write_cells(plan.out / scene.truth, filmed, shots, points)
        with TruthCells(plan.out / scene.truth) as cells:
            visibility = sights_in(scene, cells)
        return Part(scene=scene, truth_sha256=truth, own=VideoOwn(seen=seen_in(visibility), faults=()))

    def offers(self, plan: Plan, part: Part) -> list[ChoiceCandidate]:
        return choice_candidates(part.scene, sights_of_part(part), recipe_of(plan))

    def choose(self, plan: Plan, indices: Sequence[int], offers: Mapping[int, Any], step: Step) -> Asked:
        recipe = recipe_of(plan)
        scenes = {k: read_scene(plan, k).scene for k in indices}
        candidates = [c for k in sorted(indices) for c in offers[k]]
        first = [scene for k, scene in scenes.items() if k < plan.scenes]
        selection = chosen(candidates, wanted_of(recipe.mix, first), recipe)
        by_scene: dict[str, list[Question]] = {}
        for question in written_choices(selection.selected, recipe):
            by_scene.setdefault(question.scene, []).append(question)
        return Asked(
            indices=tuple(indices),
            work={k: tuple(by_scene[s.id]) for k, s in scenes.items() if s.id in by_scene},
            tally=counts_of(selection),
            lacking=(selection.short.total(),),
        )

    def further(self, plan: Plan, choice: Asked, drawn: Sequence[int]) -> list[int]:
        most = math.floor(plan.own.further * plan.scenes) - (len(drawn) - plan.scenes)
        need = lacking_in(choice.tally.selection)
        return further_worlds(plan.scenes, most, need, drawn, setting_of)

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
        scene, models = part.scene, _models(plan, part.scene)
        if scene.generator != STREET:  # there it counts which object is a lamp that is lit
            scene, models = as_painted(scene, models)
        if scene.generator in (TABLE, ACTED):
            look, acting = look_of(plan.own.film_quality), partial(acted_rooms.acting_at, part.scene)
            shown = partial(_with_acting, models, acting)
            return make_film(plan.out, scene, shown, (0,), engine, look, _media)
        made = []
        for _, pixels in painted(scene, lambda _: models, [(0, 0)], engine, look_of(plan.quality)):
            media = _media(part.scene)
            write_bytes(plan.out / media.path, png(pixels))
            made.append(msgspec.structs.replace(media, sha256=sha256_file(plan.out / media.path)))
        return tuple(made)

    def illegible(self, plan: Plan, made: PaintedQuestions) -> frozenset[str]:
        return unread(plan.out, made.questions, made.scenes, made.media) if can_read() else frozenset()

    def tables(self, made: Made) -> Iterator[Table]:
        yield from choice_tables(made.questions, made.choice.tally.selection)

    def promises(self, made: Made) -> Iterator[CheckResult]:
        selection = made.choice.tally.selection
        asked, wanted = len(made.questions), sum(selection.wanted.values())
        yield CheckResult(
            name=f"at least {LEAST_ASKED:.0%} of the questions wanted are asked",
            passed=asked >= LEAST_ASKED * wanted,
            found=f"{asked} of {wanted}",
        )
        if made.plan.renderer != "none":
            yield _legible(made)

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        return partial(_derived, dataset)


GENERATOR = Dimensions()


def _legible(made: Made) -> CheckResult:
    """Return how many words were left out that a reader of texts does not read in the pictures."""
    wanted = sum(asks_for_writing(q) for q in made.findings.questions)
    left = wanted - sum(asks_for_writing(q) for q in made.questions)
    said = f"{left} of {wanted} could not be read, and are not asked about"
    return CheckResult(
        name="words can be read in the pictures",
        passed=True,
        found=said if can_read() else "nothing was read: rapidocr is not installed",
        enforced=False,
        told=can_read(),
    )


def setting_of(index: int) -> str:
    """Return what world a number stands for."""
    return TURN[index % len(TURN)]


def number_of(index: int) -> int:
    """Return the how manieth world of its setting a world is, from 0 on."""
    turn, place = divmod(index, len(TURN))
    own = TURN[place]
    return turn * TURN.count(own) + TURN[:place].count(own)


def recipe_of(plan: Plan) -> VideoQuestionRecipe:
    """Return the benchmark's recipe of questions."""
    return replace(_recipe(plan.recipe, plan.seed, plan.own.shares), seeing=SEEING)


@lru_cache(maxsize=4)
def _recipe(where: str, seed: str, shares: str) -> VideoQuestionRecipe:
    make: Callable[[str, str], VideoQuestionRecipe] = attribute_of(where)
    return make(seed, shares)


def _library(plan: Plan, setting: str) -> Library | None:
    found: Library | None = libraries_of(plan.assets)["indoor" if setting == "acted" else setting]
    return found


def _with_acting(
    models: Mapping[str, Model], acting: Callable[[int], Mapping[str, Model]], frame: int
) -> dict[str, Model]:
    return {**models, **acting(frame)}


def _models(plan: Plan, scene: Scene) -> dict[str, Model]:
    library = _library(plan, scene.source["setting"])
    if scene.generator == ACTED:
        return acted_rooms.models_at(scene, 0, library)
    if scene.generator == TABLE:
        return desktop.models_at(scene, 0, library)
    if scene.generator == STREET:
        return streetscape.models_at(scene, 0, library)
    return indoor_objects.models_at(scene, 0, library)


def _media(scene: Scene, view: int = 0) -> Media:
    if len(scene.times_s) > 1:
        return media_of_video(scene)
    camera = scene.cameras[0]
    return Media(
        id=scene.id,
        path=f"{MEDIA_FOLDER}/{scene.id}.png",
        kind="image",
        size=(camera.width, camera.height),
        sha256="",
        scene=scene.id,
    )


def _derived(dataset: Dataset, scene: Scene, asked: Sequence[Question]) -> Iterator[AnswerPair]:
    with TruthCells(dataset.truth_path(scene)) as cells:
        answers = list(_answers(scene, cells, asked))
    yield from (AnswerPair(first, second) for first, second in answers)


def _answers(
    scene: Scene, cells: TruthCells, questions: Sequence[Question]
) -> Iterator[tuple[str, str | None]]:
    """Yield the option that each question's program comes to on the exact poses, and the one that follows
    from what the frames show; None where that does not decide.
    """
    tracks = seen_by(video_view(scene), sights_in(scene, cells), SEEING)
    made_out = (SEEING.made_out_px, SEEING.made_out_share)
    video = observed_video(scene, (cells.read(*at) for at in cells.cells), made_out)
    for q in questions:
        second = derive(q.program, video)
        first = option_of(q, str(run(q.program, tracks).value))
        yield first, option_of(q, second.word) if second else None


def _verdict(question: Question, first: str, second: str | None) -> str:
    if first != question.answer or second not in (None, first):
        return DISAGREE
    return AGREE if second else UNDECIDED
