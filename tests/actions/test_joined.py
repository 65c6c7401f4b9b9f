"""Questions about pictures and questions about clips become one set, as the documents say it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fathom import api
from fathom.store.datasets import open_dataset
from tests.actions.test_real_annotations import DOC
from tests.cli.conftest import Fathom
from tests.inference.folders import png


def official_pictures(folder: Path, count: int) -> Path:
    """Write official files of questions about pictures."""
    (folder / "SEED-Bench-image").mkdir(parents=True)
    options = dict(
        zip(("choice_a", "choice_b", "choice_c", "choice_d"), ("dog", "cat", "cow", "hen"), strict=True)
    )
    rows = []
    for k in range(count):
        (folder / "SEED-Bench-image" / f"p{k}.png").write_bytes(png((k, 2, 3)))
        row = {"question_id": f"p{k}", "question": "What is it?", "answer": "A", "data_id": f"p{k}.png"}
        rows.append({**row, **options, "data_type": "image", "question_type_id": 2})
    (folder / "SEED-Bench.json").write_text(json.dumps({"questions": rows, "question_type": {}}), "utf-8")
    return folder


def test_pictures_and_clips_become_one_set(
    fathom: Fathom, clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    api.import_dataset("seed-bench", official_pictures(tmp_path / "src", 3), tmp_path / "my-set")
    (tmp_path / "kitchens-written").symlink_to(clips)
    section = DOC.read_text(encoding="utf-8").partition("### Pictures and videos in one set\n")[2]
    blocks = re.findall(r"```(\w*)\n(.*?)```", section.partition("\n### ")[0], flags=re.DOTALL)
    assert [kind for kind, _ in blocks] == ["", "python", ""]
    for kind, block in blocks:
        if kind:
            exec(block, {})
            continue
        for line in block.splitlines():
            ended = fathom(*line.split()[1:])
            assert ended.code == 0, ended.err
    twelve = open_dataset(tmp_path / "twelve")
    asked = list(twelve.questions())
    assert len(asked) == 3 + sum(1 for _ in open_dataset(clips).questions())
    assert {q.task for q in asked} >= {"instance_identity", "action_prediction", "procedure_understanding"}
    assert all(twelve.media_bytes(name) for q in asked for name in q.media)
