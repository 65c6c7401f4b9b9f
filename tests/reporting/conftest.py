"""A real browser for the report's tests: one a session, cut off from the network, its every request noted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.reporting.synthetic import report_data, report_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""Browsers to test with, the one that takes least to run first."""

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Visit:
    """A page in the browser, with everything it asked for and everything it complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: object) -> None:
        self.complaints.append(f"dialog: {dialog}")
        dialog.dismiss()  # type: ignore[attr-defined]

    def open(self, path: Path, address: str = "") -> Page:
        """Open a file and return the page once its script has run."""
        self.page.goto(path.resolve().as_uri() + address)
        self.page.locator("html.js").wait_for(state="attached")
        return self.page

    def fetched(self) -> list[str]:
        """Return what was asked for beyond the file itself and what it carries."""
        return [u for u in self.requests if not u.startswith(("file:", "data:"))] + [
            u for u in self.requests[1:] if u.startswith("file:") and "#" not in u
        ]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the session: while the browser is open its event loop runs, and no other test could start one.
    sync_api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    binary = next((path for name in NAMES if (path := shutil.which(name))), None)
    if binary is None:
        pytest.skip(f"no browser to test with: none of {', '.join(NAMES)} is installed")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=binary, headless=True, args=list(FLAGS))
        yield found
        found.close()


class Visitor:
    """Opens pages at a width and a theme, and closes them all at the end of a test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @contextmanager
    def visit(
        self, width: int = 1280, height: int = 900, theme: Literal["light", "dark"] = "light"
    ) -> Iterator[Visit]:
        """Yield a fresh page that has no network."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, offline=True
        )
        try:
            yield Visit(context.new_page())
        finally:
            context.close()


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Visitor:
    return Visitor(browser)


@pytest.fixture(scope="session")
def report_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_html(report_data(scenes=3, a_task=2)), encoding="utf-8")
    return path
