"""Names from outside steer no terminal: every verb prints through the console, which writes them out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from fathom.cli import console, progress
from fathom.pages.tables import Table, as_text
from fathom.store.datasets import open_dataset
from tests.cli.conftest import Ended, Fathom
from tests.importing import shapes

HOSTILE = "a\x1b[2Jb\x07\x9b31m\u202ec<b>alert(1)[red]"
"""Clears a screen, rings, colours, and turns the writing around; HTML and markup."""

WRITTEN_OUT = "a\\x1b[2Jb\\x07\\x9b31m\\u202ec<b>alert(1)[red]"


def harmless(ended: Ended) -> Ended:
    """Return how a verb ended, checked for having said a hostile name, and nothing that steers a terminal."""
    steering = {c for c in ended.out + ended.err if not c.isprintable() and c not in "\n\t"}
    assert not steering, (steering, ended)
    assert WRITTEN_OUT in ended.out + ended.err, ended
    return ended


@pytest.fixture
def hostile(fathom: Fathom, tmp_path: Path) -> Path:
    """A folder of a hostile name, with a dataset and two runs of it; an id and the models are hostile too."""
    folder = tmp_path / HOSTILE
    rows = shapes.threed_rows()
    rows[2]["qid"] = f"{HOSTILE}-1"
    shapes.threed(folder / "in")
    table = shapes.table(folder / "in" / "3dsrbench_v1.csv", [*rows, {**rows[2], "category": HOSTILE}])
    taken = ("import", "--quiet", "3dsrbench", table, "--media", folder / "in", "--out", folder / "set")
    assert harmless(fathom(*taken)).code == 0
    ids = [q.id for q in open_dataset(folder / "set").questions()]
    assert f"{HOSTILE}-1" in ids
    said = shapes.table(folder / "said.csv", [{"which": name, "said": "A"} for name in ids])
    for name in ("one", "two"):
        words = ("import-run", "--quiet", folder / "set", said, "--columns", "question=which,text=said")
        assert harmless(fathom(*words, "--model", f"{HOSTILE}\r{name}", "--out", folder / name)).code == 0
    return folder


def test_no_verb_lets_a_name_from_outside_steer_the_terminal(fathom: Fathom, hostile: Path) -> None:
    one, two, dataset = hostile / "one", hostile / "two", hostile / "set"
    for words, code in (
        (("score", one), 0),
        (("compare", one, two), 0),
        (("report", one, two, "--out", hostile / "report"), 0),
        (("check", dataset), 0),
        (("errors", one, "--labels", hostile / HOSTILE, "--out", hostile / "errors"), 2),
        (("export", dataset, "--to", "inspect", "--out", hostile / "out"), 0),
        (("run", dataset, "--model", "random", "--out", hostile / "three"), 0),
        (("score", hostile / "none"), 2),
        (("run", dataset, "--model", f"no.such:{HOSTILE}", "--out", hostile / "four"), 2),
        (("tables", HOSTILE), 2),
        (("score", one, f"--{HOSTILE}"), 2),
    ):
        assert harmless(fathom(*words)).code == code, words
    for page in hostile.rglob("*.html"):
        assert "<b>alert" not in page.read_text(encoding="utf-8"), page


def test_json_stays_json_where_names_are_hostile(capsys: pytest.CaptureFixture[str]) -> None:
    found = {"name": HOSTILE, "tag": "\U000e0041", "lines": "a\nb"}
    console.say_json(json.dumps(found, ensure_ascii=False, indent=2))
    out = capsys.readouterr().out
    assert json.loads(out) == found
    assert all(c.isprintable() or c == "\n" for c in out)


def test_a_name_with_a_line_break_makes_no_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    console.warn("one\nfathom: all is well")
    assert capsys.readouterr().err == "fathom: one\\nfathom: all is well\n"
    lines = as_text(Table("T", ("", "n"), (("one\nChance\t100", "1"), (HOSTILE, "2")))).splitlines()
    assert [line.split()[-1] for line in lines[4:]] == ["1", "2"]
    assert lines[4].startswith("one\\nChance\\t100 ")
    assert len(lines[4]) == len(lines[5]), "as wide as what is printed"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_says_names_as_they_are_and_steers_nothing(
    monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    out = _Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    monkeypatch.setenv("COLUMNS", "200")
    name = "[red]\x1b]0;owned\x07"
    with progress.shown() as show:
        show(f"model {name}", 1, 1, f"note {name}")
    assert "model [red]\\x1b]0;owned\\x07" in out.getvalue()
    assert "note [red]\\x1b]0;owned\\x07" in out.getvalue()
    assert name not in out.getvalue()
