"""What a person sends, checked against the fields of a stage."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fathom.records import InputError
from fathom.review.records import MOST_CHARACTERS, FormField, ReviewItem, ReviewStage, Values
from fathom.review.task import ReviewTask

MOST_BOXES = 20


def values_of(task: ReviewTask, stage: ReviewStage, item: ReviewItem, sent: Mapping[str, Any]) -> Values:
    """Return the values of a stage's fields from what was sent.

    An option is sent as its place among the item's options and kept as its text. What is empty is left out.
    Raises InputError with a sentence for the person.
    """
    if unknown := sorted(set(sent) - {f.name for f in stage.fields}):
        raise InputError(f"{unknown[0]!r}: is not asked here; load the page again")
    found: Values = {}
    for field in stage.fields:
        if field.name in item.without:
            continue
        if field.when and not all(found.get(name) in wanted for name, wanted in field.when.items()):
            continue
        value = _value(field, item, sent.get(field.name))
        if value not in (None, "", []):
            found[field.name] = value
        elif field.needed:
            raise InputError(f"{field.title}: is missing; fill it in")
    if problem := task.check(item, found):
        raise InputError(problem)
    return found


def _value(field: FormField, item: ReviewItem, sent: Any) -> Any:
    if sent is None or sent in ("", []):
        return None
    wrong = InputError(f"{field.title}: cannot be read; load the page again")
    if field.kind == "option":
        if not item.options:
            return _text(field, sent)
        if not isinstance(sent, int) or isinstance(sent, bool) or not 0 <= sent < len(item.options):
            raise wrong
        return item.options[sent]
    if field.kind == "choice":
        choices = field.choices or item.choices
        if sent not in [choice.value for choice in choices]:
            raise wrong
        return sent
    if field.kind == "text":
        return _text(field, sent)
    if not isinstance(sent, list):
        raise wrong
    if field.kind == "lines":
        lines = [text for line in sent if (text := _text(field, line))]
        if len(lines) > field.most:
            raise InputError(f"{field.title}: expected at most {field.most}, found {len(lines)}")
        return lines
    if len(sent) > MOST_BOXES:
        raise InputError(f"{field.title}: expected at most {MOST_BOXES} marks, found {len(sent)}")
    return [_box(field, item, box) for box in sent]


def _text(field: FormField, sent: Any) -> str:
    if not isinstance(sent, str):
        raise InputError(f"{field.title}: cannot be read; load the page again")
    text = sent.replace("\r\n", "\n").strip()
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"{field.title}: expected at most {MOST_CHARACTERS:,} characters, found {len(text):,}; shorten it"
        )
    # A lone surrogate cannot be written to a file.
    return text.encode("utf-8", "replace").decode()


def _box(field: FormField, item: ReviewItem, sent: Any) -> dict[str, Any]:
    """Return a box, or a point (of which both corners are the same), in shares of the picture's sides."""
    wrong = InputError(f"{field.title}: a mark cannot be read; draw it again")
    if not isinstance(sent, Mapping) or set(sent) - {"picture", "box", "label"}:
        raise wrong
    picture, box = sent.get("picture", 0), sent.get("box")
    if not isinstance(picture, int) or not 0 <= picture < max(1, len(item.pictures)):
        raise wrong
    if not isinstance(box, list) or len(box) != 4 or not all(isinstance(v, int | float) for v in box):
        raise wrong
    x0, y0, x1, y1 = (float(v) for v in box)
    if not all(math.isfinite(v) and 0 <= v <= 1 for v in (x0, y0, x1, y1)):
        raise wrong
    left, right, top, bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    label = _text(field, sent.get("label") or "")
    return {"picture": picture, "box": [round(v, 5) for v in (left, top, right, bottom)], "label": label}
