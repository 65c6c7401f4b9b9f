"""What is chosen is level, no picture tells, and sentences say what programs ask."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

import fathom
from fathom import api
from fathom.benchmarks.threedsrbench.construction import templates
from fathom.benchmarks.threedsrbench.metrics import scores
from fathom.benchmarks.threedsrbench.paper import DROPS
from fathom.benchmarks.threedsrbench.sentences import read_text
from fathom.benchmarks.threedsrbench.tasks import height_of, pitch_of, roll_of
from fathom.pages.published import beside_published
from fathom.pages.viewpoints import viewpoint_table
from fathom.questions.balancing.viewpoints import MOST_OVER, chosen
from fathom.questions.picture_guesser import GUESSES, guessed
from fathom.questions.writing.viewpoints import ROOMS, picture_name, written_views
from fathom.records import Groups, Question, SampleScore, Score
from fathom.scenes.viewpoints import RANGES
from tests.viewpoints.conftest import RECIPE, SeenRoom

VIEWS = ("common", "uncommon")


@pytest.fixture(scope="session")
def questions(rooms: list[SeenRoom]) -> list[Question]:
    candidates = [c for room in rooms for c in room.candidates]
    wanted = {(form.task, "indoor"): 12 for form in RECIPE.forms}
    selected = chosen(candidates, wanted, RECIPE).selected
    scenes = {room.scene.id: room.scene for room in rooms}
    return list(written_views(selected, VIEWS, scenes, RECIPE))


def test_answers_are_level_and_boxes_do_not_tell(questions: list[Question]) -> None:
    assert len(questions) > 150
    by_task: dict[str, list[Question]] = {}
    for q in questions:
        if q.tags["split"] == "synthetic-common":
            by_task.setdefault(q.task, []).append(q)
    assert len(by_task) == 12
    for own in by_task.values():
        values = Counter(q.margin.relation for q in own if q.margin)
        share = 1 / len(own[0].choices)
        assert max(values.values()) <= share * len(own) + MOST_OVER + 2
    right = sum(q.tags["picture_suggests"] == "the answer" for q in questions)
    chance = sum(1 / len(q.choices) for q in questions)
    assert right < chance + 0.15 * len(questions)


def test_all_pictures_are_asked_the_same(questions: list[Question]) -> None:
    together: dict[str, list[Question]] = {}
    for q in questions:
        together.setdefault(q.groups.pair, []).append(q)
    for asked in together.values():
        assert len({(q.text, q.choices) for q in asked}) == 1
        rooms = ROOMS if asked[0].tags["pair"] == "yes" else ROOMS[:1]
        pictures = {f"{asked[0].scene}-{picture_name(v, room)}" for v in VIEWS for room in rooms}
        assert {q.media[0] for q in asked} == pictures and len(asked) == len(pictures)
        for view in VIEWS:
            own = [q for q in asked if q.tags["split"] == f"synthetic-{view}"]
            assert len({q.answer for q in own}) == len(own) == len(rooms)


def test_every_sentence_is_read_back(rooms: list[SeenRoom], questions: list[Question]) -> None:
    scenes = {room.scene.id: room.scene for room in rooms}
    assert {read_text(q, scenes[q.scene]).verdict for q in questions} == {"agree"}


@pytest.mark.parametrize(
    ("was", "said"),
    [("higher up", "farther up"), (" faces it", " has it"), ("next to each other", "side by side")],
)
def test_unknown_words_are_unreadable(
    rooms: list[SeenRoom], questions: list[Question], was: str, said: str
) -> None:
    scenes = {room.scene.id: room.scene for room in rooms}
    changed = [msgspec.structs.replace(q, text=q.text.replace(was, said)) for q in questions if was in q.text]
    assert all(read_text(q, scenes[q.scene]).verdict == "unreadable" for q in changed)


def test_wrong_words_are_found(rooms: list[SeenRoom], questions: list[Question]) -> None:
    """Two names exchanged, an option that says something else, the other picture, another type."""
    scenes = {room.scene.id: room.scene for room in rooms}
    faults = 0
    for q in questions:
        for changed in _wrong(q):
            assert read_text(changed, scenes[q.scene]).verdict != "agree", changed.text
            faults += 1
    assert faults > 3 * len(questions)


def _wrong(q: Question) -> list[Question]:
    replace = msgspec.structs.replace
    found = [
        replace(q, choices=(*q.choices[:-1], "something else")),
        replace(q, answer="nothing"),
        replace(q, choices=(*q.choices[1:], q.choices[0])),
        replace(q, media=(f"{q.scene}-{VIEWS[q.media[0].endswith('-common')]}",)),
        replace(q, tags={**q.tags, "split": "synthetic-neither"}),
        replace(q, task="height_higher" if q.task != "height_higher" else "location_above"),
    ]
    ops = ("higher_of", "front_of", "left_of", "above", "side_towards")
    if q.program[-1].op in ops and q.evidence:
        one, other, when = q.program[-1].inputs
        last = replace(q.program[-1], inputs=(other, one, when))
        found.append(replace(q, program=(*q.program[:-1], last)))
    return found


def test_every_operator_has_a_guess_from_boxes() -> None:
    boxes = [(0.0, 0.0, 10.0, 10.0), (30.0, 40.0, 60.0, 80.0), (100.0, 10.0, 120.0, 30.0)]
    assert set(GUESSES) == {form.quantity for form in templates().templates}
    assert guessed("higher_of", boxes[:2]) == "first" and guessed("nearer_of", boxes[:2]) == "second"
    assert guessed("closer_of", boxes) == "first" and guessed("left_of", boxes[:2]) == "left"
    assert guessed("next_to", [boxes[0], (12.0, 0.0, 22.0, 10.0)]) == "near"
    assert guessed("above", [(2.0, 0.0, 8.0, 5.0), (0.0, 5.0, 10.0, 9.0)]) == "yes"


def test_a_set_is_built_checked_and_run(painted: Path, tmp_path: Path) -> None:
    dataset = fathom.load_dataset(painted)
    assert len(list((painted / "media").glob("*.png"))) == 16
    assert {sample.question.tags["split"] for sample in dataset} == {"synthetic-common", "synthetic-uncommon"}
    pictures = {(sample.question.tags["split"], sample.question.media) for sample in dataset}
    assert all(len(m) == 1 and f"-{s.removeprefix('synthetic-')}" in m[0] for s, m in pictures)
    checked = api.check_dataset(painted, blind=False)
    assert checked.passed, checked.text
    run = fathom.run(painted, "scripted:perfect", tmp_path / "run")
    found = fathom.score(run.path)
    assert found["accuracy_circular"].value == 1.0 and "Table 4" in found.text


def test_who_says_the_same_of_both_rooms_solves_no_pair(questions: list[Question]) -> None:
    first = [float(q.tags["room"] == ROOMS[0]) for q in questions]
    found = _scored(questions, first)
    assert found["accuracy_pairs"].value == 0.0 and found["accuracy_pairs"].n > 10
    common = [float(q.tags["split"] == "synthetic-common") for q in questions]
    found = _scored(questions, common)
    assert found["accuracy_pairs"].value == 0.5 and found["viewpoint_drop"].value == 1.0
    table = viewpoint_table([("somebody", list(found.values()))])
    assert table is not None and [row[2][:5] for row in table.rows] == ["100.0", "50.0 "]
    beside = beside_published(DROPS, [("somebody", list(found.values()))], {}, official=False)
    assert beside.rows == (
        ("GPT-4o, published", "6.9"), ("Gemini-1.5-Pro, published", "10.4"),
        ("LLaVA-NeXT-8B, published", "8.7"), ("somebody", "100.00"),
    )  # fmt: skip


def test_two_photographs_are_a_pair_where_the_same_question_has_another_answer_on_each() -> None:
    def asked(name: str, pair: str, answer: str) -> Question:
        groups = Groups(cluster=name, pair=pair)
        tags = {"split": "real", "image_source": "photographs"}
        return Question(
            id=name,
            task="height_higher",
            text="Which?",
            answer=answer,
            choices=("a", "b"),
            groups=groups,
            tags=tags,
        )

    some = [asked(f"{pair}{answer}", pair, answer) for pair in ("p", "q") for answer in ("a", "b")]
    found = _scored([*some, asked("alone", "", "a")], [1.0, 1.0, 1.0, 0.0, 1.0])
    assert (found["accuracy_pairs"].value, found["accuracy_pairs"].n) == (0.5, 2)


def _scored(questions: list[Question], worth: list[float]) -> dict[str, Score]:
    values = [
        SampleScore(question=q.id, task=q.task, extractor="x", status="ok", value=value)
        for q, value in zip(questions, worth, strict=True)
    ]
    return {s.name: s for s in scores(questions, values, 0) if not s.group}


def test_questions_say_how_their_camera_is_held(questions: list[Question]) -> None:
    for q in questions:
        kind = RANGES[q.tags["viewpoint"]]
        assert kind.roll_deg[0] - 0.1 <= float(q.tags["camera_roll_deg"]) <= kind.roll_deg[1] + 0.1
        low, high = (float(v) for v in kind.pitch_deg)
        assert low - 0.1 <= float(q.tags["camera_pitch_deg"]) <= high + 0.1
        common = q.tags["split"] == "synthetic-common"
        assert (q.tags["viewpoint"] == "common") == common
        assert (roll_of(q) == "roll below 2°") >= common and height_of(q) and pitch_of(q)
