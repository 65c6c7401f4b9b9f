"""What holds of every file, however it is written."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.formats.circular_copies import content, turned_back
from fathom.formats.import_findings import LeftOutError, Notes
from fathom.formats.json_stream import json_items
from fathom.formats.layouts import ImportedQuestion
from fathom.formats.rows import read_rows
from fathom.formats.table_cells import picked, text_of

texts = st.text(st.characters(codec="utf-8"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def written(text: str, name: str) -> Path:
    path = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


_FOLDER = tempfile.TemporaryDirectory()


@settings(max_examples=200, deadline=None)
@given(st.lists(values, max_size=5), st.sampled_from([None, 1]))
def test_a_list_gives_its_items_and_their_lines(items: list[Any], indent: int | None) -> None:
    found = list(json_items(written(json.dumps(items, indent=indent), "a.json"), "a.json"))
    assert [i.value for i in found] == items
    assert [i.line for i in found] == sorted(i.line for i in found)
    assert all(i.line == 1 for i in found) or indent


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(texts, st.dictionaries(texts, values, max_size=3)), min_size=1, max_size=5))
def test_an_object_keyed_by_id_gives_every_pair_even_twice(pairs: list[tuple[str, dict[str, Any]]]) -> None:
    named = [(f"id {key}", value) for key, value in pairs]
    text = "{" + ",\n ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in named) + "}"
    assert [(i.key, i.value) for i in json_items(written(text, "a.json"), "a.json")] == named


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.dictionaries(texts, st.integers(), min_size=1, max_size=3), min_size=1, max_size=5),
    st.sampled_from(["\n", ",\n", ",", " "]),
)
def test_objects_in_a_row_are_read_with_and_without_commas(items: list[dict[str, int]], between: str) -> None:
    text = between.join(json.dumps(item) for item in items)
    for end in ("", ",", ",\n", "\n"):
        found = list(json_items(written(text + end, "a.json"), "a.json"))
        assert [i.value for i in found] == items


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(texts.map(lambda t: f"x{t}"), min_size=3, max_size=3), max_size=5))
def test_a_table_gives_the_cells_that_were_written(rows: list[list[str]]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([["a", "b", "c"], *rows])
    found = list(read_rows(written(out.getvalue(), "a.tsv"), "a.tsv"))
    assert [list(row.values.values()) for row in found] == rows


@given(st.lists(texts, min_size=2, max_size=5, unique=True), st.integers(0, 4))
def test_turning_options_changes_no_content_and_can_be_undone(choices: list[str], places: int) -> None:
    k = places % len(choices)
    draft = ImportedQuestion(id="q", task="t", text="?", answer=choices[0], choices=tuple(choices))
    copy = replace(draft, choices=tuple(choices[k:] + choices[:k]), rotation=k)
    assert content(copy) == content(draft)
    assert turned_back(copy) == draft


@given(st.text(max_size=30))
def test_clean_text_is_clean_and_can_be_written(text: str) -> None:
    clean = text_of(text, Notes("here"))
    assert clean == text_of(clean, Notes("here"))
    assert clean.encode().decode() == clean
    assert clean.casefold() != "nan"


@given(st.lists(texts.filter(str.strip), min_size=2, max_size=5), values, st.integers(0, 1), st.booleans())
def test_what_is_picked_is_one_of_the_options(
    choices: list[str], answer: object, base: int, numbered: bool
) -> None:
    options = list(zip("ABCDE", choices, strict=False))
    try:
        assert picked(options, answer, Notes("here", base), numbered) in choices
    except LeftOutError as e:
        assert e.reason
