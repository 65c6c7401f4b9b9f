"""Pages in which no text can become markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from fathom.pages.charts import Cell
from fathom.pages.html import (
    content_security_policy,
    environment,
    interval_words,
    percent,
    script_json,
    static,
    visible,
)

texts = st.text(st.characters(exclude_categories=[]), max_size=30)
values = st.recursive(
    texts | st.none() | st.booleans() | st.integers(-(2**53), 2**53),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts.map(visible), inner, max_size=3),
    max_leaves=8,
)


def seen(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [seen(v) for v in value]
    if isinstance(value, dict):
        return {seen(k): seen(v) for k, v in value.items()}
    return value


@given(values)
def test_data_for_scripts_comes_back_as_it_went_in_and_holds_no_markup(value: object) -> None:
    text = str(script_json(value))
    assert json.loads(text) == seen(value)
    assert not set(text) & set("<>&\u2028\u2029")


@given(texts)
def test_whatever_a_template_prints_is_escaped(text: str) -> None:
    html = environment().from_string("<p title='{{ t }}'>{{ t }}</p>").render(t=text)
    inner = html.removeprefix("<p title='").removesuffix("</p>")
    assert "<" not in inner.replace("'>", "", 1)
    assert html.count("'") == 2
    html.encode()


@given(texts)
def test_visible_text_is_stable_and_can_always_be_written(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    visible(text).encode()


def test_hidden_and_turning_characters_are_written_out() -> None:
    assert visible("a\x00b\x1b") == "a\u2400b\u241b"
    assert visible("user\u202egnp.exe") == "user[RIGHT-TO-LEFT OVERRIDE]gnp.exe"
    assert visible("two\r\nlines\tand \ud800") == "two\nlines\tand \ufffd"
    assert visible("größer → 大きい 🚲") == "größer → 大きい 🚲"


def test_the_policy_allows_exactly_the_given_script() -> None:
    digest = base64.b64encode(hashlib.sha256(b"let a = 1;").digest()).decode()
    policy = content_security_policy("let a = 1;")
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe-eval" not in policy
    assert "script-src 'none'" in content_security_policy()


def test_the_script_writes_no_markup_and_the_style_loads_nothing() -> None:
    script, style = static("report.js"), static("report.css")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(", script)
    assert not re.search(
        r"fetch\(|XMLHttpRequest|WebSocket|import\(|https?://(?!www\.w3\.org/2000/svg)", script
    )
    assert not re.search(r"url\(|@import|expression\(", style)


def test_shares_are_written_in_per_cent() -> None:
    assert percent(None) == "–"
    assert percent(0.7146) == "71.5"
    assert interval_words(Cell(0.5, 0.41, 0.592)) == "50.0 (41.0–59.2)"
    assert interval_words(Cell(0.5)) == "50.0"
