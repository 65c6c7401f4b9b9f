"""A run as a program takes it: the answers, what was asked, a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.datasets import BenchmarkDataset, frame, html_table
from fathom.records import Manifest, Response

if TYPE_CHECKING:
    import pandas

    from fathom.api.running import Ran
    from fathom.store.runs import RunFolder


@dataclass(frozen=True)
class ModelRun:
    """The answers of a model to a dataset: iteration over `Response` records, one for each request.

    `outcome` is there where the run was made, or carried on, just now: what it did, in words and numbers.

    Example:
        >>> run = fathom.load_run("my-run")  # doctest: +SKIP
        >>> [r.text for r in run if r.status == "ok"]  # doctest: +SKIP
    """

    path: Path
    _folder: RunFolder = field(repr=False)
    outcome: Ran | None = None

    @property
    def manifest(self) -> Manifest:
        """Return what the folder says of itself: model, protocol, settings, counts."""
        return self._folder.manifest

    @property
    def model(self) -> str:
        """Return the model that was asked."""
        return self.manifest.name

    @property
    def complete(self) -> bool:
        """Return whether every request that was due has an answer."""
        return self.manifest.complete

    @property
    def dataset(self) -> BenchmarkDataset:
        """Return the dataset that was asked. Raises InputError where it is gone, or is another one now."""
        found = self._folder.dataset()
        return BenchmarkDataset(found.path, found)

    def __iter__(self) -> Iterator[Response]:
        """Yield the response that counts for each request. Raises DataError with file and line."""
        return self._folder.responses()

    def __len__(self) -> int:
        """Return how many responses there are."""
        return sum(1 for _ in self)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row for each response: question, purpose, status, text, reasoning, error, seconds, tokens.

        Raises MissingExtraError where pandas is not installed.
        """
        rows = [
            (r.question, r.purpose, r.status, r.text, r.reasoning, r.error,
             r.usage.seconds, r.usage.input_tokens, r.usage.output_tokens)
            for r in self
        ]  # fmt: skip
        columns = ("question", "purpose", "status", "text", "reasoning", "error")
        return frame(rows, (*columns, "seconds", "input_tokens", "output_tokens"))

    def __str__(self) -> str:
        """Return what `fathom run` prints where the run was made now, else a line about the folder."""
        if self.outcome is not None:
            return self.outcome.text
        state = "complete" if self.complete else "incomplete"
        return f"{self.path}: {len(self):,} answers of {self.model} to {self.manifest.benchmark}, {state}"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: how many responses of which status there are."""
        counts: dict[str, int] = {}
        for response in self:
            counts[response.status] = counts.get(response.status, 0) + 1
        rows = [(status, f"{n:,}") for status, n in sorted(counts.items())]
        return html_table(f"{self.model} on {self.manifest.benchmark}", ("status", "responses"), rows)


def load_run(path: str | Path) -> ModelRun:
    """Return the run in a folder, finished or not.

    Args:
        path: the folder that `run` or `import_run` wrote.

    Raises InputError where there is none.

    Example:
        >>> fathom.load_run("my-run").to_pandas()  # doctest: +SKIP
    """
    from fathom.store.runs import open_run

    return ModelRun(Path(path), open_run(Path(path)))
