"""Settings by name, for every verb: frozen dataclasses and records whose fields are the settings.

A field's type says what it takes: a number, a word (or one of the words of a Literal), yes or no, a path, or
several values separated by commas. Settings inside settings are named with a dot (`desktop.most=8`), and so
are the entries of a mapping (`kinds.counting=2`); a part that can be missing is switched with on and off.
Hyphens and underscores in names are the same. What a setting is stands in the docstring of its class, as
"name : what it is", or "one, other : what both are".
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from fathom.records import InputError, Setting

S = TypeVar("S")

INLINE: Mapping[str, bool] = MappingProxyType({"inline": True})
"""Metadata of a field with settings whose names stand beside those around it, without the field's name."""

FIXED: Mapping[str, bool] = MappingProxyType({"fixed": True})
"""Metadata of a field that cannot be set by name."""

MOVED: Mapping[str, str] = MappingProxyType(
    {
        "rules": "rules",
        "environment": "environment",
        "headings": "reference_headings",
        "lexicon": "lexicon",
        "verdicts": "verdicts",
        "classifier": "quality_filter",
        "clip": "clip_model",
    }
)
"""What was once an option of `fathom build`, and the setting of a generator that it is now."""

_TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}

_UNITS = {"_mps": "m/s", "_deg_s": "degrees/s", "_deg": "degrees", "_px": "pixels", "_m": "m", "_s": "s"}
"""What the end of a name says of its unit."""


@dataclass(frozen=True)
class SettingLine:
    """One setting as help shows it: its name, what it takes, its default as text, and what it is."""

    name: str
    takes: str
    default: str
    what: str


@dataclass(frozen=True)
class _Given:
    """A value as it was given, and the whole name that it was given under."""

    name: str
    value: object

    @property
    def shown(self) -> str:
        return f"--set {self.name}={_text(self.value)}"


@dataclass(frozen=True)
class _Slot:
    """A field of settings: its name, its type without None, its value, and what is said of it."""

    name: str
    kind: Any
    value: Any
    optional: bool
    metadata: Mapping[str, Any]

    @property
    def nests(self) -> bool:
        """Whether the field holds settings of its own."""
        return isinstance(self.kind, type) and (
            is_dataclass(self.kind) or issubclass(self.kind, msgspec.Struct)
        )

    @property
    def inline(self) -> bool:
        return bool(self.metadata.get("inline"))


def with_settings(
    settings: S, given: Mapping[str, object] | object, of: str = "", hyphens: bool = False
) -> S:
    """Return settings with some of them set otherwise; `of` says in errors whose they are.

    `given` maps names to texts or values, or is a settings object: one of the same type takes their place,
    one of the type of a part takes that part's. Raises InputError for a name that there is not, or a value
    that does not fit.
    """
    if not isinstance(given, Mapping):
        return _with_object(settings, given, of)
    entries = {name.strip().replace("-", "_"): _Given(name, value) for name, value in _flattened("", given)}
    changed, left = _with_entries(settings, entries)
    for unknown in left.values():
        _refuse(unknown, names_of(settings, hyphens), of)
    return changed


def names_of(settings: object, hyphens: bool = False) -> tuple[str, ...]:
    """Return what can be set, as it is written."""
    return tuple(line.name for line in listed(settings, hyphens))


def listed(settings: object, hyphens: bool = False) -> tuple[SettingLine, ...]:
    """Return a line for each setting, in the order of the fields."""
    lines = tuple(_lines(settings, ""))
    return tuple(replace(line, name=line.name.replace("_", "-")) for line in lines) if hyphens else lines


def flat(prefix: str, settings: object) -> dict[str, Setting]:
    """Return settings as a manifest holds them: "world.fewest", "staging.kinds.counting" …"""
    if isinstance(settings, Mapping):
        named = {str(k): v for k, v in settings.items()}
    elif isinstance(settings, msgspec.Struct):
        named = msgspec.structs.asdict(settings)
    elif is_dataclass(settings):
        named = {f.name: getattr(settings, f.name) for f in fields(settings)}
    else:
        return {prefix: as_setting(settings)}
    found: dict[str, Setting] = {}
    for name, value in named.items():
        found |= flat(f"{prefix}.{name}", value)
    return found


def as_setting(value: Any) -> Setting:
    """Return a value as a manifest holds it."""
    found: Setting = list(value) if isinstance(value, tuple) else value
    return found


def described(kind: type) -> dict[str, str]:
    """Return what the docstrings of a class and its bases say of each field."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _described_in(inspect.cleandoc(base.__dict__.get("__doc__") or ""))
    return found


def _described_in(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    names: list[str] = []
    for line in text.splitlines():
        if start := re.match(r"(\w+(?:, \w+)*) : (.+)", line):
            names = start[1].split(", ")
            found |= dict.fromkeys(names, start[2])
        elif names and line.startswith(" "):
            found |= {name: f"{found[name]} {line.strip()}" for name in names}
        else:
            names = []
    return found


def _slots(settings: object) -> Iterator[_Slot]:
    """Yield the fields that can be set, or that hold what can."""
    kinds = get_type_hints(type(settings))
    if isinstance(settings, msgspec.Struct):
        named: dict[str, dict[str, Any]] = {name: {} for name in settings.__struct_fields__}
    else:
        assert is_dataclass(settings)
        named = {f.name: dict(f.metadata) for f in fields(settings)}
    for name, metadata in named.items():
        if metadata.get("fixed"):
            continue
        kind, optional = kinds[name], False
        if get_origin(kind) in (Union, UnionType):
            inner = [k for k in get_args(kind) if k is not NoneType]
            kind, optional = inner[0], len(inner) < len(get_args(kind))
        value = getattr(settings, name)
        yield _Slot(metadata.get("name", name), kind, value, optional, {**metadata, "field": name})


def _lines(settings: object, prefix: str) -> Iterator[SettingLine]:
    said = described(type(settings))
    for slot in _slots(settings):
        name, what = f"{prefix}{slot.name}", said.get(slot.name) or said.get(slot.metadata["field"], "")
        inner = prefix if slot.inline else f"{name}."
        if slot.nests:
            if slot.optional:
                yield SettingLine(name, "on, off", "off" if slot.value is None else "on", what)
            yield from _lines(slot.kind() if slot.value is None else slot.value, inner)
        elif isinstance(slot.value, Mapping):
            for key, value in slot.value.items():
                if is_dataclass(value) or isinstance(value, msgspec.Struct):
                    yield from _lines(value, f"{inner}{key}.")
                else:
                    yield SettingLine(f"{inner}{key}", _takes(type(value)), _default(value), what)
        else:
            takes, unit = _takes(slot.kind), _unit(name)
            yield SettingLine(name, f"{takes} in {unit}" if unit else takes, _default(slot.value), what)


def _default(value: object) -> str:
    """Return a value as help shows it: numbers short."""
    if isinstance(value, tuple):
        return ",".join(map(_default, value))
    return f"{value:g}" if isinstance(value, float) else _text(value)


def _unit(name: str) -> str:
    """Return the unit that the end of a name says, "" where it says none."""
    return next((unit for end, unit in _UNITS.items() if name.endswith(end)), "")


def _takes(kind: Any) -> str:
    """Return in words what a type takes."""
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if get_origin(kind) is tuple:
        one = get_args(kind)
        inner = _takes(one[0])
        return f"{inner}, …" if one[-1] is Ellipsis else ", ".join([inner] * len(one))
    words = {bool: "yes, no", int: "integer", float: "number", Path: "path", str: "text"}
    return words.get(kind, "text")


def _flattened(prefix: str, given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _flattened(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value


def _with_object(settings: S, given: object, of: str) -> S:
    if isinstance(given, type(settings)):
        return given
    parts = {type(slot.value): slot for slot in _slots(settings) if slot.nests and slot.inline}
    if slot := parts.get(type(given)):
        joined: S = _replaced(settings, {slot.metadata["field"]: given}, [])
        return joined
    kinds = " or ".join(kind.__name__ for kind in (type(settings), *parts))
    found = type(given).__name__
    raise InputError(f"settings{of}: expected {kinds} or a mapping of names to values, found {found}")


def _with_entries(settings: S, entries: Mapping[str, _Given]) -> tuple[S, dict[str, _Given]]:
    """Return the settings with those entries that name something of theirs, and the other ones."""
    slots = {slot.name: slot for slot in _slots(settings)}
    values: dict[str, Any] = {}
    inside: dict[str, dict[str, _Given]] = {}
    left: dict[str, _Given] = {}
    for name, given in entries.items():
        head, _, rest = name.partition(".")
        slot = slots.get(head)
        if slot is None or slot.inline or (rest and not (slot.nests or isinstance(slot.value, Mapping))):
            left[name] = given
        elif rest:
            inside.setdefault(head, {})[rest] = given
        elif slot.nests:
            values[slot.metadata["field"]] = _switched(slot, given)
        else:
            values[slot.metadata["field"]] = _value(given, slot)
    for head, own in inside.items():
        slot = slots[head]
        before = values.get(slot.metadata["field"], slot.value)
        if slot.nests and before is None:
            first = next(iter(own.values()))
            raise InputError(f"{first.shown}: with {head}=off there is nothing to set; leave one of them out")
        changed, unknown = _with_part(slot, before, own)
        values[slot.metadata["field"]] = changed
        left |= {f"{head}.{name}": given for name, given in unknown.items()}
    for slot in slots.values():
        if slot.inline and left:
            values[slot.metadata["field"]], left = _with_part(slot, slot.value, left)
    given_here = [g for name, g in entries.items() if name not in left]
    return (_replaced(settings, values, given_here) if values else settings), left


def _with_part(slot: _Slot, before: Any, entries: Mapping[str, _Given]) -> tuple[Any, dict[str, _Given]]:
    """Return a nested part, or a mapping, with entries of its own, and the entries that are none of its."""
    if not isinstance(before, Mapping):
        return _with_entries(before, entries)
    after, left = dict(before), {}
    grouped: dict[str, dict[str, _Given]] = {}
    for name, given in entries.items():
        head, _, rest = name.partition(".")
        if head not in before:
            left[name] = given
        elif rest:
            grouped.setdefault(head, {})[rest] = given
        elif isinstance(given.value, type(before[head])) or not is_dataclass(before[head]):
            nested = is_dataclass(before[head])
            after[head] = given.value if nested else _one(given, given.value, type(before[head]), slot)
        else:
            left[name] = given
    for head, own in grouped.items():
        if is_dataclass(after[head]):
            after[head], unknown = _with_entries(after[head], own)
        else:
            unknown = own
        left |= {f"{head}.{name}": given for name, given in unknown.items()}
    return after, left


def _replaced(settings: Any, values: Mapping[str, Any], given: Sequence[_Given]) -> Any:
    if not isinstance(settings, msgspec.Struct):
        return replace(settings, **values)
    try:
        return msgspec.convert(msgspec.structs.asdict(settings) | dict(values), type(settings))
    except msgspec.ValidationError as e:
        raise InputError(f"{' '.join(g.shown for g in given)}: {e}; correct the value") from e


def _switched(slot: _Slot, given: _Given) -> Any:
    if isinstance(given.value, slot.kind):
        return given.value
    if slot.optional and (switch := _TRUTH.get(_text(given.value).lower())) is not None:
        return (slot.value or slot.kind()) if switch else None
    inner = f"{given.name}.NAME=VALUE"
    raise InputError(f"{given.shown}: expected {'on, off or ' if slot.optional else ''}{inner}")


def _value(given: _Given, slot: _Slot) -> Any:
    if given.value is None or (slot.optional and _text(given.value) in ("", "none")):
        if slot.optional:
            return None
        raise InputError(f"{given.shown}: expected a value")
    if get_origin(slot.kind) is not tuple:
        return _one(given, given.value, slot.kind, slot)
    one = get_args(slot.kind)
    if isinstance(given.value, list | tuple):
        parts = list(given.value)
    else:
        parts = [t.strip() for t in _text(given.value).split(",") if t.strip()]
    fixed = 0 if one[-1] is Ellipsis else len(one)
    if not parts or (fixed and len(parts) != fixed):
        wanted = f"{fixed} values" if fixed else "one or more values"
        raise InputError(f"{given.shown}: expected {wanted}, separated by commas")
    return tuple(_one(given, part, one[0], slot) for part in parts)


def _one(given: _Given, value: object, kind: Any, slot: _Slot) -> Any:
    """Return one value of a type, from its text or from itself."""
    text = _text(value)
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise InputError(f"{given.shown}: expected {' or '.join(get_args(kind))}")
        return text
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise InputError(f"{given.shown}: expected yes or no")
        return _TRUTH[text.lower()]
    if kind is str:
        return text
    if kind is Path:
        return Path(text).expanduser()
    if kind not in (int, float):
        raise InputError(f"{given.shown}: cannot be set here")
    least = int(slot.metadata.get("least", 0))
    wanted = f"{'a whole number' if kind is int else 'a number'} of at least {least}"
    try:
        number: int | float = kind(text)
    except ValueError as e:
        raise InputError(f"{given.shown}: expected {wanted}") from e
    if not math.isfinite(number) or number < least:
        raise InputError(f"{given.shown}: expected {wanted}")
    return number


def _text(value: object) -> str:
    """Return a value as it is written after NAME=."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(_text, value))
    return str(value)


def _refuse(given: _Given, known: Sequence[str], of: str) -> None:
    """Raise InputError for a setting that there is not, and name the one that may be meant."""
    group, dot, own = given.name.rpartition(".")
    beside = [k.rpartition(".")[2] for k in known if k.rpartition(".")[0] == group]
    near = get_close_matches(own, beside, n=1, cutoff=0.7)
    meant = f"did you mean {group}{dot}{near[0]}? There are" if near else "there are"
    what = ", ".join(known) if known else "none"
    raise InputError(f"{given.shown}: there is no setting {given.name!r}{of}; {meant} {what}")
