"""Files of templates: one TOML file a task, which anybody can write.

    task = "L1_single"
    scenes = "stills"
    section = "PulseCheck457 §3.4"

    [rows]
    attribute = [{ x = "size" }, { x = "color" }]

    [[template]]
    id = "L1.<x>"
    for = "attribute"
    program = "query_<x> unique filter:$A scene"
    asks = "<x>"
    texts = ["what <x> is {A.the}?"]

The fields of a template are those of `fathom.questions.templates.Template`. `<x>` stands for a word of the
file's `words`, or of the row that a template is written out for; templates `for` the same rows that follow
one another are written out row by row. Where a row has several words under one name, a template that has it
is written out for each. `conventions` are words, too: what a number hangs on, which is said however a
question is put. `like` names another task, whose file's templates, words and rows are taken first.
`possible = "0 to 3"` are numbers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from fathom.programs.engine import operators_on
from fathom.programs.values import Scenes, ValueType
from fathom.questions.notation import slots_in, slots_of_text
from fathom.questions.templates import START, Template
from fathom.records import InputError, Record

WORD = re.compile(r"<(\w+)>")
NUMBERS = re.compile(r"(\d+) to (\d+)")

KINDS = (
    "verb", "event", "three", "moment", "thing", "standing", "changing", "name", "steady name",
    "steady color", "color", "side", "part", "countable verb", "counted verb", "changing part", "part color",
    "limb", "place", "steady place", "change", "changer", "event kind", "time", "turning", "instant",
    "any limb", "plural part", "members", "point", "either end", "course", "sense", "one action",
    "limb or pair",
    "view", "limb group", "paint", "carried", "growth", "growing place",
    "coming growth", "growth side", "opposite sides", "growth change", "growth time", "colored growth",
)  # fmt: skip
"""What a slot of animated objects can be filled with: see `fathom.questions.contexts.animated`."""

ASKED: Mapping[Scenes, tuple[str, ...]] = {
    Scenes.STILL: ("size", "color", "shape", "pose", "count", "exist", "compare"),
    Scenes.ANIMATED: (
        "verbs", "absent verbs", "other verbs", "happenings", "own happenings", "orders", "numbers",
        "even numbers", "sides", "views", "ways", "goes", "limbs", "names", "things", "colors", "part colors",
        "parts", "shifts", "limb places",
        "lines", "courses", "still limbs", "sequences", "deeds",
        "seen ways", "places reached", "group limbs", "growths", "growing places",
        "color sets", "side counts",
    ),
    Scenes.VIDEO: (
        "number", "centre", "box", "pose", "trajectory", "words", "order",
        "nouns", "colors", "counts", "writing", "orders", "doings", "deeds", "deed orders", "cells",
    ),
}  # fmt: skip
"""What can be asked for."""

OF_FOUR = ("nouns", "colors", "counts", "writing", "orders", "doings", "deeds", "deed orders", "cells")
"""What is asked of videos with four options that are drawn: wordings say no time, and need not name who is
asked about."""

_ANY = ("id", "task", "scenes", "program", "asks", "texts", "section", "weight")

FIELDS: Mapping[Scenes, frozenset[str]] = {
    Scenes.STILL: frozenset(
        (*_ANY, "without", "only", "apart", "possible", "rules", "kind", "effort", "growth", "patience")
    ),
    Scenes.ANIMATED: frozenset(
        (*_ANY, "slots", "other", "once", "near", "never", "least", "balanced", "hard")
    ),
    Scenes.VIDEO: frozenset(
        (
            *_ANY,
            "texts_of",
            "texts_to_side",
            "of_turns",
            "moving",
            "sides",
            "settings",
            "options",
            "opposite_of",
            "because",
        )
    ),
}
"""The fields of templates that some scenes have."""

SETTINGS = ("desktop", "indoor", "outdoor")
"""The settings of videos, of which all are meant where a template says none."""

ACTED = "acted"
"""The setting of rooms in which somebody acts."""

SHAPES = ("front", "long", "sides", "round", "handled")
"""The shapes of an object by which words for its sides differ."""


class _File(Record, frozen=True, kw_only=True):
    """A file as it is written."""

    task: str
    scenes: Scenes
    section: str
    about: str = ""
    like: str = ""
    words: dict[str, str] = {}
    conventions: dict[str, str] = {}
    rows: dict[str, list[dict[str, str | list[str]]]] = {}
    template: list[dict[str, Any]] = []


@dataclass(frozen=True)
class TemplateSet:
    """The templates of a benchmark, and what its questions say however they are put: name → words."""

    templates: tuple[Template, ...]
    conventions: Mapping[str, str] = field(default_factory=dict)


def read_templates(folder: Path, tasks: Sequence[str]) -> TemplateSet:
    """Return the templates in `folder/TASK.toml` of each task, in the order of the tasks.

    Raises InputError at the first file, template or field that does not fit.
    """
    found: list[Template] = []
    conventions: dict[str, str] = {}
    for task in tasks:
        path = folder / f"{task}.toml"
        file = _read(path)
        if file.task != task:
            raise InputError(f"{path}: task {file.task!r}: expected {task!r}, the name of the file")
        conventions |= file.conventions
        try:
            found += [_template(raw, file) for raw in _written_out(file)]
            check_templates(found)
        except InputError as e:
            raise InputError(f"{path}: {e}") from e
    return TemplateSet(tuple(found), conventions)


def _read(path: Path) -> _File:
    """Return a file with what it takes from another one."""
    try:
        file = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror}); every task has a file of templates") from e
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as e:
        raise InputError(f"{path}: {e}; correct the file of templates") from e
    if not file.like:
        return file
    other = _read(path.with_name(f"{file.like}.toml"))
    return msgspec.structs.replace(
        file,
        words={**other.words, **file.words},
        conventions={**other.conventions, **file.conventions},
        rows={**other.rows, **file.rows},
        template=[*other.template, *file.template],
    )


def _written_out(file: _File) -> Iterator[dict[str, Any]]:
    """Yield the templates of a file, each once for every row that it is for."""
    fixed = {**file.words, **file.conventions}
    for name, own in groupby(file.template, key=lambda raw: raw.get("for", "")):
        templates = [{k: v for k, v in raw.items() if k != "for"} for raw in own]
        if name and name not in file.rows:
            raise InputError(
                f"template {templates[0].get('id', '')}: for: there are no rows {name!r}; there are "
                f"{', '.join(file.rows) or 'none'}"
            )
        for row in file.rows[name] if name else [{}]:
            for raw in templates:
                for words in _each(row, _words_in(raw)):
                    yield _put_in(raw, {**fixed, **words}, str(raw.get("id", "")))


def _each(row: Mapping[str, str | list[str]], named: set[str]) -> Iterator[dict[str, str]]:
    """Yield a row with one of each of its several words that are named."""
    out: list[dict[str, str]] = [{}]
    for name, words in row.items():
        several = words if isinstance(words, list) else [words]
        out = [{**one, name: word} for one in out for word in (several if name in named else several[:1])]
    yield from out


def _words_in(raw: Any) -> set[str]:
    """Return the words in angle brackets of a template."""
    if isinstance(raw, str):
        return set(WORD.findall(raw))
    parts = list(raw.values()) if isinstance(raw, dict) else raw if isinstance(raw, list) else []
    return {word for part in parts for word in _words_in(part)}


def _put_in(raw: Any, words: Mapping[str, str], name: str) -> Any:
    """Return a template with words in the place of those in angle brackets."""
    if isinstance(raw, str):
        lacking = [w for w in WORD.findall(raw) if w not in words]
        if lacking:
            raise InputError(
                f"template {name}: <{lacking[0]}> stands for nothing; there are {', '.join(words) or 'none'}"
            )
        return WORD.sub(lambda m: words[m.group(1)], raw)
    if isinstance(raw, dict):
        return {k: _put_in(v, words, name) for k, v in raw.items()}
    return [_put_in(v, words, name) for v in raw] if isinstance(raw, list) else raw


def _template(raw: dict[str, Any], file: _File) -> Template:
    name = raw.get("id", "")
    whole = {"task": file.task, "scenes": file.scenes.value, "section": file.section, **raw}
    if file.scenes is Scenes.VIDEO:
        whole.setdefault("settings", list(SETTINGS))
    numbers = NUMBERS.fullmatch(str(whole.get("possible", "")))
    if numbers:
        first, last = map(int, numbers.groups())
        whole["possible"] = [str(n) for n in range(first, last + 1)]
    strange = sorted(set(whole) - FIELDS[file.scenes])
    if strange:
        raise InputError(
            f"template {name}: {strange[0]}: a template of {file.scenes.value} has no such field; it has "
            f"{', '.join(sorted(FIELDS[file.scenes]))}"
        )
    try:
        return msgspec.convert(whole, Template)
    except msgspec.ValidationError as e:
        raise InputError(f"template {name}: {e}") from e


def check_templates(templates: Sequence[Template]) -> None:
    """Raise InputError at the first template whose program, slots and texts do not fit together."""
    seen: set[str] = set()
    for t in templates:
        if t.id in seen:
            raise InputError(f"template {t.id}: id: it is used twice; ids must differ")
        seen.add(t.id)
        if t.opposite_of and t.opposite_of not in seen:
            raise InputError(f"template {t.id}: opposite_of: no template {t.opposite_of!r} stands before it")
        if t.asks not in ASKED[t.scenes]:
            raise InputError(
                f"template {t.id}: asks: expected {', '.join(ASKED[t.scenes])}, found {t.asks!r}"
            )
        if not t.texts and not t.texts_of:
            raise InputError(f"template {t.id}: texts: expected at least one wording, found none")
        slots = set(slots_in(t.tree))
        _CHECKS[t.scenes](t, slots)


def _check_text(t: Template, where: str, text: str, wanted: set[str], free: Sequence[str] = ()) -> None:
    named = slots_of_text(text) - set(free)
    if named != wanted:
        raise InputError(f"template {t.id}: {where}: {text!r} names {sorted(named)}, not {sorted(wanted)}")


def _check_still(t: Template, slots: set[str]) -> None:
    for text in t.texts:
        _check_text(t, "texts", text, slots)
    gives = operators_on(Scenes.STILL)[t.tree.op][0].gives
    wanted = {"exist": ValueType.BOOL, "compare": ValueType.BOOL, "count": ValueType.NUMBER}.get(t.asks)
    if gives.value != t.asks and gives is not wanted:
        raise InputError(f"template {t.id}: asks {t.asks}, but its program gives a {gives.value}")


def _check_animated(t: Template, slots: set[str]) -> None:
    if slots != set(t.slots):
        raise InputError(
            f"template {t.id}: slots: its program uses {sorted(slots)}, its slots are {sorted(t.slots)}"
        )
    unknown = [k for k in t.slots.values() if k not in KINDS]
    if unknown:
        raise InputError(f"template {t.id}: slots: expected {', '.join(KINDS)}, found {unknown[0]!r}")
    said = {slot for slot, kind in t.slots.items() if kind != "three"}
    for text in t.texts:
        _check_text(t, "texts", text, said, free=("actor",))


def _check_video(t: Template, slots: set[str]) -> None:
    said = slots - ({START, "t"} if t.options else {START})
    if t.asks in OF_FOUR:
        strange = sorted({slot for text in t.texts for slot in slots_of_text(text)} - slots)
        if strange:
            raise InputError(f"template {t.id}: texts: its program has no slot {strange[0]!r}")
        return
    for text in (*t.texts, *(w for own in t.texts_of.values() for w in own)):
        _check_text(t, "texts", text, said, free=("extra",))
    for text in t.texts_to_side:
        _check_text(t, "texts_to_side", text, {*said, "side"})
    for what, found, known in (
        ("texts_of", t.texts_of, SHAPES),
        ("settings", t.settings, (*SETTINGS, ACTED)),
    ):
        unknown = [name for name in found if name not in known]
        if unknown:
            raise InputError(f"template {t.id}: {what}: expected {', '.join(known)}, found {unknown[0]!r}")


_CHECKS = {
    Scenes.STILL: _check_still,
    Scenes.ANIMATED: _check_animated,
    Scenes.VIDEO: _check_video,
}
