"""Which published tables stand beside a run's numbers."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.records import Question
from fathom.store.datasets import QUESTIONS
from fathom.store.files import read_jsonl
from tests.protocols.made import image, write_dataset, write_seed_bench
from tests.said import scored

TABLE = "Table 3: accuracy (%) and rank"


def with_question(folder: Path, added: dict[str, object]) -> Path:
    """A set of the first version's questions, one of them changed."""
    first = write_seed_bench(folder / "first")
    questions = list(read_jsonl(first / QUESTIONS, Question))
    of_pictures = [q for q in questions if q.media[0].startswith("i")]
    changed = [msgspec.structs.replace(of_pictures[0], **added), *of_pictures[1:]]
    return write_dataset(folder / "set", "seed-bench", changed, [image(q.media[0]) for q in changed])


@pytest.mark.parametrize(
    ("added", "shown"),
    [
        ({}, True),
        ({"task": "chart_understanding"}, False),
        ({"tags": {"level": "L1"}}, False),
        ({"tags": {"official_id": "1_17"}}, False),
    ],
)
def test_the_first_seed_benchs_table_stands_beside_its_own_questions_alone(
    tmp_path: Path, added: dict[str, object], shown: bool
) -> None:
    dataset, run = with_question(tmp_path, added), tmp_path / "run"
    api.run_model(dataset, "random", run, protocol="generation")
    assert (TABLE in scored(run)) == shown
    page = api.write_report([run], tmp_path / "report", figures=False)
    assert (TABLE in page.read_text(encoding="utf-8")) == shown
    assert (tmp_path / "report" / "tables" / "table3.tex").exists() == shown
