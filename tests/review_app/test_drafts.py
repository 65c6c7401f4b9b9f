"""What models wrote and waits for people is decided on pages, and goes on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from fathom import api
from fathom.authoring.engine import SETTINGS, identity_of_work
from fathom.authoring.review import FILE, read_decisions, take_decisions
from fathom.benchmarks.fourdbench.authoring.steps import SOURCE
from fathom.benchmarks.seedbench.authoring import AUTHORING as OF_PICTURES
from fathom.benchmarks.stibench.authoring.review import OpenLine
from fathom.records import DraftDecision, InputError
from fathom.review.forms import values_of
from fathom.review.records import ReviewItem
from fathom.review.tasks.drafts import MARKED
from fathom.store.datasets import open_dataset
from fathom.store.files import read_json, read_jsonl, write_json
from tests.authoring import test_object_steps as objects
from tests.authoring import test_picture_questions as pictures
from tests.authoring.objects import make_objects, next_step
from tests.authoring.test_picture_questions import info
from tests.reporting.conftest import browser
from tests.review_app.setting import served

__all__ = ["browser", "info"]


def decided(review: api.Review, person: str, values: dict[str, Any]) -> list[ReviewItem]:
    """Let somebody decide about every item; a value may be a function of the item."""
    (who,) = [p for p in review.store.people() if p.name == person]
    stage, seen = review.task.stages[0], []
    while given := review.store.next_items(who, 1):
        item = given[0].item
        sent = {k: v(item) if callable(v) else v for k, v in values.items()}
        asked = {k: v for k, v in sent.items() if k not in item.without}
        kept = values_of(review.task, stage, item, asked)
        review.store.add(who, given[0].id, stage.name, kept, f"{person} {item.name}"[-60:])
        seen.append(item)
    return seen


def begun(work: Path, out: Path, *people: str, **more: Any) -> api.Review:
    return api.begin_review(api.ReviewPlan(work, "drafts", out, people, **more))[0]


def test_questions_about_objects_are_kept_mended_and_rejected(tmp_path: Path) -> None:
    dataset, work = make_objects(tmp_path / "dataset"), tmp_path / "work"
    waiting = objects.until_review(dataset, work)
    assert "fathom review" in waiting.say
    review = begun(work, tmp_path / "review", "Ana")
    seen = decided(review, "Ana", {
        "decision": lambda item: "reject" if "action" in item.about[0] else "keep",
        "reason": lambda item: "two are right",
        "text": lambda item: "How many tails are there, then?" if "counting" in item.about[0] else "",
    })  # fmt: skip
    assert all(item.facts[MARKED] in item.options and item.clips for item in seen)
    review.export(tmp_path / "out")
    said = api.write_questions(dataset, work, decisions=[tmp_path / "out"], out=tmp_path / "with")
    assert f"{len(seen)} decisions, {len(seen)} of them new" in said
    made = [q for q in open_dataset(tmp_path / "with").questions() if q.source.startswith(SOURCE)]
    rejected = sum("action" in item.about[0] for item in seen)
    assert (rejected, len(made)) == (2, len(seen) - 2)
    assert sum(q.text == "How many tails are there, then?" for q in made) == 2
    # The same decisions again are nothing new, and the review goes on as it was.
    again = api.write_questions(dataset, work, decisions=[tmp_path / "out" / "decisions.jsonl"])
    assert "0 of them new" in again
    assert api.open_review(tmp_path / "review").status()


def test_pictures_are_answered_and_sorted_by_two_people(info: Path, tmp_path: Path) -> None:
    pictures.until_review(info)
    work = info.parent / "work"
    review = begun(work, tmp_path / "review", "Ana", "Ben", overlap=2.0)
    right = {"picked": lambda item: next(k for k, o in enumerate(item.options) if o in pictures.RIGHT)}
    keeps = {"decision": "keep", "kind": "instance_identity", **right}
    shown = decided(review, "Ana", keeps)
    assert all(MARKED not in item.facts and item.pictures and item.choices for item in shown)
    with pytest.raises(InputError, match="choose the option that is right"):
        values_of(
            review.task, review.task.stages[0], shown[0], {"decision": "keep", "kind": "instance_identity"}
        )
    decided(review, "Ben", keeps)
    review.export(tmp_path / "out")
    api.write_questions(info, work, decisions=[tmp_path / "out"], out=tmp_path / "with")
    lines = pictures.lines_of(info)
    assert {(line.reviewer, line.decision) for line in lines} == {("Ana", "keep"), ("Ben", "keep")}
    assert {q.task for q in open_dataset(tmp_path / "with").questions()} == {"instance_identity"}


def test_who_decides_again_takes_the_place_of_their_own_line(info: Path) -> None:
    pictures.until_review(info)
    path, form = info.parent / "work" / FILE, OF_PICTURES.line
    assert form is not None
    name = pictures.lines_of(info)[0].question
    first = DraftDecision(subject=name, reviewer="Ana", decision="reject", reason="none is right")
    assert take_decisions(path, form, [first]) == 1
    lines = pictures.lines_of(info)
    assert take_decisions(path, form, [first]) == 0
    other = [msgspec.structs.replace(first, reason="several are right")]
    others = [msgspec.structs.replace(first, reviewer=who) for who in ("Ben", "Cem")]
    assert take_decisions(path, form, [*other, *others]) == 3
    after = pictures.lines_of(info)
    assert len(after) == len(lines) + 1  # Cem's is a copy: two people were asked for
    said = [(line.reviewer, line.reason) for line in after if line.question == name]
    assert said == [("Ana", "several are right"), ("Ben", "none is right"), ("Cem", "none is right")]
    before = path.read_bytes()
    with pytest.raises(InputError, match="has no line about elsewhere, which Ana decided"):
        take_decisions(path, form, [msgspec.structs.replace(first, subject="elsewhere")])
    assert path.read_bytes() == before


def test_what_is_meant_by_words_is_marked_where_it_is_seen_best() -> None:
    line = OpenLine(
        id="d1", about="description", scene="s", media="m", words="the shiny mug", seconds=[1.0, 4.5],
        best_seen={"frame": 12, "seconds": 2.0, "box_px": [64, 48, 320, 240]}, why="shiny",
    )  # fmt: skip
    draft = line.draft()
    assert draft.mark == ("m", 12, (64.0, 48.0, 320.0, 240.0))
    assert (draft.span_s, draft.choices, draft.facts) == ((1.0, 4.5), (), {"Why you are asked": "shiny"})
    kept = line.filled(DraftDecision(subject="d1", reviewer="Ana", decision="keep"))
    assert (kept.decision, kept.reviewer, kept.words) == ("keep", "Ana", "the shiny mug")


def test_what_cannot_be_decided_is_said_in_a_sentence(tmp_path: Path) -> None:
    dataset, work = make_objects(tmp_path / "dataset"), tmp_path / "work"
    next_step(dataset, work)
    with pytest.raises(InputError, match="nothing waits for people there"):
        begun(work, tmp_path / "r1", "Ana")
    with pytest.raises(InputError, match="--task drafts and descriptions belong to the work"):
        begun(dataset, tmp_path / "r2", "Ana")
    with pytest.raises(InputError, match="and no other task does"):
        api.begin_review(api.ReviewPlan(work, "verify", tmp_path / "r3", ("Ana",)))
    with pytest.raises(InputError, match="expected what people decided, and there is no such file"):
        read_decisions(tmp_path)
    # Where a dataset lies is no part of what work it is: a review of the work goes on after it was moved.
    before = identity_of_work(work)
    write_json(work / SETTINGS, {**read_json(work / SETTINGS, dict), "path": "../../elsewhere"})
    assert identity_of_work(work) == before
    # Work that was begun before it said where its dataset lies says so at its next call.
    settings = {k: v for k, v in read_json(work / SETTINGS, dict).items() if k != "path"}
    write_json(work / SETTINGS, settings)
    with pytest.raises(InputError, match="does not say where its dataset lies"):
        begun(work, tmp_path / "r4", "Ana")
    next_step(dataset, work)
    assert read_json(work / SETTINGS, dict)["path"] == "../dataset"


def test_a_draft_is_decided_in_a_browser(browser: Any, info: Path, tmp_path: Path) -> None:
    pictures.until_review(info)
    plan = api.ReviewPlan(info.parent / "work", "drafts", tmp_path / "review", ("Ana",), sample=2)
    review, links = api.begin_review(plan)
    with served(review) as address:
        page = browser.new_page()
        page.goto(f"{address}/join/{links['Ana']}")
        page.wait_for_selector("#asked .choice")
        page.keyboard.press("1")
        page.keyboard.press("k")
        page.keyboard.press("b")  # what it belongs to: with it, all is said
        page.wait_for_function("() => document.querySelector('#count').innerText === '1 of 2'")
        page.wait_for_selector("#asked .choice")
        page.keyboard.press("r")
        page.locator("#field-reason").fill("none is right")
        page.locator("#send").click()
        page.wait_for_selector("#finished")
        page.wait_for_function("() => !document.querySelector('#sending').innerText")
        page.close()
    review.export(tmp_path / "out")
    found = {d.decision: d for d in read_jsonl(tmp_path / "out" / "decisions.jsonl", DraftDecision)}
    assert set(found) == {"keep", "reject"}
    assert found["keep"].answer_given and found["keep"].kind
    assert (found["reject"].reason, found["reject"].answer_given) == ("none is right", "")
