"""The report in a real browser: it works without a network, and at any width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fathom import api
from fathom.records import Question, SampleScore
from fathom.reporting.data import ReportData
from tests.inference.folders import make_dataset
from tests.protocols.made import write_3dsrbench, write_4d_bench, write_seed_bench, write_sti_bench
from tests.reporting.conftest import Visitor
from tests.reporting.synthetic import STRENGTHS, TASKS, report_data

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL_TEXT = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || ['SCRIPT', 'STYLE'].includes(parent.tagName)) continue;
    if (!parent.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(parent).fontSize) < 12) found.push(walk.currentNode.textContent.trim());
  }
  return found;
}"""
SMALL_TARGETS = """() => {
  const pressed = 'button, select, input:not([type=checkbox]):not([type=radio]), summary';
  return [...document.querySelectorAll(pressed)].filter((e) => e.checkVisibility())
    .map((e) => [e.textContent.trim().slice(0, 30), e.getBoundingClientRect()])
    .filter(([, box]) => box.height < 24 || box.width < 24).map(([text]) => text);
}"""
COLUMN = """n => [...document.querySelectorAll('#board tbody:first-of-type tr')]
  .map((row) => Number(row.children[n].dataset.value))"""
CONTRAST = """(selector) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ink = light(getComputedStyle(document.querySelector(selector)).color);
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}"""


@cache
def data() -> ReportData:
    return report_data(scenes=3, a_task=2)


@cache
def questions() -> Sequence[Question]:
    return data().dataset.questions


@cache
def outcomes() -> dict[tuple[str, str], str]:
    """From a run's model and a question to what came of it."""

    def outcome(m: SampleScore) -> str:
        if m.status != "ok":
            return "failed"
        if m.picked is None:
            return "unread"
        return "right" if m.value else "wrong"

    return {(run.model, m.question): outcome(m) for run in data().runs for m in run.sample_scores}


def shown(page: Page) -> list[str]:
    """Return the ids of the questions in sight, from the page's own data."""
    script = """() => {
      const data = JSON.parse(document.getElementById('report-data').textContent);
      return [...document.querySelectorAll('li[data-question]')].filter((e) => e.checkVisibility())
        .map((e) => data.questions[e.dataset.question].id);
    }"""
    found: list[str] = page.evaluate(script)
    return found


def settles_on(page: Page, expected: list[str]) -> bool:
    """Return whether the page comes to show exactly these questions; a typed word takes a moment to act."""
    for _ in range(100):
        if shown(page) == expected:
            return True
        page.wait_for_timeout(20)
    return False


def test_nothing_is_fetched_and_nothing_is_complained_about(visitor: Visitor, report_page: Path) -> None:
    with visitor.visit() as visit:
        page = visit.open(report_page)
        page.locator(".row").first.click()
        page.mouse.wheel(0, 20000)
        page.wait_for_timeout(200)
        assert visit.complaints == []
        assert visit.fetched() == []
        assert (
            page.evaluate("performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:'))")
            == []
        )


def test_every_picture_loads(visitor: Visitor, report_page: Path) -> None:
    with visitor.visit() as visit:
        page = visit.open(report_page)
        page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
        sizes = page.evaluate("[...document.images].map((i) => [i.naturalWidth, i.naturalHeight])")
        assert sizes == [[320, 240]] * 3


def test_filters_show_what_they_say(visitor: Visitor, report_page: Path) -> None:
    models = list(STRENGTHS)
    with visitor.visit() as visit:
        page = visit.open(report_page)
        assert shown(page) == [q.id for q in questions()]

        page.select_option("[name=task]", "L4_pose")
        expected = [q.id for q in questions() if q.task == "L4_pose"]
        assert settles_on(page, expected)
        assert page.inner_text("#count") == f"{len(expected)} of {len(questions())} questions on 3 pictures"

        page.select_option("[name=task]", "")
        page.select_option("[name=model]", "2")
        page.select_option("[name=outcome]", "wrong")
        expected = [q.id for q in questions() if outcomes()[models[2], q.id] == "wrong"]
        assert settles_on(page, expected)

        page.click("button[type=reset]")
        assert settles_on(page, [q.id for q in questions()])
        page.fill("[name=low]", "2")
        page.fill("[name=high]", "6")
        expected = [q.id for q in questions() if q.margin and 2 <= q.margin.ratio <= 6]
        assert settles_on(page, expected)

        page.click("button[type=reset]")
        page.select_option("[name=answer]", questions()[1].answer)
        expected = [q.id for q in questions() if q.answer == questions()[1].answer]
        assert settles_on(page, expected)

        page.click("button[type=reset]")
        page.fill("[name=words]", questions()[5].id)
        assert settles_on(page, [questions()[5].id])

        page.fill("[name=words]", "no such words")
        assert settles_on(page, [])
        assert page.is_visible("#none")


def test_split_questions_are_those_some_models_get_right(visitor: Visitor, report_page: Path) -> None:
    with visitor.visit() as visit:
        page = visit.open(report_page)
        page.select_option("[name=outcome]", "split")
        rights = {q.id: sum(outcomes()[m, q.id] == "right" for m in STRENGTHS) for q in questions()}
        expected = [q for q, n in rights.items() if 0 < n < len(STRENGTHS)]
        assert settles_on(page, expected)


def test_stepping_outlines_exactly_what_the_step_selects(visitor: Visitor, report_page: Path) -> None:
    question = questions()[0]
    assert question.evidence is not None
    with visitor.visit() as visit:
        page = visit.open(report_page)
        page.locator(".row").first.click()
        assert page.locator(".step").count() == len(question.program)
        for i, objects in enumerate(question.evidence.steps):
            page.locator(".step").nth(i).click()
            lit = page.evaluate(
                "[...document.querySelectorAll('[data-object].on')].map((e) => e.dataset.object)"
            )
            assert set(lit) == set(objects)
            assert page.locator(".step[aria-pressed=true]").count() == 1
        page.keyboard.press("ArrowLeft")
        assert page.locator(".step").nth(len(question.program) - 2).get_attribute("aria-pressed") == "true"
        page.keyboard.press("Escape")
        assert page.locator(".detail").count() == 0
        assert page.locator("[data-object].on").count() == 0


def test_an_opened_question_shows_every_models_answer_and_the_margin(
    visitor: Visitor, report_page: Path
) -> None:
    question = questions()[3]
    with visitor.visit() as visit:
        page = visit.open(report_page)
        page.locator(".row").nth(3).click()
        lines = page.locator(".answers .line").all_inner_texts()
        assert len(lines) == len(STRENGTHS)
        for line, model in zip(lines, STRENGTHS, strict=True):
            word = {"right": "correct", "unread": "not readable"}.get(o := outcomes()[model, question.id], o)
            assert model in line
            assert word in line
        page.locator(".answers summary").first.click()
        assert "I see several vehicles." in page.locator(".answers pre").first.inner_text()
        assert question.margin is not None
        assert f"{question.margin.ratio:.3g} × its tolerance" in page.inner_text(".gauge-words")


def test_a_link_opens_its_question_and_a_number_shows_the_mistakes(
    visitor: Visitor, report_page: Path
) -> None:
    target = questions()[20]
    with visitor.visit() as visit:
        page = visit.open(report_page, f"#question={target.id}")
        assert page.inner_text("li.open .text") == target.text
        assert page.locator("li.open").bounding_box()["y"] < 900  # type: ignore[index]

        page.click("#board tbody tr:nth-child(3) td:nth-child(4) a")
        model = page.inner_text("#board tbody tr:nth-child(3) th .given")
        expected = [
            q.id for q in questions() if q.task == list(TASKS)[1] and outcomes()[model, q.id] == "wrong"
        ]
        assert settles_on(page, expected)


@pytest.mark.parametrize(
    "address", ["#question=nobody", "#task=nothing&low=x", "#=&=&&", "#a=%", "#question=%00"]
)
def test_a_broken_address_does_no_harm(visitor: Visitor, report_page: Path, address: str) -> None:
    with visitor.visit() as visit:
        visit.open(report_page, address)
        assert visit.complaints == []


def test_the_leaderboard_sorts_by_any_column(visitor: Visitor, report_page: Path) -> None:
    with visitor.visit() as visit:
        page = visit.open(report_page)

        def column(n: int) -> list[float]:
            found: list[float] = page.evaluate(COLUMN, n)
            return found

        for n in (1, 4, 9):
            page.locator("#board thead tr:last-child button").nth(n).click()
            values = column(n)
            assert values == sorted(values, reverse=True) or n == 1
            page.locator("#board thead tr:last-child button").nth(n).click()
            assert column(n) == sorted(values, reverse=n == 1)
        page.locator("#board thead tr:last-child button").first.click()
        names = page.locator("#board tbody:first-of-type th .given:first-child").all_inner_texts()
        assert names == sorted(STRENGTHS)


def test_the_whole_gallery_can_be_walked_with_the_keyboard(visitor: Visitor, report_page: Path) -> None:
    with visitor.visit() as visit:
        page = visit.open(report_page)
        page.keyboard.press("j")
        page.keyboard.press("j")
        assert page.inner_text("li.open .text") == questions()[1].text
        page.keyboard.press("k")
        assert page.inner_text("li.open .text") == questions()[0].text
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.name") == "words"
        page.keyboard.type("jk")
        assert page.input_value("[name=words]") == "jk"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_page_is_readable_at_any_width(visitor: Visitor, report_page: Path, width: int) -> None:
    with visitor.visit(width=width, height=844) as visit:
        page = visit.open(report_page)
        page.locator(".row").nth(2).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL_TEXT) == []
        assert page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_in_both_themes(visitor: Visitor, report_page: Path, theme: Any) -> None:
    with visitor.visit(theme=theme) as visit:
        page = visit.open(report_page)
        page.locator(".row").nth(2).click()
        for selector in (
            "body",
            ".lead",
            ".mark.right",
            ".mark.wrong",
            "summary",
            ".divider em",
            ".row .tag",
        ):
            assert page.evaluate(CONTRAST, selector) >= 4.5, selector
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (theme == "light")


def test_printed_the_page_keeps_its_questions_and_loses_its_controls(
    visitor: Visitor, report_page: Path
) -> None:
    with visitor.visit(width=800) as visit:
        page = visit.open(report_page)
        page.emulate_media(media="print")
        assert not page.is_visible("#filters")
        assert not page.is_visible("nav")
        assert page.locator(".row").last.is_visible()
        assert page.pdf().count(b"/Subtype /Image") == 3


def test_without_scripts_the_page_still_reads(visitor: Visitor, report_page: Path, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(report_page.resolve().as_uri())
    assert page.locator("#board tbody tr").first.is_visible()
    assert page.locator(".row .text").count() == len(questions())
    assert "switched off" in page.locator("noscript").inner_text()
    context.close()


SIDEWAYS = """() => [...document.querySelectorAll('.scroll')]
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.firstElementChild.className)"""


def report_on(benchmark: str, folder: Path) -> Path:
    """Return the page of two runs on a small set of a benchmark."""
    makers: dict[str, Callable[[Path], Path]] = {
        "3dsrbench": write_3dsrbench,
        "4d-bench": write_4d_bench,
        "seed-bench": write_seed_bench,
        "sti-bench": write_sti_bench,
        "pulsecheck457": lambda at: make_dataset(at).path,
    }
    dataset = makers[benchmark](folder / "set")
    model = "scripted:mute" if benchmark in ("4d-bench", "pulsecheck457") else "random"
    protocol = "generation" if benchmark == "seed-bench" else "default"
    for name in ("a", "b"):
        api.run_model(dataset, model, folder / name, protocol=protocol)
    return api.write_report([folder / "a", folder / "b"], folder / "report", figures=False)


@pytest.mark.parametrize("benchmark", ["3dsrbench", "4d-bench", "seed-bench", "sti-bench", "pulsecheck457"])
def test_no_page_is_wider_than_its_window_whatever_the_benchmark(
    visitor: Visitor, benchmark: str, tmp_path: Path
) -> None:
    # In a thread of its own: the browser's loop runs in this one.
    with ThreadPoolExecutor(1) as pool:
        page_file = pool.submit(report_on, benchmark, tmp_path).result()
    with visitor.visit() as visit:
        page = visit.open(page_file)
        for width in (1300, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            sideways = (
                "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
            )
            if width == 1300:
                assert page.evaluate(f"{sideways}.map(e => e.firstElementChild.className)") == []
