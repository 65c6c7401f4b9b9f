"""The lexicon: what the clips of assets show, in words, and the measured motion that each word implies.

The project's own verbs lie in lexicon.json. A file of the same form adds verbs or replaces some.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from fathom.assets.animated.motion import NUMBERS, Measures
from fathom.records import AssetError, InputError, Record

FILE = Path(__file__).with_name("lexicon.json")
OWN_NAME = "fathom-lexicon.json"
"""The file of verbs of one's own that a folder of models may hold."""

_CONDITION = re.compile(r"(\w+) (>=|<=|==) (\S+)")
_KEY = re.compile(r"[a-z]+(_[a-z]+)*")
_COMPARE = {">=": operator.ge, "<=": operator.le}


class Verb(Record, frozen=True, kw_only=True):
    """One object that an asset can be seen to do.

    `base`, `third`, `ing` and `past` are its forms ("gallop", "gallops", "galloping", "galloped"), `plain`
    what it means. `alike` are keys of verbs that could also be said of such a clip, which therefore never
    stand as rivals. `countable` says that one can ask how many times it was done. `expects` is the motion
    that it implies: of every inner list one condition holds, "MEASURE >= NUMBER", "MEASURE <= NUMBER" or
    "busiest == LIMB", measures being those of `motion.Measures`.
    """

    key: str
    base: str
    third: str
    ing: str
    past: str
    plain: str
    alike: tuple[str, ...] = ()
    countable: bool = False
    expects: tuple[tuple[str, ...], ...] = ()


class _File(Record, frozen=True, kw_only=True):
    verbs: tuple[Verb, ...]


@dataclass(frozen=True)
class Lexicon:
    """Verbs by their keys, in a stable order."""

    verbs: tuple[Verb, ...]

    @cached_property
    def by_key(self) -> Mapping[str, Verb]:
        """The verbs by their keys."""
        return {v.key: v for v in self.verbs}

    def verb(self, key: str) -> Verb:
        """Return a verb. Raises InputError that lists what there is."""
        if key not in self.by_key:
            raise InputError(f"{key!r}: no such verb in the lexicon; there are {', '.join(self.by_key)}")
        return self.by_key[key]

    def rivals(self, key: str) -> tuple[Verb, ...]:
        """Return the verbs that cannot be right of a clip of this verb."""
        verb = self.verb(key)
        return tuple(v for v in self.verbs if v.key != key and v.key not in verb.alike)


def read_lexicon(extra: Path | None = None) -> Lexicon:
    """Return the project's lexicon, with the verbs of a file of one's own added or in their place.

    What one of them calls alike is alike both ways. Raises AssetError where a file is no lexicon.
    """
    found = {v.key: v for v in _verbs(FILE)}
    path = FILE
    if extra is not None:
        path = extra
        found = _knowing({**found, **{v.key: v for v in _verbs(extra)}})
    for problem in problems(found.values()):
        raise AssetError(f"{path}: {problem}")
    return Lexicon(tuple(found.values()))


def lexicon_in(folder: Path | None, extra: Path | None = None) -> Path | None:
    """Return the file of verbs that goes with a folder of models: the one given, else the folder's own."""
    own = folder / OWN_NAME if folder is not None else None
    return extra if extra is not None else own if own is not None and own.is_file() else None


def lexicon_of(folder: Path | None, extra: Path | None = None) -> Lexicon:
    """Return the lexicon that goes with a folder of models. Raises AssetError where a file is no lexicon."""
    return read_lexicon(lexicon_in(folder, extra))


def _verbs(path: Path) -> tuple[Verb, ...]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File).verbs
    except OSError as e:
        raise AssetError(f"{path}: cannot be read ({e.strerror or e})") from e
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as e:
        raise AssetError(f"{path}: is no lexicon of verbs ({e}); correct it there") from e


def _knowing(verbs: dict[str, Verb]) -> dict[str, Verb]:
    """Return the verbs, each alike whatever is alike it: in doubt two verbs are no rivals."""
    alike = {key: set(v.alike) for key, v in verbs.items()}
    for key, v in verbs.items():
        for other in v.alike:
            if other in alike and other != key:
                alike[other].add(key)
    return {
        key: msgspec.structs.replace(v, alike=(*v.alike, *sorted(alike[key] - set(v.alike))))
        for key, v in verbs.items()
    }


def problems(verbs: Iterable[Verb]) -> Iterable[str]:
    """Yield what a lexicon says that cannot be, each in one sentence."""
    by_key = {v.key: v for v in verbs}
    for v in by_key.values():
        if not _KEY.fullmatch(v.key):
            yield f"the verb {v.key!r} is no key; expected small letters and underscores"
        for form in ("base", "third", "ing", "past", "plain"):
            if not getattr(v, form).strip():
                yield f"the verb {v.key!r} has no {form!r}; write it"
        for other in v.alike:
            if other == v.key or other not in by_key:
                yield f"the verb {v.key!r} is alike {other!r}, which is not another verb of the lexicon"
            elif v.key not in by_key[other].alike:
                yield f"the verb {v.key!r} is alike {other!r}, but not the other way round; add it there"
        for condition in (c for any_of in v.expects for c in any_of):
            if _parsed(condition) is None:
                yield (
                    f"the verb {v.key!r} expects {condition!r}; expected a measure ({', '.join(NUMBERS)}), "
                    ">= or <=, and a number, or 'busiest == LIMB'"
                )


def _parsed(condition: str) -> tuple[str, str, str] | None:
    found = _CONDITION.fullmatch(condition)
    if found is None:
        return None
    name, sign, value = found.groups()
    if name == "busiest":
        return (name, sign, value) if sign == "==" else None
    number = re.fullmatch(r"-?\d+(\.\d+)?", value)
    return (name, sign, value) if name in NUMBERS and sign in _COMPARE and number else None


def unmet(verb: Verb, measures: Measures) -> tuple[str, ...]:
    """Return what a clip of this verb should show and does not, in words; nothing where all is as expected.

    Conditions on limbs that the asset does not have say nothing.
    """
    wrong = []
    for any_of in verb.expects:
        held = [_holds(c, measures) for c in any_of]
        if not any(h is not False for h in held):
            wrong.append(" or ".join(f"{c} (found {getattr(measures, c.split()[0])})" for c in any_of))
    return tuple(wrong)


def _holds(condition: str, measures: Measures) -> bool | None:
    """Return whether a condition holds, or None where there is nothing to measure."""
    parsed = _parsed(condition)
    if parsed is None:
        raise InputError(f"{condition!r}: is no condition on motion; correct the lexicon")
    name, sign, value = parsed
    if name == "busiest":
        return value in measures.busiest.split() if measures.busiest else None
    found = float(getattr(measures, name))
    return None if math.isnan(found) else bool(_COMPARE[sign](found, float(value)))
