"""What a test asks of a run that was scored."""

from __future__ import annotations

from pathlib import Path

from fathom.pages.published import find_score
from fathom.records import Response, SampleScore, Score
from fathom.store.files import read_jsonl
from fathom.store.runs import open_run


def sample_scores(run: Path, extractor: str = "fathom") -> list[SampleScore]:
    return list(read_jsonl(run / "scores" / extractor / "samples.jsonl", SampleScore))


def scores(run: Path, extractor: str = "fathom") -> list[Score]:
    return list(read_jsonl(run / "scores" / extractor / "scores.jsonl", Score))


def score(run: Path, name: str, **group: str) -> Score:
    found = find_score(scores(run), name, group)
    assert found is not None, (name, group)
    return found


def responses(run: Path) -> list[Response]:
    """Return what was answered, in an order that does not depend on when."""
    return sorted(open_run(run).responses(), key=lambda r: (r.question, r.variant.option_order))


def journal(run: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((run / "journal").glob("*.jsonl"))]


def rows_of(text: str, title: str) -> list[str]:
    """Return the rows of the table with this in its title."""
    table = text.partition(title)[2].split("\n\n")[1]
    return table.splitlines()
