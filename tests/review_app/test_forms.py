"""People write questions about photographs in the forms of a benchmark; what is wanted; how weeks compare."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import fathom
from fathom import api
from fathom.benchmarks.threedsrbench.forms import written_forms
from fathom.benchmarks.threedsrbench.tasks import OPTION_COUNTS, TASKS
from fathom.records import InputError
from fathom.review.forms import values_of
from fathom.review.live import REST, LiveFindings, LiveResults, results_of
from fathom.review.progress import progress_of
from fathom.review.store import ReviewStore
from fathom.review.tasks.forms import NOTHING, questions_of, wanted
from fathom.store.datasets import open_dataset
from tests.review_app.setting import begun, dataset_of


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    for k, name in enumerate(("a.jpg", "deep/b.png")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (40, 30), (200, 40 * k, 40)).save(folder / name)
    return folder


def _begun(photos: Path, work: Path, **more: Any) -> api.Review:
    plan = api.ReviewPlan(photos, "forms", work, ("Ana",), benchmark="3dsrbench", **more)
    return api.begin_review(plan)[0]


def _say(review: api.Review, answers: dict[str, dict[str, Any]]) -> None:
    """Let Ana fill in every item, those that are not named with nothing to ask."""
    (ana,) = [p for p in review.store.people() if p.name == "Ana"]
    stage = review.task.stages[0]
    while given := review.store.next_items(ana, 1):
        item = given[0].item
        values = values_of(review.task, stage, item, answers.get(item.name, {"skip": NOTHING}))
        review.store.add(ana, given[0].id, stage.name, values, f"Ana {item.name}"[-60:])


CUP = {"A": "the cup", "B": "the plate on the shelf", "picked": 0}


def test_every_type_has_a_form_with_as_many_options_as_it_has() -> None:
    forms = {form.task: form for form in written_forms()}
    assert set(forms) == set(TASKS)
    assert {task: len(form.options) for task, form in forms.items()} == dict(OPTION_COUNTS)
    for form in forms.values():
        words = form.text.replace("?", " ").replace(",", " ").replace(".", " ").replace(":", " ").split()
        assert {w for w in words if len(w) == 1} == set(form.letters)
        assert {o for o in form.options if len(o) == 1} <= set(form.letters)


def test_written_in_forms_and_imported_as_the_benchmark(photos: Path, tmp_path: Path) -> None:
    review = _begun(photos, tmp_path / "work")
    assert review.store.counts().items == 24
    _say(
        review,
        {
            "a.jpg · height_higher": {
                **CUP,
                "marks": [{"picture": 0, "box": [0.9, 0.1, 0.2, 0.4], "label": "A"}],
            },
            "deep/b.png · height_higher": {**CUP, "B": " The  plate on the shelf", "picked": 1},
            "a.jpg · multi_object_facing": {"A": "the dog", "B": "the ball", "C": "the man", "picked": 1},
            "deep/b.png · orientation_viewpoint": {"A": "the van", "picked": 3},
        },
    )
    (path,) = [p for p in review.export(tmp_path / "out") if p.name == "questions.jsonl"]
    rows = {
        (row["category"], row["image_url"]): row for row in map(json.loads, path.read_text().splitlines())
    }
    assert len(rows) == 4
    row = rows["height_higher", "a.jpg"]
    assert row["question"] == "Which is higher above the ground, the cup or the plate on the shelf?"
    assert (row["A"], row["B"], row["answer"]) == ("the cup", "the plate on the shelf", "A")
    assert row["marks"][0]["box"] == [0.2, 0.1, 0.9, 0.4]
    assert row["pair"] == rows["height_higher", "deep/b.png"]["pair"] != ""
    assert [key for key, other in rows.items() if other["pair"]] == [
        k for k in rows if k[0] == "height_higher"
    ]
    api.import_dataset("3dsrbench", path, tmp_path / "made", media=photos)
    made = {q.task: q for q in open_dataset(tmp_path / "made").questions() if q.media[0] != "a.jpg"}
    assert made["orientation_viewpoint"].answer == "right"
    facing = next(q for q in open_dataset(tmp_path / "made").questions() if q.task == "multi_object_facing")
    assert facing.text == "Which of the two does the dog face, the ball or the man?"
    assert facing.answer == "the man" and facing.choices == ("the ball", "the man")
    assert len(fathom.load_dataset(tmp_path / "made")) == 4
    pairs = Counter(q.groups.pair for q in open_dataset(tmp_path / "made").questions())
    assert pairs == {row["pair"]: 2, "": 2}


def test_partners_are_told_apart_by_words_picture_and_answer(photos: Path, tmp_path: Path) -> None:
    review = _begun(photos, tmp_path / "work", tasks=("height_higher", "location_above"))
    above = {"A": "the lamp", "B": "the table", "picked": 0}
    _say(
        review,
        {
            "a.jpg · height_higher": CUP,
            "deep/b.png · height_higher": {**CUP, "B": " The  plate on the shelf", "picked": 1},
            "a.jpg · location_above": above,
            "deep/b.png · location_above": above,
        },
    )
    results = review.results()
    assert len(questions_of(results)) == 4
    found = {table.title: table for table in progress_of(review.store, review.task, results).tables}
    assert found["Balance by form"].rows == (
        ("height_higher", 2, "A 1, B 1", 0),
        ("location_above", 2, "yes 2, no 0", 2),
    )
    assert found["Balance by person"].rows == (("Ana", 4, 0.75, 2),)
    lines = wanted(results, results.items["deep/b.png · location_above"])
    assert lines == ["Is the lamp directly above the table? So far: yes."]
    assert wanted(results, results.items["a.jpg · height_higher"]) == []
    assert "yes 2, no 0" in review.status()


def test_what_a_form_needs_is_asked_for_in_a_sentence(photos: Path, tmp_path: Path) -> None:
    review = _begun(photos, tmp_path / "work")
    items = {item.name: item for item in review.store.items()}
    stage, item = review.task.stages[0], items["a.jpg · height_higher"]
    for sent, words in (
        ({"A": "the cup", "B": "the plate"}, "choose the right answer"),
        ({"A": "the cup", "picked": 0}, "what B is"),
        ({"A": "the cup", "B": "The Cup", "picked": 0}, "different objects"),
    ):
        with pytest.raises(InputError, match=words):
            values_of(review.task, stage, item, sent)
    alone = items["a.jpg · orientation_viewpoint"]
    assert "B" not in values_of(review.task, stage, alone, {"A": "the van", "B": "the bus", "picked": 0})
    with pytest.raises(InputError, match="nothing to review"):
        api.begin_review(api.ReviewPlan(photos, "forms", tmp_path / "other", ("Ana",)))


def test_what_stays_is_told_by_week(tmp_path: Path) -> None:
    review, _ = begun(dataset_of(tmp_path, 6), tmp_path / "work", overlap=1)
    times = iter(
        datetime(2026, 3, day, tzinfo=UTC).timestamp() for day in (2, 2, 3, 3, 8, 8, 9, 9, 10, 10, 11, 11)
    )
    store = ReviewStore(
        review.store.path, [s.name for s in review.task.stages], review.task.label, lambda: next(times)
    )
    (ana,) = [p for p in store.people() if p.name == "Ana"]
    for k, verdict in enumerate(("right", "right", "right", "right", "wrong", "ambiguous")):
        (given,) = store.next_items(ana, 1)
        store.add(ana, given.id, "blind", {"picked": "left"}, f"first {k} of all")
        store.add(ana, given.id, "shown", {"verdict": verdict, "reason": "so"}, f"second {k} of all")
    (table,) = progress_of(store, review.task, results_of(store, review.task)).tables
    assert [row[:3] for row in table.rows] == [("2026, week 10", 3, 3), ("2026, week 11", 3, 1)]
    assert [row[3] for row in table.rows] == [1.0, pytest.approx(1 / 3)]


def test_what_takes_long_is_not_worked_out_again_at_once(tmp_path: Path) -> None:
    review, _ = begun(dataset_of(tmp_path, 4), tmp_path / "work", overlap=1)
    (ana,) = [p for p in review.store.people() if p.name == "Ana"]
    now, took = [0.0], [0.0]

    def clock() -> float:
        now[0] += took[0]
        return now[0]

    live = LiveResults(review.store, review.task, clock)

    def say(k: int) -> None:
        (given,) = review.store.next_items(ana, 1)
        review.store.add(ana, given.id, "blind", {"picked": "left"}, f"first {k} of all")
        review.store.add(ana, given.id, "shown", {"verdict": "right"}, f"second {k} of all")

    def done(found: LiveFindings) -> int:
        assert found.progress.counts.judgements == sum(len(said) for said in found.results.labels.values())
        return found.progress.counts.judgements

    assert done(live.now()) == 0
    say(0)
    assert done(live.now()) == 1, "what takes no time is always of this moment"
    assert live.now() is live.now(), "nothing has changed"
    took[0] = 1.0
    say(1)
    assert done(live.now()) == 2
    took[0] = 0.0
    say(2)
    assert done(live.now()) == 2
    now[0] += 2 * REST
    assert done(live.now()) == 3
    other = ReviewStore(review.store.path, [s.name for s in review.task.stages], review.task.label)
    (given,) = other.next_items(ana, 1)
    other.add(ana, given.id, "blind", {"picked": "left"}, "from another process")
    other.undo(ana, "from another process, taken back")
    assert live.now() is live.now() and len(live.now().results.entries) == 8


def test_equal_files_are_shown_once_and_what_is_no_picture_is_left_out(photos: Path, tmp_path: Path) -> None:
    (photos / "copy.jpg").write_bytes((photos / "a.jpg").read_bytes())
    (photos / "broken.png").write_bytes(b"\x89PNG and nothing else")
    told: list[str] = []
    plan = api.ReviewPlan(photos, "write", tmp_path / "work", ("Ana",))
    review, _ = api.begin_review(plan, told.append)
    assert [item.name for item in review.store.items()] == ["a.jpg", "deep/b.png"]
    assert [line.partition(":")[0] for line in told] == ["broken.png", "copy.jpg"]
    assert "the same file as a.jpg" in told[1] and "left out" in told[0]
    assert api.open_review(tmp_path / "work").plan.source == photos
