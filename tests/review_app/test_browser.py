"""People at work in a real browser: keys, phones, several at once, lost connections, accessibility."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fathom import api
from tests.reporting.conftest import browser
from tests.review_app.setting import NASTY, begun, dataset_of, opened, served, with_video

__all__ = ["browser"]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset_of(tmp_path_factory.mktemp("squares"), 8)


class Problems(list[str]):
    """What a page complains about."""

    def watch(self, page: Any) -> Any:
        page.on("pageerror", lambda e: self.append(str(e)))
        page.set_default_timeout(90_000)  # a busy machine takes its time
        page.on("console", lambda m: self.append(m.text) if m.type == "error" else None)
        return page


def _joined(browser: Any, link: str, problems: Problems, **look: Any) -> Any:
    page = problems.watch(browser.new_context(**look).new_page())
    page.goto(link)
    page.wait_for_selector(".choice, #finished, table, textarea")
    return page


ALONE = "tests.review_app.setting:ONE_BY_ONE"


def _done(page: Any) -> int:
    return int(re.match(r"\d+", page.locator("#count").inner_text() or "0")[0])  # type: ignore[index]


def test_questions_are_checked_by_keys_alone(browser: Any, dataset: Path, tmp_path: Path) -> None:
    review, links = begun(dataset, tmp_path / "work", overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        assert "The dataset's answer" not in page.inner_text("#asked")
        page.keyboard.press("1")
        page.wait_for_selector("dl.revealed")
        page.keyboard.press("w")
        page.wait_for_selector("#field-reason")
        page.keyboard.press("Enter")
        assert "fill this in" in page.inner_text("#problem")
        page.keyboard.type("it is on the other side")
        page.keyboard.press("Control+Enter")
        page.locator("#count", has_text=re.compile("^1 of")).wait_for()
        page.keyboard.press("u")
        page.wait_for_selector("dl.revealed")
        page.keyboard.press("r")
        page.locator("#count", has_text=re.compile("^2 of")).wait_for()
        page.keyboard.press("z")
        page.locator("#count", has_text=re.compile("^1 of")).wait_for()
        page.keyboard.press("?")
        assert page.locator("#guidelines").is_visible()
        page.locator("#past").click()
        page.locator("#history button").first.wait_for()
    assert problems == []
    entries = list(opened(review).entries())
    assert [e.values.get("verdict") for e in entries if e.stage == "shown"][:2] == ["wrong", "right"]
    assert entries[1].values["reason"] == "it is on the other side"
    assert sum(e.undone for e in entries) == 2, "the entry that was taken back, and the row that says so"


@pytest.mark.parametrize("slow", ["**/api/next", "**/api/entry", "**/api/undo"])
def test_the_count_is_right_whichever_reply_comes_late(
    browser: Any, dataset: Path, tmp_path: Path, slow: str
) -> None:
    review, links = begun(dataset, tmp_path / "work", task=ALONE, overlap=1)
    problems = Problems()

    def late(route: Any) -> None:
        reply = route.fetch()  # the server has done its part
        page.wait_for_timeout(700)
        route.fulfill(response=reply)

    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        page.wait_for_load_state("networkidle")
        page.route(slow, late)
        for done in range(1, 4):
            page.keyboard.press("h")
            page.locator("#count", has_text=re.compile(f"^{done} of")).wait_for()
        page.keyboard.press("z")
        page.locator("#count", has_text=re.compile("^2 of")).wait_for()
        page.wait_for_load_state("networkidle")
        assert _done(page) == 2
    assert problems == []


def test_five_people_at_once_and_two_tabs_of_one(browser: Any, dataset: Path, tmp_path: Path) -> None:
    people = ("A", "B", "C", "D", "E")
    review, links = begun(dataset, tmp_path / "work", task=ALONE, people=people, overlap=5)
    problems = Problems()
    with served(review) as address:
        pages = [_joined(browser, f"{address}/join/{links[name]}", problems) for name in people]
        second = problems.watch(pages[0].context.new_page())
        second.goto(address)
        second.wait_for_selector(".choice")
        pages.append(second)
        for _ in range(12):
            for page in pages:
                if page.locator("#finished").count() == 0:
                    page.keyboard.press("h")
                    page.wait_for_timeout(30)
        for page in pages:
            page.locator("#finished").wait_for()
    assert problems == []
    store = opened(review)
    assert store.counts().settled == store.counts().items == 8
    counts = Counter((e.item, e.person) for e in store.entries())
    assert {name for _, name in counts} == set(people) and len(counts) == 40


def test_nobody_is_thanked_before_the_last_answer_has_arrived(
    browser: Any, dataset: Path, tmp_path: Path
) -> None:
    review, links = begun(dataset, tmp_path / "work", task=ALONE, overlap=1, sample=2)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        page.keyboard.press("h")
        page.locator("#count", has_text=re.compile("^1 of 2")).wait_for()
        page.evaluate(HELD_BACK, "/api/entry")
        page.wait_for_selector(".choice")
        page.keyboard.press("h")
        page.locator("#unsent", has_text="is being sent").wait_for()
        assert page.locator("#finished").count() == 0
        assert sum(1 for _ in opened(review).entries()) == 1, "the server does not have it"
        page.evaluate("() => window.letGo()")
        page.locator("#finished").wait_for()
        assert [e.values["quality"] for e in opened(review).entries()] == ["high", "high"]
    assert problems == []


SLOW = """() => {
  const send = window.fetch;
  window.fetch = async (path, ...more) => {
    if (path === "/api/entry") await new Promise((after) => setTimeout(after, 600));
    return send(path, ...more);
  };
}"""


def test_a_slow_connection_ends_no_work_early(browser: Any, dataset: Path, tmp_path: Path) -> None:
    review, links = begun(dataset, tmp_path / "work", task=ALONE, overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        page.evaluate(SLOW)
        while page.locator("#finished").count() == 0:
            page.keyboard.press("h")
            page.wait_for_timeout(20)
        assert page.locator("#count").inner_text() == "8 of 8"
        assert len(list(opened(review).entries())) == 8, "each once, though keys were pressed in between"
    assert problems == []


def test_answers_wait_while_the_server_is_gone(browser: Any, dataset: Path, tmp_path: Path) -> None:
    review, links = begun(dataset, tmp_path / "work", task=ALONE, overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        page.keyboard.press("h")
        page.locator("#sending", has_text="to be sent").wait_for()
        page.keyboard.press("l")
        page.keyboard.press("Enter")
        page.locator("#sending", has_text="2 answers wait").wait_for()
        assert list(review.store.entries()) == []
        page.context.set_offline(False)
        page.locator("#sending", has_text="to be sent").wait_for(state="hidden", timeout=15_000)
        for _ in range(100):
            if len(list(review.store.entries())) == 2:
                break
            page.wait_for_timeout(100)
        assert [e.values["quality"] for e in review.store.entries()] == ["high", "low"]


def test_what_waits_is_sent_after_the_page_was_closed(browser: Any, dataset: Path, tmp_path: Path) -> None:
    review, links = begun(dataset, tmp_path / "work", task=ALONE, overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        page.keyboard.press("h")
        page.locator("#sending", has_text="to be sent").wait_for()
        context = page.context
        page.close()
        context.set_offline(False)
        again = context.new_page()
        again.goto(address)
        again.locator("#count", has_text=re.compile("^1 of")).wait_for()
        assert len(list(review.store.entries())) == 1


def test_a_phone_needs_no_scrolling_sideways_and_answers_by_touch(
    browser: Any, dataset: Path, tmp_path: Path
) -> None:
    review, links = begun(dataset, tmp_path / "work", overlap=1)
    problems = Problems()
    look = {
        "viewport": {"width": 390, "height": 800},
        "has_touch": True,
        "is_mobile": True,
        "color_scheme": "dark",
    }
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems, **look)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert all(box["height"] >= 40 for box in (c.bounding_box() for c in page.locator(".choice").all()))
        page.locator(".choice").first.tap()
        page.locator(".choice", has_text="the only right one").tap()
        page.locator("#count", has_text=re.compile("^1 of")).wait_for()
        manager = _joined(browser, f"{address}/join/{links['manager']}", problems, **look)
        assert manager.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert problems == []


def test_a_clip_says_when_its_frames_are(browser: Any, dataset: Path, tmp_path: Path) -> None:
    review, links = begun(with_video(dataset, tmp_path / "videos", (0.67, 2.67)), tmp_path / "work")
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", Problems())
        assert page.inner_text(".player output") == "1 / 6 · 0.67 s"
        page.locator(".player input").press("ArrowRight")
        assert page.inner_text(".player output") == "2 / 6 · 1.00 s"


def test_marks_are_drawn_on_the_picture(browser: Any, dataset: Path, tmp_path: Path) -> None:
    review, links = begun(dataset, tmp_path / "work", task="write", overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        page.get_by_label("Question", exact=True).fill("Where is the square?")
        page.get_by_label("Right answer").fill("on the left")
        page.get_by_label("Wrong options, one a line").fill("on the right\nabove")
        page.get_by_role("button", name="Draw on the picture").click()
        box = page.locator(".view").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.75, steps=4)
        page.mouse.up()
        page.get_by_label("Name of mark 1").fill("square")
        page.locator(".choice").first.click()
        page.locator("#send").click()
        page.locator("#count", has_text=re.compile("^1 of")).wait_for()
    assert problems == []
    (entry,) = opened(review).entries()
    (mark,) = entry.values["marks"]
    assert mark["label"] == "square"
    assert mark["box"] == pytest.approx([0.25, 0.25, 0.5, 0.75], abs=0.02)


def test_no_text_from_outside_runs(browser: Any, tmp_path: Path) -> None:
    review, links = begun(dataset_of(tmp_path, 2, NASTY), tmp_path / "work", overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        assert NASTY in page.inner_text("#asked")
        assert page.title() != "1"
    assert problems == []


@pytest.mark.parametrize("dark", [False, True])
def test_pages_are_accessible(browser: Any, dataset: Path, tmp_path: Path, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    review, links = begun(dataset, tmp_path / "work", overlap=1)
    look = {"color_scheme": "dark" if dark else "light", "bypass_csp": True}
    wanted = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa"]}}
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", Problems(), **look)
        found = [axe.run(page, options=wanted)]
        page.keyboard.press("1")
        page.wait_for_selector("dl.revealed")
        page.keyboard.press("w")
        page.wait_for_selector("#field-reason")
        found.append(axe.run(page, options=wanted))
        manager = _joined(browser, f"{address}/join/{links['manager']}", Problems(), **look)
        found.append(axe.run(manager, options=wanted))
    assert [v["id"] for result in found for v in result.response["violations"]] == []


HELD_BACK = """address => {
  const send = window.fetch;
  let held = null;
  window.fetch = (path, ...more) => path === address && !held
    ? new Promise((done) => { held = () => { const it = send(path, ...more); done(it); return it; }; })
    : send(path, ...more);
  window.letGo = async () => { await held(); await new Promise((after) => setTimeout(after, 200)); };
}"""
"""What is asked of an address next goes only when it is let go: other things come in between."""


def test_questions_are_written_in_forms(browser: Any, tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for k, name in enumerate(("a.png", "b.png")):
        Image.new("RGB", (60, 40), (200, 40, 90 * k)).save(photos / name)
    plan = api.ReviewPlan(
        photos, "forms", tmp_path / "work", ("Ana",), benchmark="3dsrbench", tasks=("location_above",)
    )
    review, links = api.begin_review(plan)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        assert page.get_by_label("C is", exact=True).count() == 0, "this form has two letters"
        page.get_by_label("A is", exact=True).fill("the lamp")
        page.get_by_label("B is", exact=True).fill("the table")
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        page.evaluate(HELD_BACK, "/api/entry")
        page.keyboard.press("Enter")
        page.locator("#count", has_text=re.compile("^1 of 2")).wait_for()
        page.locator("#want").click()  # while the answer is still on its way
        page.evaluate("() => window.letGo()")
        page.locator("#wanted li", has_text="Is the lamp directly above the table? So far: yes.").wait_for()
        page.get_by_label("A is", exact=True).fill("the lamp")
        page.locator(".choice", has_text="no").first.click()
        page.evaluate(HELD_BACK, "/api/next")
        page.locator("#send").click()
        page.locator("#problem", has_text="what B is").wait_for()
        page.evaluate("() => window.letGo()")
        assert page.get_by_label("A is", exact=True).input_value() == "the lamp", "given back, not lost"
        page.get_by_label("B is", exact=True).fill("the table")
        page.locator("#send").click()
        page.wait_for_selector("#finished")
        manager = _joined(browser, f"{address}/join/{links['manager']}", problems)
        manager.get_by_text("yes 1, no 1").wait_for()
        assert manager.locator("meter").count() == 1
        assert "Partners wanted" not in manager.inner_text("main")
    # What the server refuses with a sentence, the browser notes as a failed request.
    assert [p for p in problems if "422" not in p] == []


def test_one_key_judges_each_of_several_on_a_page(browser: Any, tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path, questions=15)
    review, links = begun(dataset, tmp_path / "work", task="quality", overlap=1)
    problems = Problems()
    with served(review) as address:
        page = _joined(browser, f"{address}/join/{links['Ana']}", problems)
        assert page.locator(".tile").count() == 12
        page.keyboard.press("h")
        page.keyboard.press("l")
        page.locator("#count", has_text=re.compile("^2 of")).wait_for()
        assert page.locator(".verdict").all_inner_texts()[:3] == ["High", "Low", ""]
        # One that is framed with the arrows, judged, and judged again: the last word counts.
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("h")
        assert page.locator(".verdict").all_inner_texts()[:2] == ["High", "High"]
        # A closer look at one of them: all that it shows, and a reason; then the rest of the page.
        page.locator(".tile").nth(4).click()
        page.keyboard.press("Enter")
        page.wait_for_selector(".view img")
        page.keyboard.press("l")
        page.locator("#field-reason").fill("hardly moves")
        page.locator("#send").click()
        page.locator(".tile").first.wait_for()
        assert page.locator(".tile").count() == 12
        # What is taken back comes by itself.
        page.keyboard.press("h")
        page.locator("#count", has_text=re.compile("^4 of")).wait_for()
        page.keyboard.press("z")
        page.wait_for_selector(".view img")
        for done in range(4, 16):
            judged = page.get_attribute("#work", "data-item")
            page.keyboard.press("h")
            page.locator("#count", has_text=re.compile(f"^{done} of")).wait_for()
            # A key that is pressed before the next one is there judges nothing.
            page.wait_for_function(
                "judged => document.querySelector('#work').dataset.item !== judged", arg=judged
            )
        page.locator("#finished").wait_for()
    assert problems == []
    labels = [said["Ana"] for said in review.results().labels.values()]
    assert Counter(labels) == {"high": 14, "low": 1}
    assert [e.values["reason"] for e in review.store.entries() if e.values.get("reason")] == ["hardly moves"]
