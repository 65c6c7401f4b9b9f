"""From predictions made elsewhere to a run folder like our own.

A question without a prediction becomes a failure that is counted and shown, unless only those that have one
are meant. Where two rows disagree, the last counts: kits append to their results when they are started again,
and count so themselves. Every row that is not used is listed in RUN/import.json.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from fathom.formats.import_findings import ImportFindings, ImportReport, LeftOutError
from fathom.formats.predictions import TURN, Format, Prediction, format_for, options_order, parse_columns
from fathom.formats.rows import SUFFIXES, read_rows, shape_of
from fathom.records import InputError, Manifest, Question, Response, Setting, Variant
from fathom.store.datasets import SCHEMA_VERSION, Dataset
from fathom.store.files import sha256_file, write_json
from fathom.store.journal import Journal
from fathom.store.runs import DATASET, begin_run, dataset_setting, end_run
from fathom.store.seeds import short_hash
from fathom.version import __version__

REPORT = "import.json"
UNKNOWN = "no question of the dataset has that id"
NO_PLACE = "a sample known by its place alone, and rows of that table were folded or left out here"
SEVERAL = "several questions of the dataset have that id"
OTHER_OPTIONS = "the options are not those of the question"
UNKNOWN_TURN = "a circular copy that does not list its options"
REPEATED = "a prediction that is there twice"
DISAGREE = "two predictions for one question that disagree; the last counts"
OTHER_TRUTH = "the right answer given here is not the dataset's"
MISSING = "questions without a prediction"

_MOST_FILES = 100_000


@dataclass(frozen=True)
class RunImportPlan:
    """Which predictions to import for which dataset; `partial`: only the questions that have one count.

    `formats` are the benchmark's own.
    """

    dataset: Dataset
    path: Path
    out: Path
    format: str = ""
    model: str = ""
    columns: str = ""
    partial: bool = False
    formats: tuple[Format, ...] = ()


def import_predictions(plan: RunImportPlan, progress: Callable[[str, int, int, str], None]) -> ImportReport:
    """Write the run folder and return what was found on the way.

    Raises InputError where the file holds no predictions, or those of another dataset.
    """
    files = _files(plan.path)
    columns = parse_columns(plan.columns)
    shape = shape_of(files[0], str(files[0]))
    form = format_for(shape, plan.format, columns, plan.formats)
    known = _Known(plan.dataset)
    reader = _Reader(known, ImportFindings())
    for path in files:
        label = path.relative_to(plan.path).as_posix() if plan.path.is_dir() else path.name
        reader.read(path, label, form, lambda done: progress("reading predictions", done, 0, ""))
    _check_right_dataset(plan, reader)
    folder = begin_run(plan.out, _manifest(plan, form, files, reader.circular))
    with Journal(folder.journal_folder) as journal:
        counts: Counter[str] = Counter()
        for response in reader.responses(_model_of(plan), plan.partial):
            counts[response.status] += 1
            # Failures that an earlier import wrote are not in the journal's keys; they need no second line.
            if response.key not in journal and not (response.status == "failed" and journal.failed):
                journal.append(response)
    requests = counts.total()
    done = counts["ok"] + counts["refused"]
    end_run(folder, {"requests": requests, "done": done, "failed": counts["failed"]}, not plan.partial)
    report = reader.report(form.name, tuple(p.name for p in files))
    write_json(plan.out / REPORT, report)
    return report


class _Known:
    """The questions of a dataset by every id that predictions may use."""

    def __init__(self, dataset: Dataset) -> None:
        self.questions: dict[str, Question] = {}
        self.in_order: list[str] = []
        self._by_official: dict[str, str | None] = {}
        # A kit counts rows of the table that it loaded; with rows left out of ours, places do not match.
        counts = dataset.manifest.counts
        self.places_match = not counts.get("left out") and not counts.get("folded")
        for question in dataset.questions():
            slim = msgspec.structs.replace(question, program=(), references=())
            self.questions[question.id] = slim
            self.in_order.append(question.id)
            official = question.tags.get("official_id", "")
            if official and official != question.id:
                self._by_official[official] = None if official in self._by_official else question.id

    def find(self, prediction: Prediction) -> tuple[Question, int]:
        """Return the question of a prediction, and by how many places its options were turned."""
        for name in prediction.ids:
            if name in self.questions:
                return self.questions[name], 0
        several = False
        for name in prediction.ids:
            if name in self._by_official:
                found = self._by_official[name]
                several = several or found is None
                if found is not None:
                    return self.questions[found], 0
        if several:
            raise LeftOutError(SEVERAL, prediction.ids[0])
        for name in prediction.ids:
            turned = TURN.match(name)
            if turned and turned["base"] in self.questions:
                return self.questions[turned["base"]], int(turned["turn"])
        if not prediction.ids and not self.places_match:
            raise LeftOutError(NO_PLACE, f"doc_id {prediction.ordinal}")
        if not prediction.ids and 0 <= prediction.ordinal < len(self.in_order):
            return self.questions[self.in_order[prediction.ordinal]], 0
        raise LeftOutError(UNKNOWN, ", ".join(prediction.ids) or f"row {prediction.ordinal}")


class _Reader:
    """Collects predictions by question and order of options."""

    def __init__(self, known: _Known, findings: ImportFindings) -> None:
        self.known = known
        self.findings = findings
        self.rows = self.imported = self.agree = self.differ = 0
        self._held: dict[str, dict[tuple[int, ...], Prediction]] = {}

    @property
    def circular(self) -> bool:
        """Whether any question was put with its options turned."""
        return any(order for orders in self._held.values() for order in orders)

    def read(self, path: Path, label: str, form: Format, progress: Callable[[int], None]) -> None:
        """Read one file of predictions."""
        for row in read_rows(path, label):
            self.rows += 1
            if not self.rows % 500:
                progress(self.rows)
            if row.broken:
                self.findings.leave_out("a row that cannot be read", row.where, row.broken)
                continue
            try:
                with self.findings.row(row.where) as notes:
                    prediction = form.read(row, notes)
                    question, turn = self.known.find(prediction)
                    order = _order(prediction, question, turn)
                    agrees = _agrees(prediction, question, order)
                    if agrees is False:
                        notes.note(OTHER_TRUTH, f"{prediction.truth!r}, and {question.answer!r} there")
                    self.agree += agrees is True
                    self.differ += agrees is False
                    self._keep(question.id, order, prediction)
            except LeftOutError as e:
                self.findings.leave_out(e.reason, row.where, e.detail)

    def _keep(self, question: str, order: tuple[int, ...], prediction: Prediction) -> None:
        """Keep a prediction; one that was there before gives way, as it does where results are appended."""
        held = self._held.setdefault(question, {})
        before = held.get(order)
        held[order] = prediction
        if before is None:
            self.imported += 1
            return
        same = before.text.strip() == prediction.text.strip() and before.logprobs == prediction.logprobs
        self.findings.leave_out(REPEATED if same else DISAGREE, before.where, question)

    def responses(self, model: str, partial: bool) -> Iterator[Response]:
        """Yield a response for every prediction, and a failure for every question without one."""
        circular = self.circular
        for question in self.known.in_order:
            held = self._held.get(question)
            if held is None:
                if not partial:
                    self.findings.note(MISSING, "", question)
                    yield _failure(question, model, Variant(), "no prediction was given")
                continue
            for order, prediction in sorted(held.items()):
                yield _response(self.known.questions[question], model, order, prediction, circular)

    def report(self, form: str, files: tuple[str, ...]) -> ImportReport:
        """Return what was found."""
        return ImportReport(
            layout=f"predictions, {form}",
            files=files,
            read=self.rows,
            imported=self.imported,
            mended=self.findings.rows_mended,
            left_out=self.findings.rows_left_out,
            findings=self.findings.listed(),
        )


def _order(prediction: Prediction, question: Question, turn: int) -> tuple[int, ...]:
    """Return which option stood at each place; () where it is the question's own order."""
    choices = question.choices
    if prediction.shown and choices:
        order = options_order(prediction.shown, choices)
        if order is None:
            raise LeftOutError(OTHER_OPTIONS, " | ".join(text for _, text in prediction.shown))
        return () if order == tuple(range(len(choices))) and not turn else order
    if not turn:
        return ()
    if len(choices) != 2:
        # Which way the options were turned differs between kits; with two there is one way.
        raise LeftOutError(UNKNOWN_TURN, ", ".join(prediction.ids))
    return (1, 0)


def _agrees(prediction: Prediction, question: Question, order: tuple[int, ...]) -> bool | None:
    """Return whether the right answer that a row gives is the question's; None where that cannot be told.

    Letters count in the order that was shown. Numbers may count from 0 or from 1, and tell nothing.
    """
    said = prediction.truth.strip(" ().").casefold()
    if not said or not (question.choices or question.possible):
        return None
    options = [question.choices[i] for i in order] or list(question.choices)
    if options and len(said) == 1 and "a" <= said <= "j":
        place = ord(said) - ord("a")
        return place < len(options) and options[place] == question.answer
    also = {"yes": ("true", "yes"), "no": ("false", "no")}.get(question.answer, (question.answer.casefold(),))
    if said in also or said in {text.casefold() for text in question.equivalents}:
        return True
    return None if options and said.isdigit() else False


def _check_right_dataset(plan: RunImportPlan, reader: _Reader) -> None:
    """Raise InputError where nothing belongs to the dataset, or most right answers are other ones."""
    first = next(iter(reader.findings.listed()), None)
    if not reader.imported:
        example = first.examples[0] if first and first.examples else None
        why = (
            f"; most often: {first.reason}, first at {example.where} ({example.detail})"
            if first and example
            else ""
        )
        raise InputError(
            f"{plan.path}: none of {reader.rows:,} rows is a prediction for {plan.dataset.path}{why}; import "
            "the dataset from the files that the predictions were made on, or name columns with --columns"
        )
    if reader.differ > reader.agree:
        raise InputError(
            f"{plan.path}: the right answers given there differ from those of {plan.dataset.path} in "
            f"{reader.differ:,} of {reader.differ + reader.agree:,} rows, so the ids mean other questions; "
            "import the dataset from the files that the predictions were made on"
        )


def _response(
    question: Question, model: str, order: tuple[int, ...], prediction: Prediction, circular: bool
) -> Response:
    choices = len(question.choices)
    variant = Variant()
    if circular and choices > 1:
        variant = Variant(name="circular", option_order=order or tuple(range(choices)))
    if prediction.failed:
        return _failure(question.id, model, variant, prediction.failed)
    return Response(
        key=_key(model, question.id, variant),
        question=question.id,
        status="ok",
        text=prediction.text,
        variant=variant,
        option_logprobs=prediction.logprobs,
        model=model,
    )


def _failure(question: str, model: str, variant: Variant, why: str) -> Response:
    return Response(
        key=_key(model, question, variant),
        question=question,
        status="failed",
        variant=variant,
        error=why,
        model=model,
    )


def _key(model: str, question: str, variant: Variant) -> str:
    order = ",".join(map(str, variant.option_order))
    return short_hash("import-run", model, question, variant.name, order, length=32)


def _files(path: Path) -> list[Path]:
    """Return the files of predictions at `path`. Raises InputError where there is none."""
    if path.is_dir():
        found = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        if found:
            return found[:_MOST_FILES]
        raise InputError(f"{path}: expected predictions, found no file that ends in {', '.join(SUFFIXES)}")
    if not path.is_file():
        raise InputError(
            f"{path}: expected a file or a folder of predictions, but there is none; check the path"
        )
    return [path]


def _model_of(plan: RunImportPlan) -> str:
    return plan.model or PurePosixPath(plan.path.name).stem


def _manifest(plan: RunImportPlan, form: Format, files: list[Path], circular: bool) -> Manifest:
    dataset = plan.dataset.manifest
    predictions = short_hash("predictions", *(sha256_file(p) for p in files), length=64)
    settings: dict[str, Setting] = {
        DATASET: dataset_setting(plan.out, plan.dataset.path),
        "model": _model_of(plan),
        "revision": "",
        "protocol": "circular" if circular else "imported",
        "protocol_version": "",
        "source": form.name,
        "predictions": predictions,
        "partial": plan.partial,
    }
    return Manifest(
        kind="run",
        tool="fathom",
        tool_version=__version__,
        schema_version=SCHEMA_VERSION,
        command="import-run",
        name=_model_of(plan),
        benchmark=dataset.benchmark,
        benchmark_version=dataset.benchmark_version,
        settings=settings,
        split=dataset.split,
        inputs={DATASET: dataset.identity, "predictions": predictions},
        notes=(f"predictions made elsewhere, read from {plan.path.name}",),
    )
