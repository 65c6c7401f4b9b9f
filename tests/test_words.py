"""Words for users: one for each idea, in one spelling, wherever somebody reads them first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.pages.terms import TERMS

ROOT = Path(__file__).resolve().parents[1]
SHOWN = [
    ROOT / "README.md",
    ROOT / "docs" / "glossary.md",
    *sorted((ROOT / "tests" / "cli" / "golden").glob("*.txt")),
    *sorted((ROOT / "src" / "fathom" / "pages" / "templates").glob("*.j2")),
    *sorted((ROOT / "src" / "fathom" / "review" / "site" / "templates").glob("*.j2")),
]

NOT_SAID = re.compile(
    r"\b(things?|hindmost|mended|setts|promises|(?:kilo|centi|milli)?met(?:re|res)|centres?"
    r"|(?:re)?colours?|grey|favour\w*|neighbour\w*|behaviour\w*|recognis\w+|labelled|organis\w+|summaris\w+)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"`[^`]*`")


def faults(text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for found in NOT_SAID.finditer(CODE.sub("", line)):
            yield f"line {number}: {found[0]}"


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.name)
def test_what_a_newcomer_reads_has_the_words_of_the_glossary(path: Path) -> None:
    assert list(faults(path.read_text(encoding="utf-8"))) == []


def test_words_that_are_not_said_are_found_outside_code_alone() -> None:
    assert list(faults("`centre` of a thing\nin metres, recognised; a color")) == [
        "line 1: thing", "line 2: metres", "line 2: recognised",
    ]  # fmt: skip


def test_headings_are_explained_in_these_words_too() -> None:
    assert [text for text in TERMS.values() if list(faults(text))] == []
