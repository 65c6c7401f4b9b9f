"""Settings of worlds from NAME=VALUE as texts: frozen dataclasses whose fields are the settings.

A field's type says what it takes: a whole number, a number, a word, or several separated by commas. Of a
field that maps names to numbers each is set alone: `kinds.counting=2`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from fathom.records import InputError, Record, Setting

T = TypeVar("T")
R = TypeVar("R", bound=Record)


def with_settings(settings: T, texts: Mapping[str, str]) -> tuple[T, dict[str, str]]:
    """Return the settings with some of them set otherwise, and those texts that name none of its fields.

    Raises InputError for a value that a field does not take.
    """
    assert is_dataclass(settings) and not isinstance(settings, type)
    kinds = get_type_hints(type(settings))
    known = {f.name for f in fields(settings)}
    values: dict[str, Any] = {}
    left: dict[str, str] = {}
    for name, text in texts.items():
        head, _, key = name.partition(".")
        if head not in known or is_dataclass(getattr(settings, head)):
            left[name] = text
        elif key:
            values[head] = _with_key(name, key, text, values.get(head, getattr(settings, head)))
        else:
            values[head] = _value(name, text, kinds[head])
    return replace(settings, **values), left


def record_with(settings: R, texts: Mapping[str, str]) -> R:
    """Return a record with some of its fields set otherwise; several values are separated by commas.

    Raises InputError for what it does not have, or a value that a field does not take.
    """
    raw: dict[str, Any] = dict(msgspec.structs.asdict(settings))
    for name, text in texts.items():
        if name not in raw:
            raise InputError(f"--set {name}={text}: there is no such setting; there are {', '.join(raw)}")
        several = isinstance(raw[name], tuple)
        raw[name] = [t.strip() for t in text.split(",") if t.strip()] if several else text
    try:
        return msgspec.convert(raw, type(settings), strict=False)
    except msgspec.ValidationError as e:
        given = " ".join(f"--set {name}={text}" for name, text in texts.items())
        raise InputError(f"{given}: {e}; correct the value") from e


def names_of(settings: object) -> tuple[str, ...]:
    """Return what can be set, as it is written."""
    assert is_dataclass(settings)
    found: list[str] = []
    for f in fields(settings):
        value = getattr(settings, f.name)
        found += [f"{f.name}.{k}" for k in value] if isinstance(value, Mapping) else [f.name]
    return tuple(found)


def _with_key(name: str, key: str, text: str, before: Any) -> dict[str, Any]:
    if not isinstance(before, Mapping) or key not in before:
        there = ", ".join(before) if isinstance(before, Mapping) else "no names below it"
        raise InputError(f"--set {name}={text}: there is {there}")
    return {**before, key: _value(name, text, type(before[key]))}


def _value(name: str, text: str, kind: Any) -> Any:
    if get_origin(kind) is tuple:
        one = get_args(kind)
        inner = one[0]
        parts = [t.strip() for t in text.split(",") if t.strip()]
        fixed = 0 if one[-1] is Ellipsis else len(one)
        if not parts or (fixed and len(parts) != fixed):
            wanted = f"{fixed} values" if fixed else "one or more values"
            raise InputError(f"--set {name}={text}: expected {wanted}, separated by commas")
        return tuple(_value(name, t, inner) for t in parts)
    if kind is str:
        return text
    try:
        if kind is int:
            number: int | float = int(text)
        elif kind is float:
            number = float(text)
        else:
            raise InputError(f"--set {name}: cannot be set here")
    except ValueError as e:
        wanted = "a whole number" if kind is int else "a number"
        raise InputError(f"--set {name}={text}: expected {wanted}") from e
    if not math.isfinite(number) or number < 0:
        raise InputError(f"--set {name}={text}: expected a number of 0 or more")
    return number


def as_setting(value: Any) -> Setting:
    """Return a value as a manifest holds it."""
    found: Setting = list(value) if isinstance(value, tuple) else value
    return found


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


def refuse_left(left: Mapping[str, str], known: Sequence[str]) -> None:
    """Raise InputError for a setting that there is not, and name the one that may be meant."""
    for name, text in left.items():
        group, dot, own = name.rpartition(".")
        beside = [k.rpartition(".")[2] for k in known if k.rpartition(".")[0] == group]
        near = get_close_matches(own, beside, n=1, cutoff=0.7)
        meant = f"did you mean {group}{dot}{near[0]}? There are" if near else "there are"
        raise InputError(f"--set {name}={text}: there is no setting {name!r}; {meant} {', '.join(known)}")
