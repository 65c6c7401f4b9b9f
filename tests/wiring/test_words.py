"""How much a model writes stands against whether it is right, by type."""

from __future__ import annotations

from pathlib import Path

import msgspec

import fathom
from fathom import api
from fathom.api import benchmark_named
from fathom.records import Groups, Question
from tests.wiring.made import Making


def _set(folder: Path) -> list[Question]:
    making = Making(folder)
    asked = [
        Question(
            id=f"q{k}", task="location_above" if k % 2 else "height_higher", text=f"Is it {k}?",
            answer="yes", choices=("yes", "no"), media=(making.image(f"p{k}"),),
            groups=Groups(cluster=f"p{k}"),
        )
        for k in range(32)
    ]  # fmt: skip
    making.finish("3dsrbench", asked)
    return asked


def _report(folder: Path, texts: dict[str, str]) -> str:
    script = folder / "script.jsonl"
    lines = [{"question": name, "text": text} for name, text in texts.items()]
    script.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    fathom.run(folder / "set", f"scripted:{script}", folder / "run", protocol="generation")
    api.write_report([folder / "run"], folder / "report")
    return (folder / "report" / "report.html").read_text()


def test_short_wrong_answers_stand_apart_from_long_right_ones(tmp_path: Path) -> None:
    """Of every type the shorter half is wrong, and the longer half right."""
    long = "I look at where both of them are and how far. " * 4 + "\nAnswer: yes"
    texts = {}
    for k, q in enumerate(_set(tmp_path / "set")):
        texts[q.id] = long if k % 4 < 2 else "Answer: no"
    page = _report(tmp_path, texts)
    section = page[page.index('<section id="words">') :]
    rows = [row for row in section.split("<tr") if "<td" in row][:3]
    cells = [[c.split("</td>")[0].split(">")[-1] for c in row.split("<td")[1:]] for row in rows]
    assert cells == [["32", "46", "2", "0.0", "100.0"], *([["16", "46", "2", "0.0", "100.0"]] * 2)]
    assert (tmp_path / "report" / "figures" / "words.svg").is_file()


def test_of_who_says_a_letter_alone_nothing_is_said(tmp_path: Path) -> None:
    page = _report(tmp_path, {q.id: "A" for q in _set(tmp_path / "set")})
    assert 'id="words"' not in page


def test_the_papers_two_failures_are_among_the_reasons() -> None:
    names = [label.name for label in benchmark_named("3dsrbench").error_labels]
    assert names[:2] == ["cue", "guess"] and names[-1] == "other" and len(set(names)) == len(names)
