"""The work on one film, each stage a function that any process can do, and that leaves its part on disk.

A part is written last and whole: where it exists, the stage is done and is not done again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import msgspec

from fathom.authoring.captions.checked import faults
from fathom.authoring.captions.claims import Caption
from fathom.authoring.captions.questions import caption_question
from fathom.build.film_curation import read_object
from fathom.build.film_plan import FilmPlan, Showing
from fathom.build.questions.stories.asking import Candidate, Picked, StoryLot
from fathom.build.questions.stories.offering import offer
from fathom.build.questions.stories.writing import write
from fathom.build.render.takes import joined, make_film, make_stills, media_of
from fathom.build.render.variants import Engine
from fathom.build.texts import texts_read
from fathom.build.truth.cell_files import Cells, write_cells
from fathom.build.truth.cells import POINTS, Cell, cells_of
from fathom.build.truth.gather import views_looked_at
from fathom.build.truth.stories import derive, watched
from fathom.build.worlds.play import grid_of, play_of, read_play, write_play
from fathom.build.worlds.repertoire import repertoire_of
from fathom.build.worlds.staging import limbs_of, model_at, models_at
from fathom.records import Media, Question, Record, Scene, TextReading
from fathom.store.datasets import hash_of_stills
from fathom.store.files import read_json, sha256_file, write_json


class StoryPart(Record, frozen=True, kw_only=True):
    """A story that is done: the record, the hashes of what was seen of it, and what could be asked."""

    scene: Scene
    truth_sha256: str
    play_sha256: str
    asset: str
    candidates: tuple[Candidate, ...]
    tried: dict[str, int]

    @property
    def lot(self) -> StoryLot:
        """What the film offers, as selection takes it."""
        return StoryLot(self.scene.id, self.asset, self.candidates, Counter(self.tried))


class StoryProof(Record, frozen=True, kw_only=True):
    """The questions of a film, what the last check found, the key of each answer by both derivations, and
    whether the words of each mean its program.

    `more` asks to describe it, with the `captions` as references; `untrue` says of those in which the second
    check finds a fault, by their texts, what that is.
    """

    questions: tuple[Question, ...]
    more: tuple[Question, ...]
    found: dict[str, int]
    first: dict[str, str]
    second: dict[str, str | None]
    texts: dict[str, TextReading] = {}
    captions: tuple[Caption, ...] = ()
    untrue: dict[str, str] = {}


def make_story(plan: FilmPlan, index: int) -> int:
    """Make a story that was drawn: what is seen of it in both ways, what can be asked. Returns its index."""
    cast = plan.cast()
    scene = read_object(plan, index).scene
    assert scene is not None, "only stories that could be drawn stay"
    truth = write_cells(plan.out / scene.truth, scene, _truth(plan, scene), POINTS)
    models = partial(models_at, scene, cast)
    play = play_of(scene, models, grid_of(len(scene.times_s)), limbs_of(scene, cast))
    write_play(plan.play_path(scene.id), play)
    recipe = plan.recipe().questions
    lot = offer(scene, play, recipe)
    part = StoryPart(
        scene=scene,
        truth_sha256=truth,
        play_sha256=sha256_file(plan.play_path(scene.id)),
        asset=lot.asset,
        candidates=lot.candidates,
        tried=dict(lot.tried),
    )
    write_json(plan.story_part(index), part)
    return index


def read_story(plan: FilmPlan, index: int) -> StoryPart:
    """Return a story that is done."""
    return read_json(plan.story_part(index), StoryPart)


def _truth(plan: FilmPlan, scene: Scene) -> Iterator[Cell]:
    """Yield the cells that the second derivation may look at, a frame at a time."""
    cast = plan.cast()
    views = views_looked_at(len(scene.cameras), plan.truth_step)
    # The actor's points are followed through time; everything else moves as a whole.
    actor = scene.things[0]
    stance = model_at(actor, cast, scene.times_s[0])
    rest = {actor.id: stance} if stance else {}
    for frame in grid_of(len(scene.times_s)):
        yield from cells_of(scene, models_at(scene, cast, frame), frame, views, rest)


def prove(plan: FilmPlan, work: tuple[int, Sequence[Picked]]) -> int:
    """Write the questions chosen for a film, and derive each answer a second time. Returns its index."""
    index, picked = work
    scene = read_story(plan, index).scene
    recipe = plan.recipe()
    play = read_play(plan.play_path(scene.id))
    questions, found = write(scene, play, picked, recipe.questions)
    with Cells(plan.out / scene.truth) as cells:
        film = watched(scene, cells, repertoire_of(scene, plan.cast()))
    second = {q.id: derive(q.program, film) for q in questions}
    captions = recipe.captions(scene)
    wrong = {c.text: faults(c, scene, recipe.lexicon, play) for c in captions}
    proof = StoryProof(
        questions=tuple(questions),
        found=dict(found),
        more=(caption_question(scene, captions, ()),),
        captions=captions,
        untrue={text: "; ".join(why) for text, why in wrong.items() if why},
        first={q.id: key_of(q) for q in questions},
        second=second,
        texts=texts_read(plan.text_reader, scene, questions),
    )
    write_json(plan.proof_part(index), proof)
    return index


def key_of(question: Question) -> str:
    """Return the key of a question's answer: the argument of its last step at the place of its choice."""
    return question.program[-1].args[question.choices.index(question.answer)]


def read_proof(plan: FilmPlan, index: int) -> StoryProof:
    """Return the questions of a story that is proved."""
    return read_json(plan.proof_part(index), StoryProof)


class Pictures(Record, frozen=True, kw_only=True):
    """The media of one film."""

    media: tuple[Media, ...]


def make_pictures(plan: FilmPlan, engine: Engine, work: tuple[int, bool]) -> int:
    """Paint what is shown of a film that is done, of some all frames of all views. Returns its index."""
    index, whole = work
    cast = plan.cast()
    scene = read_story(plan, index).scene
    models = partial(models_at, scene, cast)
    made: list[Media] = []
    for showing in showings_of(plan):
        made += make_stills(plan.out, scene, models, showing.cells, engine, plan.look(showing.quality))
    if whole:
        views = range(len(scene.cameras))
        made += make_film(plan.out, scene, models, views, engine, plan.look(plan.film_quality))
    write_json(plan.picture_part(index), Pictures(media=with_every_view(scene, joined(made))))
    return index


def with_every_view(scene: Scene, media: Iterable[Media]) -> tuple[Media, ...]:
    """Return the media, and a record of every other view, of which nothing was painted."""
    made = {m.view: m for m in media}
    for view in range(len(scene.cameras)):
        if view not in made:
            made[view] = msgspec.structs.replace(media_of(scene, view), sha256=hash_of_stills({}))
    return tuple(made[view] for view in sorted(made))


def showings_of(plan: FilmPlan) -> tuple[Showing, ...]:
    """Return what is painted of every film; what comes later is painted over what came before."""
    recipe = plan.recipe()
    return recipe.showings(plan.staging, plan.quality)[plan.shown]


def read_pictures(plan: FilmPlan, index: int) -> tuple[Media, ...]:
    """Return the media of a film whose pictures are done."""
    return read_json(plan.picture_part(index), Pictures).media
