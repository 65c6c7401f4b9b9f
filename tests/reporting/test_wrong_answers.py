"""`fathom errors` shows what wrong answers were asked about, whatever the benchmark."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fathom import api
from fathom.api.names import BENCHMARKS, benchmark_named
from fathom.records import Question, Step
from fathom.reporting.shots import _chosen, times_asked
from fathom.store.datasets import QUESTIONS
from fathom.store.files import read_jsonl
from tests.inference.folders import make_dataset
from tests.protocols.made import write_3dsrbench


def payload(page: str) -> dict[str, list[object]]:
    found = page.split('id="lines">')[1].split("</script>")[0]
    return json.loads(found)  # type: ignore[no-any-return]


def test_questions_without_options_have_wrong_answers_too(tmp_path: Path) -> None:
    dataset, run = make_dataset(tmp_path / "d"), tmp_path / "run"
    api.run_model(dataset.path, "scripted:random", run, seed="2")
    api.sample_errors(run, tmp_path / "errors")
    page = (tmp_path / "errors" / "errors.html").read_text(encoding="utf-8")
    lines = payload(page)["lines"]
    assert lines
    assert page.count("data:image/") == len(lines), "each has its picture"
    assert page.count("<em>right</em>") == page.count("<em>picked</em>") == len(lines)
    assert payload(page)["labels"] == [x.name for x in benchmark_named("pulsecheck457").error_labels]


def test_an_imported_question_on_one_picture_shows_it(tmp_path: Path) -> None:
    dataset, run = write_3dsrbench(tmp_path / "d"), tmp_path / "run"
    api.run_model(dataset, "scripted:always-a", run, protocol="generation")
    api.sample_errors(run, tmp_path / "errors", number=5)
    page = (tmp_path / "errors" / "errors.html").read_text(encoding="utf-8")
    assert page.count("data:image/") == 5
    assert payload(page)["labels"] == [x.name for x in benchmark_named("3dsrbench").error_labels]
    assert "Whose point of view" in page
    assert "kind of scene" not in page


def test_every_benchmark_has_labels_of_its_own_and_one_for_the_rest() -> None:
    found = {name: benchmark_named(name).error_labels for name in BENCHMARKS}
    assert len({tuple(label.name for label in labels) for labels in found.values()}) == len(found)
    for labels in found.values():
        names = [label.name for label in labels]
        assert names[-1] == "other"
        assert len(set(names)) == len(names) <= 9, "a key of the keyboard for each"
        assert all(label.title and label.meaning for label in labels)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"program": (Step(op="at", args=("3.43",)),), "span_s": (0.0, 9.0)}, (3.43,)),
        ({"program": (Step(op="thing", args=("7",)), Step(op="span", args=("1.0", "8.0")))}, (1.0, 8.0)),
        ({"span_s": (2.0, 4.0)}, (2.0, 4.0)),
        ({}, ()),
    ],
)
def test_the_seconds_of_a_question_are_those_that_it_names(
    question: dict[str, object], expected: tuple[float, ...]
) -> None:
    asked = Question(id="q", task="t", text="", answer="", **question)  # type: ignore[arg-type]
    assert times_asked(asked) == expected


def test_frames_that_are_asked_about_are_always_among_those_shown() -> None:
    assert _chosen(range(100), [30], 6)[0] < 30
    for asked in ([], [0], [99], [0, 99], [41, 42, 43], list(range(10))):
        found = _chosen(range(100), asked, 6)
        assert len(found) == 6
        assert set(asked[:6]) <= set(found)
        assert found == sorted(set(found))
    assert _chosen([4], [4], 6) == [4]


def test_the_page_of_videos_marks_the_frames_that_are_asked_about(tmp_path: Path) -> None:
    from tests.sti_report.made import make_dataset as make_videos

    dataset, run = make_videos(tmp_path / "made", 1, pictures=True), tmp_path / "run"
    api.run_model(dataset.path, "random", run)
    api.sample_errors(run, tmp_path / "errors")
    page = (tmp_path / "errors" / "errors.html").read_text(encoding="utf-8")
    programs = {q.id: q.program for q in read_jsonl(dataset.path / QUESTIONS, Question)}
    cards = re.findall(r"<article.*?</article>", page, re.DOTALL)
    assert cards
    seen = 0
    for card in cards:
        name = re.search(r'as-is">([^<]+)<', card)
        assert name
        times = sorted({float(a) for s in programs[name[1]] if s.op in ("at", "span") for a in s.args})
        marked = [float(x) for x in re.findall(r">([0-9.]+) s, asked about<", card)]
        assert len(marked) == len(times)
        assert marked == pytest.approx(times, abs=0.3)
        seen += len(marked)
    assert seen
