"""A review goes to Argilla and comes back: settings, records, answers; drafts and faulty files."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fathom import api
from fathom.records import DataError, InputError
from fathom.review.argilla import write_argilla
from fathom.review.records import ReviewItem
from fathom.review.results import Results
from fathom.review.tasks import TASKS, task_named
from tests.review_app.setting import NASTY, begun, dataset_of
from tests.review_app.test_verbs import said


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset_of(tmp_path_factory.mktemp("squares"), text=NASTY)


@pytest.fixture
def review(dataset: Path, tmp_path: Path) -> api.Review:
    review, _ = begun(dataset, tmp_path / "work", overlap=2)
    fine: list[dict[str, Any]] = [{"picked": 0}, {"verdict": "right"}]
    wrong: list[dict[str, Any]] = [
        {"problem": "ambiguous"},
        {"verdict": "ambiguous", "reason": "two squares", "options": ["left", "right"]},
    ]
    said(review, "Ana", {f"q{k}": wrong if k == 1 else fine for k in range(6)})
    said(review, "Ben", {f"q{k}": fine for k in range(6)})
    return review


def _read(path: Path) -> Any:
    return json.loads(path.read_text())


def test_what_was_said_comes_back_as_it_was(review: api.Review, dataset: Path, tmp_path: Path) -> None:
    files = review.export_argilla(tmp_path / "out")
    assert [p.name for p in files] == ["settings.json", "dataset.json", "records.json", "people.json"]
    records = tmp_path / "out" / "records.json"
    other, _ = begun(dataset, tmp_path / "other", people=("Cleo",))
    assert "12 judgements of 2 people, 24 new entries" in other.take_argilla(records)
    assert other.results().said == review.results().said
    assert "0 new entries" in other.take_argilla(records)
    (tmp_path / "out" / "people.json").unlink()
    third, _ = begun(dataset, tmp_path / "third", people=("Cleo",))
    third.take_argilla(records)
    assert all(p.startswith("annotator ") for p in third.results().people)


def test_records_show_all_there_is_and_text_is_only_text(review: api.Review, tmp_path: Path) -> None:
    review.export_argilla(tmp_path / "out")
    settings = _read(tmp_path / "out" / ".argilla" / "settings.json")
    fields = {f["name"]: f for f in settings["fields"]}
    asked = {q["name"]: q for q in settings["questions"]}
    assert settings["distribution"] == {"strategy": "overlap", "min_submitted": 2}
    assert [o["value"] for o in asked["blind__picked"]["settings"]["options"]] == ["1", "2", "3"]
    assert asked["shown__verdict"]["required"] and not asked["shown__reason"]["required"]
    (first, *_) = _read(tmp_path / "out" / "records.json")
    assert set(first["fields"]) <= set(fields) and set(first["responses"]) <= set(asked)
    assert first["fields"]["text"] == NASTY and fields["text"]["settings"]["use_markdown"] is False
    assert first["fields"]["options"] == "1. left\n2. right\n3. above"
    assert "left" in first["fields"]["hidden"] and first["fields"]["hidden"].startswith("<details>")
    kind, _, data = first["fields"]["picture_1"].partition(";base64,")
    assert kind == "data:image/png"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (120, 80)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_task_has_a_question_for_each_field_but_marks(name: str, tmp_path: Path) -> None:
    task = task_named(name)
    items = {
        k: ReviewItem(name=k, group="g", title="t", text=NASTY, hidden={"Answer": NASTY}, options=options)
        for k, options in (("a", ("x", "y")), ("b", ()))
    }
    results = Results([s.name for s in task.stages], task.label, items, [])
    write_argilla(task, results, lambda item: [b"\x89PNG"] * 30, "n", 1, tmp_path)
    asked = [q["name"] for q in _read(tmp_path / ".argilla" / "settings.json")["questions"]]
    fields = {f"{s.name}__{f.name}".lower(): f.kind for s in task.stages for f in s.fields}
    assert [n for n in asked if not n.endswith("_in_words")] == [
        n for n, kind in fields.items() if kind != "boxes"
    ]
    assert {n for n in asked if n.endswith("_in_words")} == {
        f"{n}_in_words" for n, k in fields.items() if k == "option"
    }
    for record in _read(tmp_path / "records.json"):
        assert "picture_9" in record["fields"] and "picture_10" not in record["fields"]
        assert NASTY not in record["fields"].get("hidden", "")


def _changed(review: api.Review, folder: Path, change: Any) -> Path:
    review.export_argilla(folder)
    records = _read(folder / "records.json")
    change(records[3])
    (folder / "records.json").write_text(json.dumps(records))
    return folder / "records.json"


def test_a_draft_is_left_out(review: api.Review, dataset: Path, tmp_path: Path) -> None:
    def drafted(record: dict[str, Any]) -> None:
        record["responses"]["shown__verdict"] = record["responses"]["shown__verdict"][:1]

    path = _changed(review, tmp_path / "out", drafted)
    other, _ = begun(dataset, tmp_path / "other", people=("Cleo",))
    assert "11 judgements of 2 people" in other.take_argilla(path)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda r: r.update(id="q77"), "'q77'"),
        (lambda r: r["responses"].update(sentiment=[{"value": "x", "user_id": "u"}]), "'sentiment'"),
        (lambda r: r["responses"]["shown__verdict"][0].update(value="splendid"), "'splendid'"),
        (lambda r: r["responses"]["blind__picked"][0].update(value="4"), "from 1 to 3"),
        (lambda r: r["responses"]["blind__picked"][0].pop("user_id"), "user_id"),
        (lambda r: r.update(responses=[1]), "by question"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_taken(
    review: api.Review, dataset: Path, tmp_path: Path, change: Any, found: str
) -> None:
    path = _changed(review, tmp_path / "out", change)
    other, _ = begun(dataset, tmp_path / "other", people=("Cleo",))
    with pytest.raises((DataError, InputError), match=found):
        other.take_argilla(path)
    assert not list(other.store.entries())


def test_a_file_that_is_none(review: api.Review, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"a": 1}')
    for path, words in (
        (tmp_path / "broken.json", "what Argilla writes"),
        (tmp_path / "none.json", "cannot be read"),
    ):
        with pytest.raises((DataError, InputError), match=words):
            review.take_argilla(path)
