"""The report of each benchmark: what leads, and what its gallery shows, in a real browser."""

from __future__ import annotations

import base64
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from PIL import Image

from fathom import api
from fathom.records import Manifest, Question
from fathom.store.datasets import MANIFEST, QUESTIONS
from fathom.store.files import read_json, read_jsonl, write_json, write_jsonl
from tests.reporting.conftest import Visitor, browser, visitor
from tests.wiring.made import MAKERS, MODEL, PROTOCOLS

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "visitor"]

Pages = dict[str, Path]

EVIL = "</script><img src=x onerror=alert(1)>{{7*7}}\u202e"
"""A text that tries to become markup."""


@pytest.fixture(scope="module", autouse=True)
def pages(made: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return reports of two made-up models, on each made-up dataset and on two that are no good.

    All are made before the browser is there: its event loop lets no other begin.
    """
    folder = tmp_path_factory.mktemp("pages")
    datasets = {name: made(name) for name in MAKERS}
    datasets["evil"] = turned_evil(datasets["seed-bench"], folder / "evil-data")
    reports = {}
    for name, dataset in datasets.items():
        runs = [folder / name / skill for skill in ("0.8", "0.4")]
        for run in runs:
            protocol = PROTOCOLS.get("seed-bench" if name == "evil" else name, "default")
            api.run_model(dataset, MODEL, run, options={"skill": run.name}, protocol=protocol)
        reports[name] = api.write_report(runs, folder / name / "report", figures=False)
    moved = shutil.copytree(datasets["sti-bench"], folder / "moved")
    shutil.rmtree(moved / "media")
    run = folder / "sti-bench" / "0.8"
    manifest = read_json(run / MANIFEST, Manifest)
    settings = {**manifest.settings, "dataset": str(moved)}
    write_json(run / MANIFEST, msgspec.structs.replace(manifest, settings=settings))
    reports["lost"] = api.write_report([run], folder / "lost", figures=False)
    return reports


def turned_evil(dataset: Path, folder: Path) -> Path:
    """Write a copy of a dataset in which every text tries to become markup."""
    shutil.copytree(dataset, folder)
    changed = []
    for q in read_jsonl(dataset / QUESTIONS, Question):
        choices = tuple(f"{c}{EVIL}" for c in q.choices)
        words = {"text": q.text + EVIL, "choices": choices, "answer": choices[q.choices.index(q.answer)]}
        changed.append(msgspec.structs.replace(q, **words, tags={f"tag{EVIL}": EVIL}))
    write_jsonl(folder / QUESTIONS, changed)
    manifest = read_json(folder / MANIFEST, Manifest)
    write_json(folder / MANIFEST, msgspec.structs.replace(manifest, name=EVIL, identity="e" * 64))
    return folder


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("width", [390, 1280])
def test_every_benchmark_has_a_page_that_fits_any_width(
    visitor: Visitor, pages: Pages, name: str, width: int
) -> None:
    with visitor.visit(width=width) as visit:
        page = visit.open(pages[name])
        page.locator(".row").nth(1).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert visit.fetched() == []
        assert visit.complaints == []
        broken = "[...document.images].filter((i) => i.complete && !i.naturalWidth).length"
        assert page.evaluate(broken) == 0


def test_3dsrbench_leads_with_circular_accuracy_and_shows_the_four_groupings(pages: Pages) -> None:
    html = pages["3dsrbench"].read_text(encoding="utf-8")
    assert "Best model, circular" in html
    assert "in every order of their options (circular)" in html
    assert "Passes that count as one, right only where all of them are" in html
    table = (pages["3dsrbench"].parent / "tables" / "groupings.csv").read_text(encoding="utf-8")
    assert table.splitlines()[0] == ",plain,circular,flip,flip + circular"
    assert "made-up-0.8 is better than made-up-0.4" in html


def test_under_circular_a_question_is_right_in_the_gallery_where_it_is_in_the_table(
    visitor: Visitor, pages: Pages
) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["3dsrbench"])
        rows = json.loads(page.inner_text("#report-data"))["questions"]
        for question in rows:
            for model, answer in enumerate(question["answers"]):
                right = next(o for o in question["options"] if o["right"])
                picked = [n for m, n, of in right["by"] if m == model and n == of]
                assert (answer["outcome"] == "right") == bool(picked)


def test_options_are_shown_with_letters_the_right_one_and_who_picked_which(
    visitor: Visitor, pages: Pages
) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["sti-bench"])
        page.locator(".row").first.click()
        options = page.locator(".options li")
        assert [w.split(".")[0] for w in options.all_inner_texts()] == list("ABCDE")
        assert page.locator(".options .right").count() == 1
        question = json.loads(page.inner_text("#report-data"))["questions"][0]
        for option, shown in zip(question["options"], options.all_inner_texts(), strict=True):
            for model in ("made-up-0.8", "made-up-0.4"):
                index = ["made-up-0.8", "made-up-0.4"].index(model)
                assert (model in shown) == any(m == index for m, _, _ in option["by"])


def shots(page: Page, row: int) -> int:
    return page.locator("article.scene").nth(row).locator(".shot img").count()


def test_videos_are_shown_as_strips_of_frames_from_the_stretch_that_is_asked_about(
    visitor: Visitor, pages: Pages
) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["sti-bench"])
        assert shots(page, 0) == 6
        times = page.locator("article.scene").first.locator(".at").all_text_contents()
        assert all(1 <= float(t.removesuffix(" s")) < 3 for t in times)
        assert "1.0 to 3.0 s" in (page.locator(".strip figcaption").first.text_content() or "")
        page = visit.open(pages["4d-bench"])
        assert shots(page, 0) == 9


def test_the_first_video_of_an_entry_plays_when_it_is_asked_to(visitor: Visitor, pages: Pages) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["4d-bench"])
        first = page.locator("article.scene").first
        assert first.locator(".film").count() == 1
        film = first.locator(".film img")
        assert not film.is_visible()
        first.locator(".film summary").click()
        assert film.is_visible()
        source = base64.b64decode((film.get_attribute("src") or "").partition(",")[2])
        with Image.open(io.BytesIO(source)) as picture:
            assert 2 <= getattr(picture, "n_frames", 1) <= 16
            assert picture.width <= 240
        assert len(source) < 400_000


def test_several_pictures_and_none_at_all_are_shown_as_what_they_are(visitor: Visitor, pages: Pages) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["seed-bench"])
        several = page.locator("article.scene", has_text="Visual Reasoning: what")
        assert several.locator(".shot img").count() == 3
        alone = page.locator("article.scene", has_text="Asked without any picture at all?")
        assert alone.locator(".no-picture").text_content() == "Asked without a picture."
        assert alone.locator("img").count() == 0


def test_captions_have_a_leaderboard_of_metrics_with_people_and_published_rows(
    visitor: Visitor, pages: Pages
) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["captions"])
        assert page.locator("#board").count() == 0
        heads = [h.replace("\u2011", "-") for h in page.locator(".captions-board thead th").all_inner_texts()]
        assert heads[1:7] == ["CIDEr", "BLEU-4", "METEOR", "ROUGE-L", "BERTScore", "SBERT"]
        assert "against the others" in page.inner_text(".captions-board tbody.baseline")
        assert "126.6" in page.inner_text(".captions-board tbody.published")
        assert "METEOR is not available" in page.inner_text("#captions")
        page.locator(".row").first.click()
        assert page.locator(".references li").count() == 5
        assert page.locator(".values", has_text="4dbench: BLEU-4").count() == 2


def test_the_answer_filter_goes_by_letters(visitor: Visitor, pages: Pages) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["sti-bench"])
        page.select_option("[name=answer]", "C")
        page.wait_for_timeout(200)
        answers = page.locator("li[data-question]:not([hidden]) .answer").all_text_contents()
        assert answers
        assert all(a.startswith("C. ") for a in answers)


def test_a_video_without_its_file_leaves_its_name(pages: Pages) -> None:
    html = pages["lost"].read_text(encoding="utf-8")
    assert "scene0001_00.mp4" in html
    assert "the file is not there, or cannot be decoded" in html


def test_options_and_tags_from_outside_never_become_markup(visitor: Visitor, pages: Pages) -> None:
    with visitor.visit() as visit:
        page = visit.open(pages["evil"])
        for k in range(3):
            page.locator(".row").nth(k).click()
        assert page.locator("img[src=x]").count() == 0
        assert "onerror" in page.locator(".options").first.inner_text()
        assert visit.complaints == []
        assert visit.fetched() == []
