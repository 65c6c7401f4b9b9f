"""The human work of three benchmarks from end to end, each step done by people in a real browser."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import fathom
from fathom import api
from fathom.benchmarks.stibench.tasks import TASKS as STI_TASKS
from fathom.records import Question
from fathom.store.datasets import open_dataset
from tests.five import sets
from tests.reporting.conftest import browser
from tests.review_app.setting import served

__all__ = ["browser"]

Keys = Callable[[Any, str], None]
"""Does what is to be done with the item on the page, whose words are given."""

_SHOWN = "() => document.querySelector('#work').dataset.item || ''"
_READY = """before => document.querySelector('#finished') || document.querySelector('#asked .send')
  && !['', before].includes(document.querySelector('#work').dataset.item)"""


def worked(browser: Any, source: Path, work: Path, task: str, by: dict[str, Keys], **more: Any) -> api.Review:
    """Have people do all that they are given, on the pages of a new review; return it."""
    plan = api.ReviewPlan(source=source, task=task, work=work, people=tuple(by), **more)
    review, links = api.begin_review(plan)
    with served(review) as address:
        for name, keys in by.items():
            problems: list[str] = []
            page = browser.new_page()
            page.set_default_timeout(90_000)
            page.on("pageerror", lambda e, found=problems: found.append(str(e)))
            page.goto(f"{address}/join/{links[name]}")
            page.wait_for_function(_READY, arg="")
            while not page.query_selector("#finished"):
                before = page.evaluate(_SHOWN)
                keys(page, page.inner_text("#asked"))
                page.wait_for_function(_READY, arg=before)
            page.wait_for_function("() => !document.querySelector('#sending').innerText")
            page.close()
            assert problems == []
    return review


def imported(benchmark: str, source: Path, out: Path, **more: Any) -> Path:
    """Import a dataset with a copy of its media; return its folder."""
    api.import_dataset(benchmark, source, out, copy=True, **more)
    return out


def pressed(key: str) -> Keys:
    """Return what presses the same key at every item."""

    def done(page: Any, words: str) -> None:
        page.keyboard.press(key)

    return done


def chooses(answer_of: Callable[[str], str]) -> Keys:
    """Return what chooses the option with this text."""

    def done(page: Any, words: str) -> None:
        page.locator(".choice", has=page.get_by_text(answer_of(words), exact=True)).first.click()

    return done


def judges(wrong: Callable[[str], bool]) -> Keys:
    """Return who answers, and then says right of all but what is wrong to them, with a reason."""

    def done(page: Any, words: str) -> None:
        if "The dataset's answer" not in words:
            page.keyboard.press("1")
        elif wrong(words):
            page.keyboard.press("a")
            page.fill("#field-reason", "two objects fit these words")
            page.locator("#send").click()
        else:
            page.keyboard.press("r")

    return done


def test_sti_bench_is_checked_in_rounds_and_answered(browser: Any, tmp_path: Path) -> None:
    made = sets.sti(tmp_path / "official")
    dataset = imported("sti-bench", made, tmp_path / "d")
    bad = STI_TASKS["pose_estimation"]
    first = worked(
        browser, dataset, tmp_path / "first", "verify",
        {"Ana": judges(lambda words: bad in words), "Ben": judges(lambda words: bad in words)}, overlap=2,
    )  # fmt: skip
    total = len(list(open_dataset(dataset).questions()))
    said = first.apply(tmp_path / "second-version", "all")
    kept = list(open_dataset(tmp_path / "second-version").questions())
    assert len(kept) == total - 1 and "ambiguous" in said
    second = worked(
        browser, tmp_path / "second-version", tmp_path / "second", "verify", {"Cem": judges(lambda w: False)},
        sample=4,
    )  # fmt: skip
    assert "0 of 4 with a fault" in second.status()
    answers = {STI_TASKS[q.task]: q.answer for q in kept}
    right = chooses(lambda words: next(a for title, a in answers.items() if title in words))
    human = worked(browser, tmp_path / "second-version", tmp_path / "third", "answer", {"Dia": right})
    human.export(tmp_path / "out")
    (run,) = sorted((tmp_path / "out" / "runs").iterdir())
    accuracy = fathom.score(run)["accuracy"]
    assert (accuracy.value, accuracy.n) == (1.0, len(kept))


def test_objects_are_judged_asked_about_and_described(browser: Any, tmp_path: Path) -> None:
    made = sets.fourd(tmp_path / "official")
    dataset = imported("4d-bench", made, tmp_path / "d")
    quality = worked(browser, dataset, tmp_path / "quality", "quality", {"Ana": pressed("h")})
    quality.export(tmp_path / "q")
    assert len((tmp_path / "q" / "verdicts.jsonl").read_text().splitlines()) == 3

    def writes(page: Any, words: str) -> None:
        page.get_by_label("Question", exact=True).fill(f"How often does it blink? {words.split()[0]}")
        page.get_by_label("Right answer", exact=True).fill("twice")
        page.get_by_label("Wrong options, one a line").fill("once\nnever\nthree times")
        page.locator(".choice", has_text="Object Counting").click()
        page.locator("#send").click()

    worked(browser, dataset, tmp_path / "write", "write", {"Ben": writes}).export(tmp_path / "w")
    written = imported("jsonl", tmp_path / "w" / "questions.jsonl", tmp_path / "written", media=dataset)
    asked = list(open_dataset(written).questions())
    assert len(asked) == 3 and {q.answer for q in asked} == {"twice"} and all(q.media for q in asked)
    checked = worked(browser, written, tmp_path / "check", "verify", {"Cem": judges(lambda words: False)})
    assert "0 of 3 with a fault" in checked.status()


def test_captions_are_written_by_five_and_revised_by_another(browser: Any, tmp_path: Path) -> None:
    made = sets.fourd_captions(tmp_path / "official")
    dataset = imported("4d-bench", made, tmp_path / "d")

    def describes(k: int) -> Keys:
        def done(page: Any, words: str) -> None:
            page.locator("#asked textarea").fill(f"A robot of kind {k} walks and waves.")
            page.locator("#send").click()

        return done

    people = {f"Writer {k}": describes(k) for k in range(5)}
    review = worked(browser, dataset, tmp_path / "caption", "caption", people, overlap=5)
    review.export(tmp_path / "c")
    api.take_captions(dataset, tmp_path / "c" / "captions.csv", tmp_path / "captioned")
    five = [q.references for q in open_dataset(tmp_path / "captioned").questions()]
    assert len(five) == 3 and all(len(set(references)) == 5 for references in five)

    def revises(page: Any, words: str) -> None:
        if "kind 3" in words.split("Caption 1")[0].split("Decision")[0][:80]:
            page.keyboard.press("e")
            page.locator("#asked textarea").first.fill("A robot raises its left hand twice.")
            page.locator("#send").click()
        else:
            page.keyboard.press("a")

    revised = worked(browser, tmp_path / "captioned", tmp_path / "revise", "revise", {"Reviewer": revises})
    revised.export(tmp_path / "r")
    api.take_captions(tmp_path / "captioned", tmp_path / "r" / "revisions.csv", tmp_path / "final")
    final = [q.references for q in open_dataset(tmp_path / "final").questions()]
    assert all("A robot raises its left hand twice." in references for references in final)
    assert not any("kind 3" in caption for references in final for caption in references)


def test_photographs_are_asked_about_checked_and_answered(browser: Any, tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for k in range(3):
        Image.new("RGB", (60, 40), (200, 40, 80 * k)).save(photos / f"{k}.png")

    def writes(page: Any, words: str) -> None:
        page.get_by_label("A is", exact=True).fill("the lamp")
        page.get_by_label("B is", exact=True).fill("the table")
        page.keyboard.press("Escape")
        page.keyboard.press("1" if page.inner_text("#count").startswith("0") else "2")
        page.locator("#send").click()

    forms = worked(
        browser, photos, tmp_path / "forms", "forms", {"Ana": writes}, benchmark="3dsrbench",
        tasks=("location_above",),
    )  # fmt: skip
    forms.export(tmp_path / "w")
    dataset = imported("3dsrbench", tmp_path / "w" / "questions.jsonl", tmp_path / "d", media=photos)
    worked(browser, dataset, tmp_path / "check", "verify", {"Ben": judges(lambda words: False)}).apply(
        tmp_path / "checked", "majority"
    )
    questions: list[Question] = list(open_dataset(tmp_path / "checked").questions())
    assert len(questions) == 3 and len({q.answer for q in questions}) == 2
    everybody = {name: pressed("1") for name in ("Cem", "Dia", "Eva")}
    people = worked(browser, tmp_path / "checked", tmp_path / "people", "answer", everybody, overlap=3)
    people.export(tmp_path / "out")
    rows = list(csv.DictReader((tmp_path / "out" / "answers.csv").read_text().splitlines()))
    assert len(rows) == 9
    runs = {p.name.split("-", 1)[1]: p for p in (tmp_path / "out" / "runs").iterdir()}
    assert len(runs) == 4, "one for each person and one of what most of them say"
    human = fathom.score(next(p for name, p in runs.items() if name.lower() == "human"))["accuracy"]
    first = Counter(row["question"] for row in rows if row["answer"] == "yes")
    right = sum((first[q.id] > 1) == (q.answer == "yes") for q in questions)
    assert human.n == 3 and human.value == pytest.approx(right / 3), "what two of three said"
