"""Where false choices come from: what is true of another time, view, part or object of the same film first.

Every choice here is certainly false, and none says the same as the answer, or nearly so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from fathom.build.questions.stories.fillings import Stage
from fathom.build.questions.stories.forms import Fill, Form
from fathom.programs.stories.facts import ACTS, QUARTERS
from fathom.programs.stories.operators import Kind, Run, Value, grade_of

OTHER_TIME, OTHER_OBJECT, OTHER_PART, OTHER_VIEW = "other time", "other object", "other part", "other view"
OTHER_ORDER, OTHER_NUMBER, ABSENT, PRIOR = "other order", "other number", "absent", "prior"

LEAST = 1
"""The smallest number that is asked for: what is not there cannot be seen."""


@dataclass(frozen=True)
class Option:
    """A choice: its key in programs, its text, and what it is true of."""

    key: str
    text: str
    source: str


@dataclass(frozen=True)
class Supply:
    """What choices are taken from where a film itself has too few: all verbs of each asset, and the names and
    colours of props in general.
    """

    verbs: Mapping[str, tuple[str, ...]]
    names: tuple[str, ...]
    colors: tuple[str, ...]


def answers_of(
    stage: Stage, form: Form, fills: Mapping[str, Fill], kind: Kind, value: Value, supply: Supply
) -> list[str]:
    """Return the keys that could be the answer: the value, or each member of a set that can be spoken of."""
    if form.options == "other verbs":
        return _absent_verbs(stage, supply)
    if kind is Kind.THINGS:
        keys = [(stage.labels[k], k) for k in value]
        run = Run(stage.story)
        return [label for label, k in keys if label and grade_of(run, kind, value, label).ratio >= 1]
    if kind is Kind.HAPPENINGS:
        if form.options == "absent verbs":
            return list(stage.single_verbs)
        run, found = Run(stage.story), [h.key for h in stage.single_events]
        return [k for k in found if grade_of(run, kind, value, k).ratio >= 1]
    if kind is Kind.PARTS:
        words = {f.key for f in stage.fills("part")}
        return [v for v in value if v in words]
    if kind is Kind.NUMBER:
        return [value] if int(value) >= LEAST else []
    return [value]


def pool(
    stage: Stage, form: Form, fills: Mapping[str, Fill], kind: Kind, value: Value, answer: str, supply: Supply
) -> tuple[Option, ...]:
    """Return the false choices that a question can have, each once; () where the answer cannot be said."""
    text = text_of(stage, form, answer)
    if not text:
        return ()
    mentioned = named_in(form, fills)
    found: dict[str, Option] = {}
    for key, source in _SOURCES[form.options](stage, form, fills, answer, supply):
        said = text_of(stage, form, key)
        if not said or key in found or key == answer or key in mentioned or said == text:
            continue
        if kind in (Kind.THINGS, Kind.HAPPENINGS, Kind.PARTS):
            ratio = grade_of(Run(stage.story), kind, value, key).ratio
            if ratio > -1 if not form.other else ratio < 1:
                continue
        found[key] = Option(key, said, source)
    return tuple(found.values())


def named_in(form: Form, fills: Mapping[str, Fill]) -> set[str]:
    """Return the keys that a question's words name: no choice may be one of them."""
    out: set[str] = set()
    for slot, fill in fills.items():
        if form.slots[slot] in ("verb", "color", "event", "part", "name"):
            out.add(fill.key)
        out.update(fill.names)
    return out if form.options != "own happenings" else set()


def text_of(stage: Stage, form: Form, key: str) -> str:
    """Return a choice's text, "" where it cannot be said."""
    said = _SAID.get(form.options, _plain)(stage, key)
    return said[:1].upper() + said[1:]


# How keys are said


def _plain(stage: Stage, key: str) -> str:
    return key


def _said_verb(stage: Stage, key: str) -> str:
    return stage.verbs[key].ing if key in stage.verbs else ""


def _said_happening(stage: Stage, key: str) -> str:
    for h in stage.story.happenings:
        if h.key == key and h.what != ACTS:
            return stage.clause(h) if stage.subject(h) else ""
        if h.key == key:
            return f"the {stage.actor} {stage.verbs[key].third}" if key in stage.verbs else ""
    what, _, rest = key.partition(":")
    thing, _, detail = rest.partition(":")
    fitting = [k for k in range(1, len(stage.labels)) if stage.story.keys[k] == thing]
    label = stage.labels[fitting[0]] if len(fitting) == 1 else ""
    return (
        f"the {label} {stage.language.verb_phrase(stage.language.is_many(label), what, detail)}"
        if label
        else ""
    )


def _said_order(stage: Stage, key: str) -> str:
    clauses = [_said_happening(stage, k) for k in key.split(">")]
    return f"{clauses[0]}; then {clauses[1]}; then {clauses[2]}" if all(clauses) else ""


def _said_thing(stage: Stage, key: str) -> str:
    return f"the {key}"


def _said_side(stage: Stage, key: str) -> str:
    return stage.language.sides.get(key, "").format(actor=stage.actor)


def _said_way(stage: Stage, key: str) -> str:
    return stage.language.ways.get(key, "").format(actor=stage.actor)


def _said_view(stage: Stage, key: str) -> str:
    return stage.language.views.get(key, "")


def _said_own(stage: Stage, key: str) -> str:
    what, _, rest = key.partition(":")
    return f"it {stage.language.verb_phrase(False, what, rest.partition(':')[2])}"


def _said_goes(stage: Stage, key: str) -> str:
    return stage.language.goes.get(key, "")


def _said_place(stage: Stage, key: str) -> str:
    return stage.language.places.get(key, "")


def _said_limb(stage: Stage, key: str) -> str:
    return f"its {key}" if key.replace(" ", "").isalpha() else ""


def _said_part(stage: Stage, key: str) -> str:
    word = stage.scene.things[0].parts.get(key, {}).get("word", "")
    return f"its {word}" if word else ""


_SAID: Mapping[str, Callable[[Stage, str], str]] = {
    "verbs": _said_verb, "absent verbs": _said_verb, "other verbs": _said_verb,
    "happenings": _said_happening, "orders": _said_order, "names": _said_thing, "things": _said_thing,
    "sides": _said_side, "ways": _said_way, "goes": _said_goes, "limbs": _said_limb, "parts": _said_part,
    "places": _said_place, "views": _said_view, "own happenings": _said_own,
}  # fmt: skip

# Where false keys come from

_Source = Iterator[tuple[str, str]]


def _alike(stage: Stage, one: str, other: str) -> bool:
    return one == other or other in stage.verbs[one].alike or one in stage.verbs[other].alike


def _absent_verbs(stage: Stage, supply: Supply) -> list[str]:
    """Return verbs of the asset that the film does not show, nor anything like them."""
    own = {h.key for h in stage.actions if h.key in stage.verbs}
    asset = stage.scene.things[0].asset.name
    return [
        v
        for v in supply.verbs.get(asset, ())
        if v in stage.verbs and not any(_alike(stage, v, o) for o in own)
    ]


def _verbs(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    for h in stage.actions:
        if h.key in stage.verbs and not _alike(stage, h.key, answer):
            yield h.key, OTHER_TIME
    for v in _absent_verbs(stage, supply):
        yield v, ABSENT


def _only_absent_verbs(
    stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for v in _absent_verbs(stage, supply):
        yield v, ABSENT


def _film_verbs(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    for v in stage.single_verbs:
        yield v, OTHER_TIME


def _happenings(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    """Yield what happens at another time, then what does not happen: each thing's events on another thing."""
    story = stage.story
    own = {h.key for h in story.happenings}
    for h in stage.single_events:
        yield h.key, OTHER_TIME
    busy = {h.thing for h in stage.single_events}
    idle = [k for k in range(1, len(stage.labels)) if stage.labels[k] and k not in busy]
    changes: list[tuple[str, str]] = [("vanishes", ""), ("appears", "")]
    changes += [("recolours", c) for c in supply.colors]
    for k in idle:
        for what, detail in changes:
            key = f"{what}:{story.keys[k]}" + (f":{detail}" if detail else "")
            if key not in own and detail not in story.colors[k]:
                yield key, OTHER_OBJECT
    for h in stage.single_events:
        if h.key == answer or not h.thing:
            continue
        for what, detail in changes:
            key = f"{what}:{story.keys[h.thing]}" + (f":{detail}" if detail else "")
            if key not in own and what != h.what and detail not in story.colors[h.thing]:
                yield key, ABSENT


def _own_happenings(
    stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield what could become of the same thing: first what becomes of others."""
    story = stage.story
    thing = answer.split(":")[1]
    k = story.keys.index(thing)
    own = {h.key for h in story.happenings}
    others = [(h.what, h.detail.rpartition("=")[2]) for h in story.happenings if h.what != ACTS]
    absent = [("vanishes", ""), ("appears", "")]
    absent += [("recolours", c) for c in supply.colors] + [("swaps", n) for n in supply.names]
    for (what, detail), source in [*((o, OTHER_OBJECT) for o in others), *((a, ABSENT) for a in absent)]:
        key = f"{what}:{thing}" + (f":{detail}" if detail else "")
        if key not in own and detail not in (*story.colors[k], *story.names[k]):
            yield key, source


def _orders(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    for one in permutations(answer.split(">")):
        yield ">".join(one), OTHER_ORDER


def _numbers(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    for n in range(max(LEAST, int(answer) - 3), int(answer) + 4):
        yield str(n), OTHER_NUMBER


def _fixed(keys: Sequence[str], source: str) -> Callable[..., _Source]:
    def found(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
        for key in keys:
            yield key, source

    return found


def _limbs(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    """Yield other limbs, but none that the answer is a piece of, or that is a piece of it."""
    whole = {"hand": "arm", "foot": "leg", "paw": "leg", "hoof": "leg"}
    *side, last = answer.split(" ")
    for name in stage.story.play.limbs_of(0):
        *other, end = name.split(" ")
        if other != side or whole.get(last, last) != whole.get(end, end):
            yield name, OTHER_PART


def _parts(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    for f in stage.fills("part"):
        yield f.key, OTHER_PART


def _names(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    story = stage.story
    there = {story.names[k][f] for k in range(1, len(story.things)) for f in (0, story.frames - 1)}
    said = {stage.labels[k] for k in range(1, len(story.things))}
    for k in range(1, len(story.things)):
        for name in dict.fromkeys(story.names[k]):
            if name in said or len(set(story.names[k])) > 1:
                yield name, OTHER_OBJECT if name in there else OTHER_TIME
    for name in supply.names:
        if not any(name in course for course in story.names):
            yield name, ABSENT


def _things(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    for k in range(1, len(stage.labels)):
        if stage.labels[k]:
            yield stage.labels[k], OTHER_OBJECT


def _colors(stage: Stage, form: Form, fills: Mapping[str, Fill], answer: str, supply: Supply) -> _Source:
    story = stage.story
    steady = [c for course in story.colors[1:] for c in course if len(set(course)) > 1 and answer in course]
    for color in dict.fromkeys(steady):
        yield color, OTHER_TIME
    for course in story.colors[1:]:
        for color in dict.fromkeys(course):
            yield color, OTHER_OBJECT
    for course in story.parts.values():
        for color in dict.fromkeys(course):
            yield color, OTHER_PART
    for color in supply.colors:
        yield color, ABSENT


_SOURCES: Mapping[str, Callable[[Stage, Form, Mapping[str, Fill], str, Supply], _Source]] = {
    "verbs": _verbs,
    "absent verbs": _only_absent_verbs,
    "other verbs": _film_verbs,
    "happenings": _happenings,
    "own happenings": _own_happenings,
    "views": _fixed(QUARTERS, OTHER_VIEW),
    "orders": _orders,
    "numbers": _numbers,
    "sides": _fixed(QUARTERS, OTHER_OBJECT),
    "ways": _fixed(("forward", "backward", "left", "right", "up", "down"), OTHER_TIME),
    "even numbers": _fixed(("2", "4", "6", "8"), OTHER_NUMBER),
    "goes": _fixed(("forward", "backward", "left", "right"), OTHER_TIME),
    "places": _fixed(("head", "back", "left hand", "right hand"), OTHER_PART),
    "limbs": _limbs,
    "names": _names,
    "things": _things,
    "colors": _colors,
    "parts": _parts,
}
