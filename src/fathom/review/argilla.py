"""A review in Argilla: a folder that `rg.Dataset.from_disk` reads, and the answers of `to_disk` back.

    OUT/.argilla/settings.json   fields, and a question for each field of each stage
    OUT/.argilla/dataset.json    name and guidelines
    OUT/records.json             a record an item, pictures within, with what people said so far
    OUT/people.json              who is behind an id: id → name; ids of users of a server are added by hand

Labels are the same for all records there, so that options are numbered: what they say stands in a field.
Marks on pictures cannot be asked for. Drafts come without a sign of it: what lacks an answer that is needed
is left out.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

import msgspec

from fathom.media.sampling import linspace
from fathom.records import DataError, InputError
from fathom.review.forms import values_of
from fathom.review.label_studio import BETWEEN
from fathom.review.records import ForeignAnswer, FormField, ReviewItem
from fathom.review.results import Results
from fathom.review.site.media import kind_of
from fathom.review.task import ReviewTask
from fathom.store.files import write_bytes

MOST_PICTURES = 9
"""A record shows so many pictures or frames at most, evenly spread."""

WORDS = "_in_words"
"""Ends the name of the question in which an item without options is answered in words."""

Decoded = TypeVar("Decoded")

RECORDS, PEOPLE = "records.json", "people.json"


def _asked(task: ReviewTask) -> Iterator[tuple[str, str, FormField]]:
    """Yield name there, stage and field of everything that can be asked there; names are in lower case."""
    for stage in task.stages:
        for asked in stage.fields:
            if asked.kind != "boxes":
                yield f"{stage.name}{BETWEEN}{asked.name}".lower(), stage.name, asked


# --- out ---------------------------------------------------------------------------------------------------


def write_argilla(
    task: ReviewTask,
    results: Results,
    pictures: Callable[[ReviewItem], Sequence[bytes]],
    name: str,
    overlap: int,
    out: Path,
) -> list[Path]:
    """Write settings, records and people; return the files."""
    items = list(results.items.values())
    shown = [_spread(pictures(item)) for item in items]
    most = max(map(len, shown), default=0)
    settings = {
        "guidelines": "\n".join(task.guidelines), "questions": _questions(task, items),
        "fields": _fields(task, most), "vectors": [], "metadata": [_terms("item"), _terms("group")],
        "allow_extra_metadata": False, "distribution": {"strategy": "overlap", "min_submitted": overlap},
        "mapping": None,
    }  # fmt: skip
    about = {"name": name, "guidelines": settings["guidelines"], "allow_extra_metadata": False}
    records = [
        _record(task, item, images, results.said.get(item.name, {}))
        for item, images in zip(items, shown, strict=True)
    ]
    people = {_id_of(person): person for person in results.people}
    found = {
        out / ".argilla" / "settings.json": settings,
        out / ".argilla" / "dataset.json": about,
        out / RECORDS: records,
        out / PEOPLE: people,
    }
    for path, value in found.items():
        write_bytes(path, msgspec.json.format(msgspec.json.encode(value), indent=1))
    return list(found)


def _id_of(person: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"fathom review, {person}"))


def _spread(pictures: Sequence[bytes]) -> list[bytes]:
    return (
        [pictures[k] for k in linspace(len(pictures), min(MOST_PICTURES, len(pictures)))] if pictures else []
    )


def _terms(name: str) -> dict[str, Any]:
    kind = {"type": "terms", "values": None, "visible_for_annotators": True}
    return {"name": name, "title": name, "settings": kind, "visible_for_annotators": True}


def _fields(task: ReviewTask, pictures: int) -> list[dict[str, Any]]:
    reveals = any(stage.reveals for stage in task.stages)
    texts = ["text", "options", "facts", *(["hidden"] if reveals else [])]
    found: list[dict[str, Any]] = [
        {
            "name": name, "title": name.capitalize(), "required": name == "text",
            "settings": {"type": "text", "use_markdown": name == "hidden"}, "type": "text",
        }
        for name in texts
    ]  # fmt: skip
    return found + [
        {
            "name": f"picture_{k}", "title": f"Picture {k}", "required": False,
            "settings": {"type": "image"}, "type": "image",
        }
        for k in range(1, pictures + 1)
    ]  # fmt: skip


def _questions(task: ReviewTask, items: Sequence[ReviewItem]) -> list[dict[str, Any]]:
    found = []
    for name, _, asked in _asked(task):
        labels = _labels(asked, items)
        needed = asked.needed and not asked.when
        if labels:
            kind: dict[str, Any] = {"type": "label_selection", "options": labels, "visible_options": None}
            every = asked.kind != "option" or all(item.options for item in items)
            found.append(_question(name, asked, kind, needed and every))
        if not labels or not every:
            text = {"type": "text", "use_markdown": False}
            found.append(_question(name + WORDS if labels else name, asked, text, needed and not labels))
    return found


def _question(name: str, asked: FormField, kind: Mapping[str, Any], needed: bool) -> dict[str, Any]:
    title = asked.title or (asked.choices[0].title if asked.choices else asked.name)
    return {
        "name": name, "title": title, "description": asked.placeholder or None, "required": needed,
        "settings": kind, "type": kind["type"],
    }  # fmt: skip


def _labels(asked: FormField, items: Sequence[ReviewItem]) -> list[dict[str, str]]:
    """Return what can be chosen in a field: of options their numbers."""
    if asked.kind == "option":
        return [{"value": str(k), "text": f"Option {k}"} for k in range(1, _most_options(items) + 1)]
    if asked.kind != "choice":
        return []
    choices = asked.choices or tuple(dict.fromkeys(c for item in items for c in item.choices))
    return [{"value": c.value, "text": c.title} for c in choices]


def _most_options(items: Sequence[ReviewItem]) -> int:
    return max((len(item.options) for item in items), default=0)


def _record(
    task: ReviewTask, item: ReviewItem, pictures: Sequence[bytes], said: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    fields = {
        "text": item.text or item.title,
        "options": "\n".join(f"{k}. {option}" for k, option in enumerate(item.options, 1)),
        "facts": "\n".join(f"{title}: {text}" for title, text in item.facts.items()),
    }
    if any(stage.reveals for stage in task.stages):
        hidden = html.escape("\n".join(f"{title}: {text}" for title, text in item.hidden.items()))
        fields["hidden"] = f"<details><summary>Open when you have answered</summary>{hidden}</details>"
    for k, data in enumerate(pictures, 1):
        fields[f"picture_{k}"] = f"data:{kind_of(data)};base64,{base64.b64encode(data).decode()}"
    return {
        "id": item.name, "fields": {k: v for k, v in fields.items() if v},
        "metadata": {"item": item.name, "group": item.group}, "suggestions": {},
        "responses": _responses(task, item, said), "vectors": {}, "status": "pending",
    }  # fmt: skip


def _responses(
    task: ReviewTask, item: ReviewItem, said: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for name, stage, asked in _asked(task):
        for person in sorted(said):
            value = said[person].get(stage, {}).get(asked.name)
            if not value:
                continue
            if asked.kind == "option":
                numbered = value in item.options
                there, value = (
                    (name, str(item.options.index(value) + 1)) if numbered else (name + WORDS, value)
                )
            else:
                there, value = name, "\n".join(value) if asked.kind == "lines" else value
            found.setdefault(there, []).append({"value": value, "user_id": _id_of(person)})
    return found


# --- in ----------------------------------------------------------------------------------------------------


def read_argilla(path: Path, task: ReviewTask, items: Mapping[str, ReviewItem]) -> list[ForeignAnswer]:
    """Return what people said in Argilla, from the records.json of its export.

    Raises DataError for a file that is no such export, InputError for an item that is not of this review and
    for an answer that no field takes; nothing is kept then.
    """
    people = _decoded(path.with_name(PEOPLE), dict[str, str]) if path.with_name(PEOPLE).is_file() else {}
    answers = []
    for number, record in enumerate(_decoded(path, list[dict[str, Any]]), 1):
        place = f"{path}, record {number}"
        responses = record.get("responses") or {}
        if not isinstance(responses, dict):
            raise DataError(f"{place}: expected responses by question, found {type(responses).__name__}")
        if not responses:
            continue
        item = items.get(str(record.get("id")))
        if item is None:
            raise InputError(
                f"{place}: expected its id to name an item of this review, found {record.get('id')!r}"
            )
        for who, sent in _sent(place, responses, task, item).items():
            try:
                stages = {s.name: values_of(task, s, item, sent.get(s.name, {})) for s in task.stages}
            except InputError:
                continue  # a draft
            answers.append(ForeignAnswer(item.name, people.get(who, f"annotator {who}"), stages, 0.0))
    return answers


def _decoded(path: Path, kind: type[Decoded]) -> Decoded:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror}); check the path") from e
    except (msgspec.MsgspecError, UnicodeDecodeError) as e:
        raise DataError(f"{path}: expected what Argilla writes to disk ({e})") from e


def _sent(
    place: str, responses: Mapping[str, Any], task: ReviewTask, item: ReviewItem
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by person, stage and field what a record holds, as the pages send it."""
    known = {name: (stage, asked) for name, stage, asked in _asked(task)}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, given in responses.items():
        stage, asked = known.get(name) or known.get(name.removesuffix(WORDS)) or ("", None)
        if asked is None:
            raise InputError(f"{place}: an answer to {name!r}, which is no field of {task.name}")
        for response in given if isinstance(given, list) else [given]:
            who = response.get("user_id") if isinstance(response, dict) else None
            value = response.get("value") if isinstance(response, dict) else None
            if not isinstance(who, str) or not isinstance(value, str):
                raise DataError(f"{place}: an answer to {name!r} without user_id and value")
            found.setdefault(who, {}).setdefault(stage, {})[asked.name] = _value(place, asked, item, value)
    return found


def _value(place: str, asked: FormField, item: ReviewItem, value: str) -> Any:
    if asked.kind == "lines":
        return value.split("\n")
    if asked.kind == "option" and item.options:
        if not value.isdecimal() or not 1 <= int(value) <= len(item.options):
            raise InputError(f"{place}: expected an option from 1 to {len(item.options)}, found {value!r}")
        return int(value) - 1
    choices = asked.choices or item.choices
    if asked.kind == "choice" and value not in [c.value for c in choices]:
        raise InputError(f"{place}: {asked.title or asked.name} has no choice {value!r}")
    return value
