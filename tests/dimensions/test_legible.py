"""What a reader of texts does not read in the painted picture is not asked about, and is counted."""

from __future__ import annotations

from pathlib import Path

from fathom import api
from fathom.store.datasets import open_dataset
from tests.dimensions.planted import HERE, READ, UNREAD
from tests.needed import needs

pytestmark = needs("rapidocr", "onnxruntime", "mitsuba")


def test_a_word_that_the_picture_does_not_let_one_read_is_left_out_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "set"
    checks = api.build_dataset(
        f"{HERE}:BENCHMARK", out, scenes=1, quality="draft", workers=1, settings={"further": "0"}
    )
    dataset = open_dataset(out)
    (scene,) = dataset.scenes()
    assert {o.attributes.get("text") for o in scene.objects} >= {READ, UNREAD}
    assert [q.answer for q in dataset.questions()] == [READ]
    (said,) = [r.found for r in checks.verdicts if r.name == "words can be read in the pictures"]
    assert said.startswith("1 of 2 could not be read")
