"""A dataset as a program takes it: samples to go through, their pictures, their scenes, a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from fathom.records import InputError, Manifest, Media, Question, Scene

if TYPE_CHECKING:
    import pandas
    from PIL.Image import Image

    from fathom.store.datasets import Dataset


@dataclass(frozen=True)
class SampleMedia:
    """One picture or video of a sample: what media.jsonl says of it, and where its file lies.

    `record` has its kind ("image" or "video"), its size in pixels (width, height), its frames and their rate.
    """

    record: Media
    path: Path
    _dataset: Dataset = field(repr=False)

    @property
    def kind(self) -> str:
        """Return "image" or "video"."""
        return self.record.kind

    def open(self) -> Image:
        """Return a picture (RGB), checked against its hash.

        Raises DataError where the file is missing or was changed, InputError for a video: its pictures are
        `frames`.
        """
        if self.kind != "image":
            raise InputError(f"{self.record.id}: is a video; take frames() of it")
        return _image(self._dataset.media_bytes(self.record.id), self.record.id)

    def frames(self, numbers: Sequence[int] | None = None) -> list[Image]:
        """Return frames of a video (RGB) by their numbers from 0, by default all of which there are pictures.

        Raises DataError for a frame that was not made, InputError for a picture.
        """
        if self.kind != "video":
            raise InputError(f"{self.record.id}: is a picture; open() it")
        if self.record.stills:
            wanted = sorted(self.record.stills) if numbers is None else numbers
            stills = [self._dataset.still_bytes(self.record.id, n) for n in wanted]
            return [_image(data, self.record.id) for data in stills]
        from PIL import Image as pillow

        from fathom.media.video import read_frames

        wanted = range(self.record.frames) if numbers is None else numbers
        return [pillow.fromarray(pixels) for pixels in read_frames(self.path, list(wanted))]


def _image(data: bytes, where: str) -> Image:
    import io

    from PIL import Image as pillow

    from fathom.media.images import inspect_image

    inspect_image(data, where)  # refuses what is too large to unpack
    return pillow.open(io.BytesIO(data)).convert("RGB")


@dataclass(frozen=True)
class Sample:
    """One question with its answer, its media and, where it was built, its scene and the proof of its answer.

    `question` is the whole record; what is read most often stands here too.

    Example:
        >>> sample = dataset[0]                      # doctest: +SKIP
        >>> sample.text, sample.options, sample.answer  # doctest: +SKIP
    """

    question: Question
    _dataset: Dataset = field(repr=False)

    @property
    def id(self) -> str:
        """Return the question's id, unique in its dataset."""
        return self.question.id

    @property
    def task(self) -> str:
        """Return the task, as `BenchmarkDataset.tasks` counts them."""
        return self.question.task

    @property
    def text(self) -> str:
        """Return the words of the question, without options."""
        return self.question.text

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options in their own order, () for a question that is answered freely."""
        return self.question.choices

    @property
    def answer(self) -> str:
        """Return the right answer: one of the options where there are any."""
        return self.question.answer

    @property
    def media(self) -> tuple[SampleMedia, ...]:
        """Return the pictures and videos that belong to the question; () for a set without pictures."""
        records = [self._dataset.media(name) for name in self.question.media]
        return tuple(SampleMedia(m, self._dataset.media_path(m), self._dataset) for m in records)

    @property
    def scene(self) -> Scene | None:
        """Return the scene with its exact poses (metres, radians, seconds), None where none is known."""
        return self._dataset.scene(self.question.scene) if self.question.scene else None


@dataclass(frozen=True)
class BenchmarkDataset:
    """The samples of a dataset folder, or some of them: `len`, indexing by place or id, iteration, filters.

    Nothing but the questions that pass a filter is held in memory; media and scenes are read when asked for.
    """

    path: Path
    _dataset: Dataset = field(repr=False)
    _chosen: tuple[str, ...] | None = field(default=None, repr=False)

    @property
    def manifest(self) -> Manifest:
        """Return what the folder says of itself: benchmark, version, seed, settings, hashes."""
        return self._dataset.manifest

    @property
    def benchmark(self) -> str:
        """Return the benchmark's name."""
        return self.manifest.benchmark

    @property
    def tasks(self) -> dict[str, int]:
        """Return how many samples each task has."""
        return dict(sorted(Counter(s.task for s in self).items()))

    def __len__(self) -> int:
        """Return how many samples there are."""
        return sum(1 for _ in self._dataset.questions()) if self._chosen is None else len(self._chosen)

    def __iter__(self) -> Iterator[Sample]:
        """Yield the samples in file order. Raises DataError with file and line where one does not fit."""
        if self._chosen is None:
            for question in self._dataset.questions():
                yield Sample(question, self._dataset)
        else:
            for name in self._chosen:
                yield Sample(self._dataset.question(name), self._dataset)

    @overload
    def __getitem__(self, key: int | str) -> Sample: ...
    @overload
    def __getitem__(self, key: slice) -> BenchmarkDataset: ...
    def __getitem__(self, key: int | str | slice) -> Sample | BenchmarkDataset:
        """Return the sample at a place or of an id, or those of a slice as a dataset.

        Raises IndexError for a place that there is not, InputError for an id that is not among the samples.
        """
        if isinstance(key, str):
            if self._chosen is not None and key not in self._chosen:
                raise InputError(f"{self.path}: {key!r} is not among these {len(self._chosen)} samples")
            return Sample(self._dataset.question(key), self._dataset)
        ids = self._ids()
        if isinstance(key, slice):
            return self._with(ids[key])
        return Sample(self._dataset.question(ids[key]), self._dataset)

    def filter(
        self, where: Callable[[Sample], bool] | None = None, *, task: str | Sequence[str] = ()
    ) -> BenchmarkDataset:
        """Return the samples of a task, or of several, for which `where` holds.

        Raises InputError for a task that no sample has.

        Example:
            >>> dataset.filter(lambda s: len(s.options) == 4, task="appearance")  # doctest: +SKIP
        """
        tasks = (task,) if isinstance(task, str) and task else tuple(task)
        if unknown := set(tasks) - self.tasks.keys():
            raise InputError(f"task {min(unknown)!r}: {self.path} has {', '.join(self.tasks)}")
        kept = [s.id for s in self if (not tasks or s.task in tasks) and (where is None or where(s))]
        return self._with(tuple(kept))

    def scenes(self) -> Iterator[Scene]:
        """Yield every scene of the folder; none where it was imported without."""
        return self._dataset.scenes()

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row for each sample: id, task, question, options, answer, media, scene, margin, tags.

        Raises MissingExtraError where pandas is not installed.
        """
        return frame([_row(s) for s in self], _COLUMNS)

    def _ids(self) -> tuple[str, ...]:
        if self._chosen is not None:
            return self._chosen
        return tuple(q.id for q in self._dataset.questions())

    def _with(self, ids: tuple[str, ...]) -> BenchmarkDataset:
        return BenchmarkDataset(self.path, self._dataset, ids)

    def __str__(self) -> str:
        """Return a line about the folder, and one for each task."""
        lines = [f"{self.path}: {len(self):,} questions of {self.benchmark}"]
        return "\n".join([*lines, *(f"  {task}: {n:,}" for task, n in self.tasks.items())])

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the tasks and how many samples each has."""
        rows = [(task, f"{n:,}") for task, n in self.tasks.items()]
        return html_table(f"{self.benchmark}: {len(self):,} questions", ("task", "questions"), rows)


_COLUMNS = ("id", "task", "question", "options", "answer", "media", "scene", "margin", "tags")


def _row(sample: Sample) -> tuple[Any, ...]:
    q = sample.question
    margin = q.margin.ratio if q.margin else None
    return (q.id, q.task, q.text, list(q.choices), q.answer, list(q.media), q.scene, margin, dict(q.tags))


def load_dataset(path: str | Path) -> BenchmarkDataset:
    """Return the samples of a dataset folder, which `build` or `import_dataset` made.

    Args:
        path: the folder.

    Raises InputError where there is no whole dataset, or one of another version of the format.

    Example:
        >>> dataset = fathom.load_dataset("my-set")  # doctest: +SKIP
        >>> for sample in dataset:  # doctest: +SKIP
        ...     print(sample.text, sample.answer)
    """
    from fathom.store.datasets import open_dataset

    return BenchmarkDataset(Path(path), open_dataset(Path(path)))


def frame(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> pandas.DataFrame:
    """Return a pandas table. Raises MissingExtraError where pandas is not installed."""
    from fathom.records import missing_extra

    try:
        import pandas
    except ImportError as e:
        raise missing_extra("pandas", "pandas", "to_pandas()") from e
    return pandas.DataFrame([list(r) for r in rows], columns=list(columns))


def html_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML for a notebook; every text in it is escaped."""
    from html import escape

    head = "".join(f"<th>{escape(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    caption = f"<caption>{escape(title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
