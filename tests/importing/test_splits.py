"""3DSRBench's splits are told of imported sets by where a picture comes from, and scored one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

import fathom
from fathom import api
from fathom.benchmarks.threedsrbench.tasks import split_of
from fathom.pages.published import find_score
from fathom.records import Groups, Question
from tests.importing import shapes


def _asked(source: str = "", media: str = "1", split: str = "") -> Question:
    tags = {"image_source": source, "split": split}
    groups = Groups(cluster="c")
    return Question(
        id="q", task="height_higher", text="?", answer="a", media=(media,), tags=tags, groups=groups
    )


@pytest.mark.parametrize(
    ("question", "split"),
    [
        (_asked("mscoco"), "real"),
        (_asked("photographs"), "real"),
        (_asked("", "coco/train2017/000000000001.jpg"), "real"),
        (_asked("hssd", "common/room-1.png"), "synthetic-common"),
        (_asked("HSSD uncommon"), "synthetic-uncommon"),
        (_asked("synthetic-uncommon"), "synthetic-uncommon"),
        (_asked("synthetic"), "synthetic"),
        (_asked("", "commons/1.jpg"), ""),
        (_asked("mscoco", split="synthetic-common"), "synthetic-common"),
    ],
)
def test_a_split_is_told_by_the_source_of_a_picture(question: Question, split: str) -> None:
    assert split_of(question) == split


def test_splits_of_an_imported_set_have_rows_in_the_papers_table(tmp_path: Path) -> None:
    folder = shapes.threed(tmp_path / "3d")
    table = folder / "3dsrbench_v1.csv"
    sources = ("coco", "synthetic-common", "synthetic-uncommon")
    rows = shapes.threed_rows()
    shapes.table(table, [row | {"image_source": s} for row, s in zip(rows, sources, strict=True)])
    api.import_dataset("3dsrbench", table, tmp_path / "set", media=folder / "coco")
    fathom.run(tmp_path / "set", "scripted:perfect", tmp_path / "run")
    found = fathom.score(tmp_path / "run")
    for split in ("real", *sources[1:]):
        score = find_score(found.records, "accuracy_circular", {"split": split})
        assert score is not None and score.value == 1.0
    assert "Table 4" in found.text and "Synthetic-common" in found.text
