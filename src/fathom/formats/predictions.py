"""Predictions made elsewhere: what each row says about which question.

| format | recognised by | text |
|---|---|---|
| vlmevalkit | `index` or `qid`, and `prediction` (xlsx, tsv, csv, json) | `prediction` |
| lmms-eval | `doc_id` and `resps` (one JSON object a line) | the first of `resps` |
| columns | named with --columns question=NAME,text=NAME | that column |

A benchmark's own formats stand in its folder, and are tried first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fathom.formats.import_findings import LeftOutError, Notes, one_line
from fathom.formats.rows import EXCEL_CELL_CHARACTERS, FileShape, TableRow
from fathom.formats.table_cells import LETTERS, Options, first_text, integer_of, lettered, text_of
from fathom.records import InputError

NO_QUESTION = "a prediction without the id of its question"
NO_PREDICTION = "a row without a prediction"
CUT_OFF = "a text as long as Excel lets it be: it was probably cut off"

QUESTION_LOGGED = "fathom_question"
"""Under this name the tasks that are exported for lmms-eval log a question's id with its sample."""

_IDS = ("qid", "question_id", "question_index", "index", "id")
_GT = ("gt_answer", "gt", "answer", "target")
_FAILED = ("failed to obtain answer", "sorry, i can't assist with generating an answer due to an api error")


@dataclass(frozen=True)
class Prediction:
    """What a row says: the ids under which its question may be known, and what the model answered.

    `shown` are the options as the row lists them; `truth` is the right answer that the row gives, for
    checking that the dataset is the right one. `failed` says why there is no answer.
    """

    ids: tuple[str, ...]
    text: str
    where: str
    shown: Options
    truth: str = ""
    ordinal: int = -1
    failed: str = ""
    logprobs: tuple[float, ...] = ()


@dataclass(frozen=True)
class Columns:
    """Which columns hold the question's id, the text, and (if any) the right answer."""

    question: str
    text: str
    answer: str = ""


@dataclass(frozen=True)
class Format:
    """One way in which predictions are written down."""

    name: str
    fits: Callable[[FileShape], bool]
    read: Callable[[TableRow, Notes], Prediction]
    holds: str = ""
    """Which columns or keys tell it, in words."""


def parse_columns(said: str) -> Columns | None:
    """Return what `--columns question=…,text=…[,answer=…]` says, None where nothing.

    Raises InputError for anything else.
    """
    if not said:
        return None
    pairs = dict(part.partition("=")[::2] for part in said.split(","))
    if not {"question", "text"} <= pairs.keys() <= {"question", "text", "answer"} or not all(pairs.values()):
        raise InputError(
            f"--columns {said}: expected question=NAME,text=NAME, and answer=NAME if there is one"
        )
    return Columns(pairs["question"], pairs["text"], pairs.get("answer", ""))


def format_for(shape: FileShape, wanted: str, columns: Columns | None, own: Sequence[Format] = ()) -> Format:
    """Return the format of a file, one of the benchmark's `own` where one fits.

    Raises InputError where none fits, or another than the one wanted.
    """
    formats = (*own, *FORMATS)
    if columns is not None:
        missing = {columns.question, columns.text} - shape.columns
        if missing:
            raise InputError(
                f"{shape.name}: has no column {sorted(missing)[0]!r}; there are "
                f"{one_line(', '.join(sorted(shape.columns)[:12])) or 'none'}; correct --columns"
            )
        return Format("columns", lambda shape: True, lambda row, notes: _by_columns(row, columns, notes))
    known = {f.name: f for f in formats}
    if wanted and wanted not in known:
        raise InputError(f"--format {wanted}: there is {', '.join(known)}, or name columns with --columns")
    for found in [known[wanted]] if wanted else formats:
        if found.fits(shape):
            return found
    columns_found = one_line(", ".join(sorted(shape.columns)[:12])) or "of nothing"
    expected = "; ".join(f"{f.name}: {f.holds}" for f in formats if wanted in ("", f.name))
    raise InputError(
        f"{shape.name}: expected predictions ({expected}), found the columns "
        f"{columns_found}; say which hold them with --columns"
    )


def _by_columns(row: TableRow, columns: Columns, notes: Notes) -> Prediction:
    question = text_of(row.values.get(columns.question), notes)
    if not question:
        raise LeftOutError(NO_QUESTION, "")
    truth = text_of(row.values.get(columns.answer), notes) if columns.answer else ""
    return Prediction((question,), said(row, columns.text, notes), row.where, [], truth)


def with_prediction(row: TableRow, notes: Notes) -> Prediction:
    """Return the prediction of a row with a question's id and a column `prediction`."""
    values = row.values
    ids = _ids(values, notes)
    category = first_text(values, ("category", "level"), notes)
    if category and ids:
        ids = (*ids, *(f"{category}-{one}" for one in ids))
    if not ids:
        raise LeftOutError(NO_QUESTION, "")
    text = said(row, "prediction", notes)
    shown = lettered(values, {x: x for x in LETTERS if x in values}, notes) if "A" in values else []
    failed = text if text.casefold().startswith(_FAILED) else ""
    truth = first_text(values, _GT, notes)
    return Prediction(ids, "" if failed else text, row.where, shown, truth, row.ordinal, failed)


def said(row: TableRow, column: str, notes: Notes) -> str:
    """Return a model's text as it is; an empty one is an answer that says nothing."""
    value = row.values.get(column)
    if column not in row.values:
        raise LeftOutError(NO_PREDICTION, "")
    if isinstance(value, str):
        if len(value) == EXCEL_CELL_CHARACTERS:
            notes.note(CUT_OFF, value)
        return value.encode("utf-8", "replace").decode()
    return text_of(value, notes)


def _lmms(row: TableRow, notes: Notes) -> Prediction:
    values = row.values
    doc = values.get("doc")
    inner = doc if isinstance(doc, Mapping) else {}
    logged = text_of(values.get(QUESTION_LOGGED), notes)
    ids = (logged,) if logged else _ids(inner, notes)
    ordinal = integer_of(values.get("doc_id"))
    if not ids and ordinal is None:
        raise LeftOutError(NO_QUESTION, "")
    truth = first_text(inner, _GT, notes) or text_of(values.get("target"), notes)
    resps = values.get("resps", values.get("filtered_resps"))
    ranked = _ranked(resps)
    if ranked:
        return Prediction(ids, "", row.where, [], truth, ordinal or 0, logprobs=ranked)
    while isinstance(resps, list | tuple) and resps:
        resps = resps[0]
    if not isinstance(resps, str | int | float):
        raise LeftOutError(NO_PREDICTION, str(ids or ordinal))
    place = -1 if ordinal is None else ordinal
    text = resps.encode("utf-8", "replace").decode() if isinstance(resps, str) else str(resps)
    return Prediction(ids, text, row.where, [], truth, place)


def _ranked(resps: object) -> tuple[float, ...]:
    """Return the log-probabilities of the options, where that is what was asked for; else nothing."""
    if not isinstance(resps, list) or len(resps) < 2:
        return ()
    pairs = [one[0] if isinstance(one, list) and one and isinstance(one[0], list) else one for one in resps]
    values = [pair[0] for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    if len(values) != len(resps):
        return ()
    numbers = [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    return tuple(numbers) if len(numbers) == len(resps) else ()


def _ids(values: Mapping[str, object], notes: Notes) -> tuple[str, ...]:
    return tuple(dict.fromkeys(t for name in _IDS if (t := text_of(values.get(name), notes))))


def has_columns(*names: str) -> Callable[[FileShape], bool]:
    """Return the test that a file has all these columns."""
    return lambda shape: set(names) <= shape.columns


FORMATS = (
    Format(
        "lmms-eval",
        lambda s: "doc_id" in s.columns and bool({"resps", "filtered_resps"} & s.columns),
        _lmms,
        "doc_id, and resps or filtered_resps",
    ),
    Format(
        "vlmevalkit",
        lambda s: "prediction" in s.columns and bool({"index", "qid", "id"} & s.columns),
        with_prediction,
        "index, qid or id, and prediction",
    ),
)
"""In the order in which they are tried."""

TURN = re.compile(r"^(?P<base>.+)-(?P<turn>\d)$")
"""How the ids of circular copies end."""


def options_order(shown: Options, choices: tuple[str, ...]) -> tuple[int, ...] | None:
    """Return which choice stands at each place of the options shown; None where they are others.

    Two choices with the same text stand in their own order.
    """
    if len(shown) != len(choices):
        return None
    left = list(range(len(choices)))
    order = []
    for _, text in shown:
        place = next((i for i in left if choices[i] == text), None)
        if place is None:
            return None
        left.remove(place)
        order.append(place)
    return tuple(order)
