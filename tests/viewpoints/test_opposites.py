"""Questions turned round: proved like all others, read back, and mixed as the paper mixes them."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from fathom.benchmarks.threedsrbench.construction import recipe, templates
from fathom.benchmarks.threedsrbench.paper import CATEGORIES, SYNTHETIC
from fathom.benchmarks.threedsrbench.sentences import read_text
from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.balancing.viewpoints import chosen
from fathom.questions.contexts.video_visibility import seen_by
from fathom.questions.sampling.viewpoints import view_candidates
from fathom.questions.view_candidate import ViewCandidate
from fathom.questions.writing.viewpoints import in_the_mirror, with_mirror_images, written_views
from fathom.records import Question
from fathom.scenes.mirroring import mirrored
from fathom.verify.engine import derive
from tests.viewpoints.conftest import SeenRoom

EVEN = recipe("tests", "even")

OTHER_ANSWER = {
    "higher": {"first": "second", "second": "first"},
    "nearer_to_camera": {"first": "second", "second": "first"},
    "closer_to": {"first": "second", "second": "first"},
    "directly_above": {"yes": "yes", "no": "no"},
    "beside": {"near": "no", "far": "yes"},
    "before": {"front": "no", "behind": "yes"},
    "own_left": {"left": "no", "right": "yes"},
}
"""A form → its answers, each with that of the opposite; "below" names the two objects in the other order."""

Found = tuple[SeenRoom, ViewCandidate, ViewCandidate]


@pytest.fixture(scope="module")
def candidates(rooms: list[SeenRoom]) -> list[tuple[SeenRoom, list[ViewCandidate]]]:
    return [(room, view_candidates(room.scene, room.visibility, EVEN)) for room in rooms[:5]]


@pytest.fixture(scope="module")
def turned(candidates: list[tuple[SeenRoom, list[ViewCandidate]]]) -> list[Found]:
    return [(room, c, c.opposite) for room, own in candidates for c in own if c.opposite]


@pytest.fixture(scope="module")
def questions(candidates: list[tuple[SeenRoom, list[ViewCandidate]]]) -> list[Question]:
    wanted = {(form.task, "indoor"): 6 for form in EVEN.forms}
    selected = chosen([c for _, own in candidates for c in own], wanted, EVEN).selected
    scenes = {room.scene.id: room.scene for room, _ in candidates}
    return list(written_views(selected, ("common", "uncommon"), scenes, EVEN))


def test_every_opposite_has_the_answer_that_follows(turned: list[Found]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for _, candidate, opposite in turned:
        assert opposite.template.opposite_of == candidate.form
        assert set(opposite.objects) == set(candidate.objects)
        for one, other in zip(candidate.views, opposite.views, strict=True):
            assert other.value == OTHER_ANSWER[candidate.form][one.value]
            assert one.answered.least.ratio == other.answered.least.ratio
            assert one.fooled == other.fooled
            counts[candidate.form, one.value] += 1
    assert {form for form, _ in counts} == set(OTHER_ANSWER)
    assert len(counts) == sum(map(len, OTHER_ANSWER.values()))


def test_the_second_derivation_never_says_otherwise(turned: list[Found]) -> None:
    undecided: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for room, candidate, opposite in turned:
        for one, other in zip(candidate.views, opposite.views, strict=True):
            second, base = derive(other.program, room.observed), derive(one.program, room.observed)
            assert second is None or second.word == other.value, opposite.words
            assert (second is None) == (base is None)
            undecided[opposite.form] += second is None
            total[opposite.form] += 1
    assert len(total) == 7 and all(undecided[form] < 0.5 * n for form, n in total.items())


def test_on_the_mirror_image_program_and_rule_agree(turned: list[Found]) -> None:
    changed = 0
    views = {
        room.scene.id: seen_by(video_view(mirrored(room.scene)), room.visibility, EVEN.seeing)
        for room, _, _ in turned
    }
    for room, _, opposite in turned:
        for view in opposite.views:
            found = run(view.program, views[room.scene.id]).value
            assert found == in_the_mirror(view.value, opposite.template.quantity), opposite.form
            changed += found != view.value
    assert changed > 10


def test_an_opposite_says_of_which_question_and_is_read_back(
    rooms: list[SeenRoom], questions: list[Question]
) -> None:
    scenes = {room.scene.id: room.scene for room in rooms}
    by_id = {q.id: q for q in questions}
    opposites = [q for q in questions if "opposite_of" in q.tags]
    assert len({q.task for q in opposites}) == 7 and len(by_id) == len(questions)
    for q in opposites:
        base = by_id[q.tags["opposite_of"]]
        assert (q.task, q.media, q.groups.cluster) == (base.task, base.media, base.groups.cluster)
        assert q.groups.pair != base.groups.pair and q.text != base.text
        assert read_text(q, scenes[q.scene]).verdict == "agree"
        # The words of the one with the program of the other: somebody forgot to turn one of them round.
        for text, program in ((base.text, q.program), (q.text, base.program)):
            mixed = msgspec.structs.replace(q, text=text, program=program)
            assert read_text(mixed, scenes[q.scene]).verdict != "agree"


def test_a_mirrored_opposite_belongs_to_the_mirrored_question(questions: list[Question]) -> None:
    both = list(with_mirror_images(questions))
    by_id = {q.id: q for q in both}
    flips = [q for q in both if q.tags.get("mirrored") and "opposite_of" in q.tags]
    assert flips
    for q in flips:
        assert by_id[q.tags["opposite_of"]].tags["mirrored"] == "yes"
        turned_round = q.answer != by_id[q.groups.flip].answer
        assert turned_round == (q.program[-1].op == "right_of")


def test_the_papers_mix_is_that_of_its_synthetic_splits() -> None:
    found = recipe("x", "paper")
    both_ways = {form.task for form in found.forms if form.opposite_of}
    drawn = found.mix.wanted(["indoor"] * 40)
    assert sum(drawn.values()) == 336
    asked = Counter[str]()
    for (task, _), n in drawn.items():
        name = next(c for c, prefix in CATEGORIES.items() if task.startswith(prefix))
        asked[name] += n * (2 if task in both_ways else 1)
    assert dict(asked) == dict(SYNTHETIC)


def test_an_even_mix_has_as_many_of_every_type_and_none_turns_nothing() -> None:
    both_ways = {form.task for form in EVEN.forms if form.opposite_of}
    drawn = EVEN.mix.wanted(["indoor"] * 40)
    assert {n * (2 if task in both_ways else 1) for (task, _), n in drawn.items()} == {28}
    assert not any(form.opposite_of for form in recipe("x").forms)
    assert len([t for t in templates().templates if t.opposite_of]) == len(both_ways) == 7
