"""What a test asks of a dataset that was imported."""

from __future__ import annotations

from pathlib import Path

from fathom import api
from fathom.formats.import_findings import ImportReport
from fathom.records import Question
from fathom.store.datasets import Dataset, open_dataset
from fathom.store.files import read_json


class Imported:
    """A dataset, its questions by id, and the report of its import."""

    def __init__(self, out: Path) -> None:
        self.dataset: Dataset = open_dataset(out)
        self.dataset.verify()
        self.questions: dict[str, Question] = {q.id: q for q in self.dataset.questions()}
        self.report = read_json(out / "import.json", ImportReport)
        self.settings = self.dataset.manifest.settings

    def found(self, outcome: str, words: str) -> int:
        """Return how often something was found whose reason has these words in it."""
        return sum(f.count for f in self.report.findings if f.outcome == outcome and words in f.reason)

    def place(self, words: str) -> str:
        """Return the first place of a reason that has these words in it."""
        return next(f.examples[0].where for f in self.report.findings if words in f.reason)

    def check_media(self) -> None:
        """Check that every medium is there, and is what media.jsonl says."""
        for question in self.questions.values():
            assert question.media
            for media in question.media:
                assert self.dataset.media_bytes(media)


def imported(benchmark: str, path: Path, out: Path, media: Path | None = None, **options: object) -> Imported:
    """Import, and return what came of it, every medium checked."""
    api.import_dataset(
        benchmark,
        path,
        out,
        media=media,
        copy=bool(options.get("copy")),
        layout=str(options.get("layout", "")),
        limit=int(str(options.get("limit", 0))),
    )
    found = Imported(out)
    found.check_media()
    return found
