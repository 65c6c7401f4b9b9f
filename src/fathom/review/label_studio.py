"""A review in Label Studio: items as tasks, the form as a labelling configuration, and answers back again.

    OUT/config.xml     what is asked, to paste into a project's labelling interface
    OUT/tasks.json     one task an item, with what people said so far as annotations
    OUT/media/         the pictures, a file each; tasks name them below `prefix`

What people say there comes back from Label Studio's own JSON export. Every field of every stage is on one
page there; what later stages show (the dataset's answer) stands in a part of the page that is folded up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec

from fathom.records import DataError, InputError
from fathom.review.forms import values_of
from fathom.review.records import ForeignAnswer, FormField, ReviewItem
from fathom.review.results import Results
from fathom.review.task import ReviewTask
from fathom.store.files import write_bytes
from fathom.store.seeds import short_hash

BETWEEN = "__"
"""Stands between a stage and a field in the names of controls."""

PREFIX = "/data/local-files/?d=media/"
"""Where Label Studio serves files of a local folder from."""

_TYPES = {
    "choice": "choices",
    "option": "choices",
    "text": "textarea",
    "lines": "textarea",
    "boxes": "rectangle",
}


# --- out ---------------------------------------------------------------------------------------------------


def write_label_studio(
    task: ReviewTask,
    results: Results,
    pictures: Callable[[ReviewItem], Sequence[bytes]],
    out: Path,
    prefix: str = PREFIX,
) -> list[Path]:
    """Write configuration, tasks and pictures; return the files."""
    files = [out / "config.xml", out / "tasks.json"]
    tasks = []
    for number, item in enumerate(results.items.values(), 1):
        names = []
        for k, data in enumerate(pictures(item)):
            names.append(f"{number:06d}-{k}{_suffix(data)}")
            files.append(out / "media" / names[-1])
            write_bytes(files[-1], data)
        said = results.said.get(item.name, {})
        tasks.append(
            {
                "id": number,
                "data": _data(item, [prefix + name for name in names]),
                "annotations": [_annotation(task, item, person, said[person]) for person in sorted(said)],
            }
        )
    write_bytes(files[0], configuration(task))
    write_bytes(files[1], msgspec.json.format(msgspec.json.encode(tasks), indent=1))
    return files


def _suffix(data: bytes) -> str:
    return ".png" if data.startswith(b"\x89PNG") else ".jpg" if data.startswith(b"\xff\xd8") else ".webp"


def _data(item: ReviewItem, pictures: list[str]) -> dict[str, Any]:
    hidden = "\n".join(f"{title}: {text}" for title, text in item.hidden.items())
    return {
        "item": item.name,
        "group": item.group,
        "title": item.title,
        "text": item.text or item.title,
        "facts": "\n".join(f"{title}: {text}" for title, text in item.facts.items()),
        "hidden": hidden,
        "pictures": pictures,
        "options": [{"value": o} for o in item.options],
        "choices": [{"value": c.value} for c in item.choices],
    }


def configuration(task: ReviewTask) -> bytes:
    """Return the labelling configuration of a task: one page with the fields of all of its stages."""
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value="$title")
    ElementTree.SubElement(view, "Image", name="picture", valueList="$pictures", zoom="true")
    ElementTree.SubElement(view, "Text", name="text", value="$text")
    for stage in task.stages:
        within = view
        if stage.reveals:
            folded = ElementTree.SubElement(view, "Collapse")
            within = ElementTree.SubElement(folded, "Panel", value=stage.title)
            ElementTree.SubElement(within, "Text", name=f"{stage.name}{BETWEEN}hidden", value="$hidden")
        for form_field in stage.fields:
            _control(within, f"{stage.name}{BETWEEN}{form_field.name}", form_field)
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode").encode() + b"\n"


def _control(view: ElementTree.Element, name: str, asked: FormField) -> None:
    ElementTree.SubElement(view, "Header", value=asked.title, size="4")
    needed = "true" if asked.needed and not asked.when else "false"
    if asked.kind == "boxes":
        control = ElementTree.SubElement(view, "Rectangle", name=name, toName="picture")
    elif asked.kind in ("text", "lines"):
        control = ElementTree.SubElement(
            view, "TextArea", name=name, toName="text", editable="true", rows=str(asked.rows),
            maxSubmissions=str(asked.most if asked.kind == "lines" else 1), required=needed,
        )  # fmt: skip
        if asked.placeholder:
            control.set("placeholder", asked.placeholder)
    else:
        control = ElementTree.SubElement(
            view, "Choices", name=name, toName="text", choice="single-radio", required=needed
        )
        if asked.kind == "option" or not asked.choices:
            control.set("value", "$options" if asked.kind == "option" else "$choices")
        for choice in asked.choices:
            ElementTree.SubElement(control, "Choice", value=choice.value, hint=choice.meaning or choice.title)


def _annotation(
    task: ReviewTask, item: ReviewItem, person: str, said: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    result: list[dict[str, Any]] = []
    for stage in task.stages:
        for asked in stage.fields:
            value = said.get(stage.name, {}).get(asked.name)
            if value:
                name = f"{stage.name}{BETWEEN}{asked.name}"
                result += [_result(name, asked, v, k, item) for k, v in enumerate(_parts(asked, value))]
    return {
        "completed_by": {"email": f"{short_hash(person, length=12)}@people.invalid", "first_name": person},
        "result": result,
    }


def _parts(asked: FormField, value: Any) -> list[Any]:
    return list(value) if asked.kind == "boxes" else [value]


def _result(name: str, asked: FormField, value: Any, k: int, item: ReviewItem) -> dict[str, Any]:
    kind = _TYPES[asked.kind]
    found = {
        "id": short_hash(item.name, name, k, length=10),
        "from_name": name,
        "to_name": "text",
        "type": kind,
    }
    if kind == "choices":
        return {**found, "value": {"choices": [value]}}
    if kind == "textarea":
        return {**found, "value": {"text": [value] if isinstance(value, str) else list(value)}}
    left, top, right, bottom = (100 * v for v in value["box"])
    box = {"x": left, "y": top, "width": right - left, "height": bottom - top, "rotation": 0}
    return {
        **found, "to_name": "picture", "item_index": value.get("picture", 0), "value": box,
        "meta": {"text": [value["label"]] if value.get("label") else []},
    }  # fmt: skip


# --- in ----------------------------------------------------------------------------------------------------


def read_label_studio(path: Path, task: ReviewTask, items: Mapping[str, ReviewItem]) -> list[ForeignAnswer]:
    """Return what people said in Label Studio, from its JSON export.

    Skipped and empty annotations are left out. Raises DataError for a file that is no such export, InputError
    for an item that is not of this review and for what no field takes; nothing is kept then.
    """
    try:
        tasks = msgspec.json.decode(path.read_bytes(), type=list[dict[str, Any]])
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror}); check the path") from e
    except (msgspec.MsgspecError, UnicodeDecodeError) as e:
        raise DataError(f"{path}: expected Label Studio's JSON export, a list of tasks ({e})") from e
    return [
        answer
        for number, found in enumerate(tasks, 1)
        for answer in _of_task(f"{path}, task {number}", found, task, items)
    ]


def _of_task(
    place: str, found: Mapping[str, Any], task: ReviewTask, items: Mapping[str, ReviewItem]
) -> Iterator[ForeignAnswer]:
    data, annotations = found.get("data"), found.get("annotations") or []
    name = data.get("item") if isinstance(data, dict) else None
    if not isinstance(annotations, list):
        raise DataError(f"{place}: expected a list of annotations, found {type(annotations).__name__}")
    if not annotations:
        return
    item = items.get(name) if isinstance(name, str) else None
    if item is None:
        raise InputError(f"{place}: expected data.item to name an item of this review, found {name!r}")
    for annotation in annotations:
        if not isinstance(annotation, dict) or not isinstance(annotation.get("result", []), list):
            raise DataError(f"{place}: an annotation without a list of results; export the project as JSON")
        sent = _sent(place, annotation.get("result", []), task, item)
        if annotation.get("was_cancelled") or not sent:
            continue
        stages = {}
        for stage in task.stages:
            try:
                stages[stage.name] = values_of(task, stage, item, sent.get(stage.name, {}))
            except InputError as e:
                raise InputError(f"{place}, item {item.name}: {e}") from e
        seconds = annotation.get("lead_time")
        yield ForeignAnswer(
            item.name,
            _person(place, annotation.get("completed_by")),
            stages,
            float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else 0.0,
        )


def _person(place: str, said: Any) -> str:
    """Return the name of who annotated: a first name, an address, or a number."""
    if isinstance(said, dict):
        said = next((said[k] for k in ("first_name", "email", "username", "id") if said.get(k)), None)
    if said in (None, ""):
        raise InputError(f"{place}: an annotation that does not say who completed it (completed_by)")
    return f"annotator {said}" if isinstance(said, int) else str(said)


def _sent(
    place: str, results: Sequence[Any], task: ReviewTask, item: ReviewItem
) -> dict[str, dict[str, Any]]:
    """Return by stage and field what an annotation holds, as the pages send it."""
    known = {f"{s.name}{BETWEEN}{f.name}": (s.name, f) for s in task.stages for f in s.fields}
    sent: dict[str, dict[str, Any]] = {}
    for result in results:
        value = result.get("value") if isinstance(result, dict) else None
        name = result.get("from_name") if isinstance(result, dict) else None
        if name not in known or not isinstance(value, dict):
            raise InputError(f"{place}: a result of {name!r}, which is no field of {task.name}")
        stage, asked = known[name]
        of_stage = sent.setdefault(stage, {})
        if asked.kind == "boxes":
            of_stage.setdefault(asked.name, []).append(_mark(place, result, value))
            continue
        texts = value.get("choices") or value.get("text") or []
        texts = [texts] if isinstance(texts, str) else texts
        if asked.kind == "lines":
            of_stage.setdefault(asked.name, []).extend(texts)
        elif texts:
            first = texts[0]
            is_option = asked.kind == "option" and item.options
            of_stage[asked.name] = item.options.index(first) if is_option and first in item.options else first
    return sent


def _mark(place: str, result: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    try:
        x, y, width, height = (float(value[k]) / 100 for k in ("x", "y", "width", "height"))
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{place}: a rectangle without x, y, width and height in per cent") from None
    meta = result.get("meta")
    label = meta.get("text") or "" if isinstance(meta, dict) else ""
    label = label[0] if isinstance(label, list) else label
    box = [min(max(v, 0.0), 1.0) for v in (x, y, x + width, y + height)]
    return {"picture": result.get("item_index", 0), "box": box, "label": str(label)}
