"""Something-Something-v2: a JSON list with an entry a video, and a JSON object with the classes.

[{"id": "7", "label": "turning a cup upside down", "template": "Turning [something] upside down",
  "placeholders": ["a cup"]}, …]
{"Turning something upside down": "1", …}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from fathom.formats.actions.record import MALFORMED, SOMETHING, AnnotatedVideo, LabelledAction
from fathom.formats.actions.text import text_in
from fathom.formats.import_findings import ImportFindings
from fathom.records import InputError

SLOT = re.compile(r"\[([^\[\]]*)\]")
"""Where a template has a placeholder, and what stands there."""

NO_CLASS = "a template that the labels do not have"


def contents(path: Path) -> Any:
    """Return what a JSON file holds. Raises InputError where it is not one."""
    try:
        return msgspec.json.decode(text_in(path).encode())
    except msgspec.DecodeError as e:
        raise InputError(f"{path}: expected JSON, found something else ({e}); replace it") from e


def is_something(value: Any) -> bool:
    """Return whether this is a list of videos with templates."""
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and {"id", "template"} <= first.keys()


def is_labels(value: Any) -> bool:
    """Return whether this maps templates to numbers."""
    return isinstance(value, dict) and bool(value) and all(_number(v) is not None for v in value.values())


def read_labels(value: Mapping[str, Any]) -> dict[str, int]:
    """Return template, without brackets → class number."""
    return {plain(text): number for text, v in value.items() if (number := _number(v)) is not None}


def read_something(
    name: str, value: list[Any], labels: Mapping[str, int], findings: ImportFindings
) -> list[AnnotatedVideo]:
    """Return the videos of a list. Entries that do not fit are left out and told; without labels all do."""
    found: dict[str, AnnotatedVideo] = {}
    for number, entry in enumerate(value, 1):
        place = f"{name}:entry {number}"
        try:
            action = _action(place, entry)
        except ValueError as e:
            findings.leave_out(MALFORMED, place, str(e))
            continue
        if action.video in found:
            findings.leave_out(MALFORMED, place, f"id {action.video} stands there twice")
        elif labels and plain(action.verb) not in labels:
            findings.leave_out(NO_CLASS, place, action.verb)
        else:
            found[action.video] = AnnotatedVideo(action.video, SOMETHING, (action.video,), (action,))
    return list(found.values())


def plain(template: str) -> str:
    """Return a template without brackets, as the labels have it."""
    return SLOT.sub(lambda m: m[1], template).strip()


def filled(template: str, objects: tuple[str, ...]) -> str:
    """Return a template with the objects in the places of its brackets, the first letter small."""
    left = iter(objects)
    text = SLOT.sub(lambda m: next(left), template)
    return text[:1].lower() + text[1:]


def _action(place: str, entry: Any) -> LabelledAction:
    if not isinstance(entry, dict):
        raise ValueError("an entry is no object")
    template, objects, name = entry.get("template"), entry.get("placeholders"), entry.get("id")
    if not isinstance(template, str) or not template or not isinstance(objects, list):
        raise ValueError("a template or its placeholders are missing")
    if not isinstance(name, str | int) or not re.fullmatch(r"[\w-]{1,80}", str(name)):
        raise ValueError(f"id {str(name)[:40]!r} is no name of a video")
    said = tuple(" ".join(o.split()) for o in objects if isinstance(o, str) and o.strip())
    slots = len(SLOT.findall(template))
    if len(said) != len(objects) or slots != len(said):
        raise ValueError(f"{slots} places in the template, {len(objects)} placeholders")
    label = entry.get("label")
    words = label if isinstance(label, str) and label else filled(template, said)
    return LabelledAction(str(name), str(name), words, template, place, objects=said)


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return int(value) if re.fullmatch(r"\d{1,6}", str(value)) else None
