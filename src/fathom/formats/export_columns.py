"""The columns of a question in other kits' tables: those without pictures.

`index` is the question's id, `answer` the letter of the right option; where there are no options it is the
answer's text, and for captions the list of what people wrote. What a benchmark's own table has beyond that
keeps the name that it has there, so that the table can be imported again.
"""

from __future__ import annotations

import msgspec

from fathom.formats.export_plan import Survey, letter_of
from fathom.formats.table_cells import LETTERS
from fathom.records import OwnTable, Question


def text_columns(question: Question, own: OwnTable, found: Survey, letters: str = "{}") -> dict[str, object]:
    """Return the columns of a question that are text or numbers; the same ones for all of a dataset.

    `letters` is how the columns of the options are called, such as `choice_{}`.
    """
    row: dict[str, object] = {"index": question.id}
    if own.number:
        # There a number counts within its task, and both together are the id.
        row[own.number] = question.id.removeprefix(f"{question.task}-")
    row["question"] = question.text
    for place in range(found.options):
        option = question.choices[place] if place < len(question.choices) else None
        row[letters.format(LETTERS[place] if letters == "{}" else LETTERS[place].lower())] = option
    row["answer"] = _answer(question)
    row["category"] = question.task
    for tag, column in own.tags.items():
        # An empty column would be one too many: by some of them versions of a set are told apart.
        if tag in found.tags:
            row[column] = question.tags.get(tag)
    if own.segment and found.spans:
        row[own.segment] = segment_of(question)
    elif found.spans:
        row["time_start"], row["time_end"] = question.span_s or (None, None)
    return row


def as_list(texts: tuple[str, ...] | list[str]) -> str:
    """Return a list as JSON, which is a Python literal too."""
    return msgspec.json.encode(texts).decode()


def _answer(question: Question) -> str:
    if question.choices:
        return letter_of(question)
    return as_list(question.references) if question.references else question.answer


def segment_of(question: Question) -> list[float] | None:
    """Return both ends of a span: in frames where the official file has frames."""
    if question.tags.get("segment_unit") == "frames":
        first, _, last = question.tags.get("segment", "").partition(",")
        return [float(first), float(last)]
    return list(question.span_s) if question.span_s else None
