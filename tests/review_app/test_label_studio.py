"""A review goes to Label Studio and comes back: tasks, configuration, answers; faulty files do nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from fathom import api
from fathom.records import DataError, InputError
from fathom.review.tasks import TASKS, task_named
from tests.review_app.setting import NASTY, begun, dataset_of
from tests.review_app.test_verbs import said


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset_of(tmp_path_factory.mktemp("squares"), text=NASTY)


def _answered(dataset: Path, work: Path) -> api.Review:
    review, _ = begun(dataset, work, overlap=2)
    fine: list[dict[str, Any]] = [{"picked": 0}, {"verdict": "right"}]
    wrong: list[dict[str, Any]] = [
        {"problem": "ambiguous"},
        {"verdict": "ambiguous", "reason": "two squares", "options": ["left", "right"]},
    ]
    said(review, "Ana", {f"q{k}": wrong if k == 1 else fine for k in range(6)})
    said(review, "Ben", {f"q{k}": fine for k in range(6)})
    return review


def _tasks(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / "tasks.json").read_text())
    return found


def test_what_was_said_comes_back_as_it_was(dataset: Path, tmp_path: Path) -> None:
    review = _answered(dataset, tmp_path / "work")
    files = review.export_label_studio(tmp_path / "out")
    assert all(path.is_file() for path in files) and len(files) == 2 + 6
    other, _ = begun(dataset, tmp_path / "other", people=("Cleo",))
    assert "12 judgements of 2 people, 24 new entries" in other.take_label_studio(files[1])
    assert other.results().said == review.results().said
    assert "0 new entries" in other.take_label_studio(files[1])
    assert other.status().splitlines()[0].startswith("Check questions: 6 of 6 items settled")
    changed = _tasks(tmp_path / "out")
    second = changed[0]["annotations"][1]
    assert second["completed_by"]["first_name"] == "Ben"
    second["result"][-1]["value"]["choices"] = ["wrong"]
    second["result"].append(
        {"from_name": "shown__reason", "to_name": "text", "type": "textarea", "value": {"text": ["blurred"]}}
    )
    (tmp_path / "again.json").write_text(json.dumps(changed))
    assert "1 new entries" in other.take_label_studio(tmp_path / "again.json")
    assert other.results().said["q0"]["Ben"]["shown"] == {"verdict": "wrong", "reason": "blurred"}


def test_pictures_lie_beside_the_tasks_and_text_is_only_text(dataset: Path, tmp_path: Path) -> None:
    review = _answered(dataset, tmp_path / "work")
    review.export_label_studio(tmp_path / "out")
    for task in _tasks(tmp_path / "out"):
        (shown,) = task["data"]["pictures"]
        with Image.open(tmp_path / "out" / "media" / shown.rpartition("/")[2]) as picture:
            assert picture.size == (120, 80)
        assert task["data"]["text"] == NASTY
        assert [o["value"] for o in task["data"]["options"]] == ["left", "right", "above"]
    assert "script" not in (tmp_path / "out" / "config.xml").read_text()


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_task_has_a_configuration_with_a_control_for_each_field(name: str) -> None:
    from fathom.review.label_studio import configuration

    task = task_named(name)
    view = ElementTree.fromstring(configuration(task))
    names = [e.get("name") for e in view.iter() if e.tag in ("Choices", "TextArea", "Rectangle")]
    assert names == [f"{s.name}__{f.name}" for s in task.stages for f in s.fields]
    targets = {e.get("name") for e in view.iter()}
    assert {e.get("toName") for e in view.iter() if e.get("toName")} <= targets


def test_marks_on_photographs_come_back(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    Image.new("RGB", (64, 48), (9, 9, 9)).save(photos / "one.png")
    plan = api.ReviewPlan(photos, "write", tmp_path / "work", people=("Ana",), benchmark="3dsrbench")
    review, _ = api.begin_review(plan)
    stage = review.task.stages[0]
    boxes = next(f for f in stage.fields if f.kind == "boxes")
    needed = {f.name: f for f in stage.fields if f.needed}
    item = next(review.store.items())
    sent: dict[str, Any] = {}
    for name, asked in needed.items():
        choices = asked.choices or item.choices
        sent[name] = choices[0].value if asked.kind == "choice" else "words"
    sent |= {f.name: ["yes", "no"] for f in stage.fields if f.kind == "lines"}
    sent |= {f.name: "perhaps" for f in stage.fields if f.name == "answer"}
    sent[boxes.name] = [{"picture": 0, "box": [0.125, 0.25, 0.5, 0.75], "label": "a"}]
    said(review, "Ana", {item.name: [sent]})
    review.export_label_studio(tmp_path / "out")
    other, _ = api.begin_review(
        api.ReviewPlan(photos, "write", tmp_path / "other", people=("Cleo",), benchmark="3dsrbench")
    )
    other.take_label_studio(tmp_path / "out" / "tasks.json")
    assert other.results().said == review.results().said


def _of_another(tasks: list[dict[str, Any]]) -> None:
    tasks[3]["data"]["item"] = "q77"


def _of_no_field(tasks: list[dict[str, Any]]) -> None:
    tasks[3]["annotations"][0]["result"][0]["from_name"] = "sentiment"


def _no_value(tasks: list[dict[str, Any]]) -> None:
    tasks[3]["annotations"][0]["result"][-1]["value"]["choices"] = ["splendid"]


def _nobody(tasks: list[dict[str, Any]]) -> None:
    del tasks[3]["annotations"][0]["completed_by"]


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (_of_another, "'q77'"),
        (_of_no_field, "'sentiment'"),
        (_no_value, "Verdict"),
        (_nobody, "completed_by"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_taken(
    dataset: Path, tmp_path: Path, spoil: Any, found: str
) -> None:
    _answered(dataset, tmp_path / "work").export_label_studio(tmp_path / "out")
    tasks = _tasks(tmp_path / "out")
    spoil(tasks)
    (tmp_path / "bad.json").write_text(json.dumps(tasks))
    other, _ = begun(dataset, tmp_path / "other")
    with pytest.raises(InputError, match="task 4") as wrong:
        other.take_label_studio(tmp_path / "bad.json")
    assert found in str(wrong.value) and not list(other.store.entries())
    (tmp_path / "none.json").write_text('{"a": 1}')
    with pytest.raises(DataError, match="a list of tasks"):
        other.take_label_studio(tmp_path / "none.json")
