"""What a report shows of 3DSRBench as its paper does: categories, answers by their texts, viewpoints."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import fathom
from fathom import api
from fathom.benchmarks.threedsrbench.overview import CONTRASTS, FIGURES
from fathom.benchmarks.threedsrbench.paper import ACCURACY
from fathom.records import Groups, Question
from fathom.reporting.contrasts import pairs_of
from fathom.reporting.overview import answer_panels
from tests.wiring.made import Making

SIDES = ("front", "left", "back", "right")
ROOMS = 4


def _asked() -> list[Question]:
    """Return questions of four rooms from two viewpoints: a side, whether one is above, which is higher."""
    found = []
    for room in range(ROOMS):
        for view in ("common", "uncommon"):
            tags = {"split": f"synthetic-{view}", "room": "as it was"}
            objects = (f"the cup {room}", f"the lamp {room}")
            for task, options, right in (
                ("orientation_viewpoint", SIDES, SIDES[room % 2]),
                ("location_above", ("yes", "no"), "no"),
                ("height_higher", objects, objects[0]),
            ):
                found.append(
                    Question(
                        id=f"r{room}_{task}_{view}", task=task, text=f"What of {room}, {task}?", answer=right,
                        choices=options, media=(f"r{room}-{view}",), scene=f"r{room}", tags=tags,
                        groups=Groups(cluster=f"r{room}", pair=f"r{room}_{task}"),
                    )
                )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report of a model that is right from common viewpoints, from uncommon ones of sides alone."""
    folder, asked = tmp_path_factory.mktemp("overview"), _asked()
    making = Making(folder / "set")
    for name in dict.fromkeys(q.media[0] for q in asked):
        making.image(name)
    making.finish("3dsrbench", asked)
    lines = [
        {"question": q.id, "text": q.answer if _knows(q) else next(c for c in q.choices if c != q.answer)}
        for q in asked
    ]
    script = folder / "script.jsonl"
    script.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    fathom.run(folder / "set", f"scripted:{script}", folder / "run")
    api.write_report([folder / "run"], folder / "report")
    return folder / "report"


def _knows(question: Question) -> bool:
    return question.tags["split"] == "synthetic-common" or question.task == "orientation_viewpoint"


def _section(page: str, name: str) -> str:
    found = re.search(rf'<section id="{name}">.*?</section>', page, re.DOTALL)
    assert found is not None
    return found.group()


def test_pairs_are_the_same_question_from_two_viewpoints() -> None:
    asked = _asked()
    pairs = pairs_of(CONTRASTS[0], asked)
    assert len(pairs) == 3 * ROOMS
    for one, other in pairs:
        assert one.text == other.text and one.media != other.media
        assert one.tags["split"] == "synthetic-common"
    assert pairs_of(CONTRASTS[0], [q for q in asked if q.tags["split"] == "synthetic-common"]) == []
    changed = [msgspec.structs.replace(asked[0], tags={**asked[0].tags, "room": "changed"}), asked[3]]
    assert pairs_of(CONTRASTS[0], changed) == []


def test_what_is_right_only_from_the_common_viewpoint_is_shown(report: Path) -> None:
    section = _section((report / "report.html").read_text(), "contrasts")
    cells = re.findall(r"<td[^>]*>(\d+)</td>", section)
    assert cells == ["12", "4", "8", "0", "0"]
    assert section.count('class="pair"') == 6 and section.count("data:image/webp") == 12
    assert section.count("right-word") == section.count("wrong-word") == 6
    assert "Orientation" not in section
    for suffix in ("svg", "pdf"):
        assert (report / "figures" / f"contrast-viewpoints.{suffix}").stat().st_size > 10_000


def test_categories_have_the_published_rows_and_people_as_a_line(report: Path) -> None:
    section = _section((report / "report.html").read_text(), "parts")
    shown = {title for title in FIGURES[0].parts.values() if f">{title}<" in section}
    assert shown == {"Height", "Location", "Orientation"}
    human = [value for name, value in zip(ACCURACY.columns, ACCURACY.rows["Human"], strict=True)
             if name in ("Height", "Loc.", "Orient.")]  # fmt: skip
    assert [float(v) for v in re.findall(r"--line-at:([\d.]+)", section)] == human == [92.9, 96.4, 97.7]
    assert "Gemini-1.5-Pro, published" in section and "dot hollow" in section and "comparable only" in section
    assert (report / "figures" / "categories.svg").is_file()


def test_answers_are_counted_by_their_texts_where_options_are_closed() -> None:
    panels = {p.title: p for p in answer_panels(_asked(), {})}
    assert set(panels) == {"orientation_viewpoint", "location_above"}
    sides = {b.label: b.cell.value for b in panels["orientation_viewpoint"].bars}
    assert sides == {"front": 0.5, "left": 0.5, "back": 0.0, "right": 0.0}
    assert [b.label for b in panels["location_above"].bars] == ["yes", "no"]
    assert panels["location_above"].chance == 0.5
