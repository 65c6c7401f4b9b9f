"""The choices that a question can have: its answers, and the false ones.

Every choice here is certainly false, and none says the same as the answer, or nearly so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fathom.programs.growths import GROWTHS
from fathom.programs.operators.choosing import truth_of
from fathom.programs.state import ACTS, TOGETHER
from fathom.programs.values import Value, ValueType
from fathom.pronouns import personal, subject_of
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.contexts.animated_limbs import is_limb
from fathom.questions.distractors.sources import (
    ABSENT,
    SOURCES,
    WAYS,
    Option,
    Supply,
    absent_verbs,
    taken_for,
)
from fathom.questions.templates import Fill, Template

_NAMED = {"still limbs": "any limb"}
"""Choices that are limbs → what of them can be named."""

OF_VERBS = ("verbs", "absent verbs", "other verbs")
"""Choices that are actions."""

MOST_COUNTED = 9
"""More of something than this nobody counts while watching."""


def answers_of(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    kind: ValueType,
    value: Value,
    supply: Supply,
) -> list[str]:
    """Return the keys that could be the answer: the value, or each member of a set that can be spoken of."""
    if form.asks == "other verbs":
        return absent_verbs(stage, supply)
    if kind is ValueType.OBJECT:
        return [stage.labels[value]] if stage.labels[value] else []
    if kind is ValueType.OBJECTS:
        keys = [(stage.labels[k], k) for k in value]
        told = _tell_colors(stage, form, fills)
        return [s for s, k in keys if s and s not in told and truth_of(stage.timeline, kind, value, s).holds]
    if kind is ValueType.EVENTS:
        if form.asks == "absent verbs":
            return list(stage.plain_verbs)
        found = [h.key for h in stage.single_events]
        return [k for k in found if truth_of(stage.timeline, kind, value, k).holds]
    if kind is ValueType.PARTS:
        words = {f.key for f in stage.fills(_NAMED.get(form.asks, "part"))}
        return [v for v in value if v in words]
    said = stage.language
    if form.asks == "ways" and "V" in fills and fills["V"].key in said.falls | said.jumps:
        # Of what falls to a side everybody is right who says that it goes down; who jumps crouches first.
        return [value] if value in WAYS[:4] else []
    if kind is ValueType.NUMBER:
        return [str(value)] if form.least <= value <= MOST_COUNTED else []
    return [value] if value not in form.never else []


def _tell_colors(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill]) -> frozenset[str]:
    """Return the names that say a color, where it is asked which object has one: nobody need look."""
    if form.asks != "things" or "C" not in fills:
        return frozenset()
    timeline = stage.timeline
    return frozenset(k for k, names in zip(timeline.keys, timeline.names, strict=True) if k not in names)


def pool(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    kind: ValueType,
    value: Value,
    answer: str,
    supply: Supply,
) -> tuple[Option, ...]:
    """Return the false choices that a question can have, each once; () where the answer cannot be said."""
    text = text_of(stage, form, answer)
    if not text:
        return ()
    mentioned = named_in(form, fills)
    busy = {key.split(":")[1] for key in mentioned if ":" in key}
    told = _tell_colors(stage, form, fills)
    found: dict[str, Option] = {}
    for key, source in SOURCES[form.asks](stage, form, fills, answer, supply):
        said = text_of(stage, form, key)
        if not said or key in found or key == answer or key in mentioned or said == text or key in told:
            continue
        # What is said of an object that the question speaks of could be ruled out without looking.
        if form.asks == "happenings" and key.split(":")[1] in busy:
            continue
        if kind in (ValueType.OBJECTS, ValueType.EVENTS, ValueType.PARTS):
            ratio = truth_of(stage.timeline, kind, value, key).ratio
            if ratio > -1 if not form.other else ratio < 1:
                continue
        alike = taken_for(stage, key) if form.asks in OF_VERBS else frozenset[str]()
        found[key] = Option(key, said, source, alike)
    happen = sum(o.source != ABSENT for o in found.values())
    # What is first or next of things that hardly any of happen tells nothing.
    return tuple(found.values()) if form.asks != "happenings" or happen >= form.near else ()


def named_in(form: Template, fills: Mapping[str, Fill]) -> set[str]:
    """Return the keys that a question's words name: no choice may be one of them."""
    out: set[str] = set()
    for slot, fill in fills.items():
        if form.slots[slot] in ("verb", "color", "event", "part", "name"):
            out.add(fill.key)
        out.update(fill.names)
    return out if form.asks != "own happenings" else set()


def text_of(stage: AnimatedContext, form: Template, key: str) -> str:
    """Return a choice's text, "" where it cannot be said."""
    said = personal(_SAID.get(form.asks, _plain)(stage, key), stage.actor)
    return said[:1].upper() + said[1:]


# How keys are said


def _plain(stage: AnimatedContext, key: str) -> str:
    return key


def _said_verb(stage: AnimatedContext, key: str) -> str:
    return stage.verbs[key].ing if stage.can_say(key) else ""


def _said_happening(stage: AnimatedContext, key: str) -> str:
    for h in stage.timeline.happenings:
        if h.key == key and h.what != ACTS:
            return stage.clause(h) if stage.subject(h) else ""
        if h.key == key:
            return f"the {stage.actor} {stage.verbs[key].third}" if stage.can_say(key) else ""
    what, _, rest = key.partition(":")
    obj, _, detail = rest.partition(":")
    fitting = [k for k in range(1, len(stage.labels)) if stage.timeline.keys[k] == obj]
    label = stage.labels[fitting[0]] if len(fitting) == 1 else ""
    return (
        f"the {label} {stage.language.verb_phrase(stage.language.is_many(label), what, detail)}"
        if label
        else ""
    )


def _said_order(stage: AnimatedContext, key: str) -> str:
    """Return clauses in their order; the actor is named again only where something else came in between."""
    keys = key.split(">")
    clauses = [_said_happening(stage, k) for k in keys]
    for k in range(len(keys) - 1, 0, -1):
        if not any(":" in own for own in keys[k - 1 : k + 1]):
            clauses[k] = clauses[k].removeprefix(f"the {stage.actor} ")
    return ", then ".join(clauses) if all(clauses) else ""


def _said_sequence(stage: AnimatedContext, key: str) -> str:
    keys = key.split(">")
    if not all(stage.can_say(k) for k in keys) or stage.language.falls & set(keys):
        return ""
    return ", then ".join(stage.verbs[k].ing for k in keys)


def _said_deeds(stage: AnimatedContext, key: str) -> str:
    keys = key.split(TOGETHER)
    if not all(stage.can_say(k) and " and " not in stage.verbs[k].third for k in keys):
        return ""
    *others, last = (stage.verbs[k].third for k in keys)
    return f"{subject_of(stage.actor)} {', '.join(others)} and then {last}"


def _said_name(stage: AnimatedContext, key: str) -> str:
    return stage.language.with_article(key)


def _said_object(stage: AnimatedContext, key: str) -> str:
    return f"the {key}"


def _said_side(stage: AnimatedContext, key: str) -> str:
    return stage.language.sides.get(key, "").format(actor=stage.actor)


def _said_way(stage: AnimatedContext, key: str) -> str:
    return stage.language.ways.get(key, "").format(actor=stage.actor)


def _said_view(stage: AnimatedContext, key: str) -> str:
    return stage.language.views.get(key, "")


def _said_own(stage: AnimatedContext, key: str) -> str:
    what, _, rest = key.partition(":")
    return f"it {stage.language.verb_phrase(False, what, rest.partition(':')[2])}"


def _said_goes(stage: AnimatedContext, key: str) -> str:
    return stage.language.goes.get(key, "")


def _said_shift(stage: AnimatedContext, key: str) -> str:
    return stage.language.shifts.get(key, "")


def _said_limb_place(stage: AnimatedContext, key: str) -> str:
    return stage.language.limb_places.get(key, "")


def _said_line(stage: AnimatedContext, key: str) -> str:
    return stage.language.lines.get(key, "")


def _said_course(stage: AnimatedContext, key: str) -> str:
    return stage.language.courses.get(key, "")


def _said_limb(stage: AnimatedContext, key: str) -> str:
    return f"its {key}" if is_limb(key) else ""


def _said_seen_way(stage: AnimatedContext, key: str) -> str:
    return stage.language.seen_ways.get(key, "")


def _said_place_reached(stage: AnimatedContext, key: str) -> str:
    return stage.language.places_reached.get(key, "")


def _said_part(stage: AnimatedContext, key: str) -> str:
    word = stage.scene.objects[0].parts.get(key, {}).get("word", "")
    return f"its {word}" if word else ""


def _said_growth(stage: AnimatedContext, key: str) -> str:
    return GROWTHS[key].plural


def _said_growing_place(stage: AnimatedContext, key: str) -> str:
    said = stage.language.growing_places.get(key, "")
    place = stage.growing_place(key)
    return said if place == key else "on top" if place == "top" else f"on its {place}"


def _said_colors(stage: AnimatedContext, key: str) -> str:
    *others, last = key.split(TOGETHER)
    return f"{', '.join(others)} and {last}" if others else f"only {last}"


def _said_side_counts(stage: AnimatedContext, key: str) -> str:
    said = (own.split("=") for own in key.split(TOGETHER))
    return " and ".join(f"{many} {_said_growing_place(stage, place)}" for place, many in said)


_SAID: Mapping[str, Callable[[AnimatedContext, str], str]] = {
    "verbs": _said_verb, "absent verbs": _said_verb, "other verbs": _said_verb,
    "happenings": _said_happening, "orders": _said_order, "names": _said_name, "things": _said_object,
    "sides": _said_side, "ways": _said_way, "goes": _said_goes, "limbs": _said_limb, "parts": _said_part,
    "group limbs": _said_limb, "growths": _said_growth, "growing places": _said_growing_place,
    "color sets": _said_colors, "side counts": _said_side_counts,
    "shifts": _said_shift, "limb places": _said_limb_place,
    "still limbs": _said_limb, "sequences": _said_sequence, "deeds": _said_deeds,
    "lines": _said_line,
    "courses": _said_course, "views": _said_view,
    "own happenings": _said_own,
    "seen ways": _said_seen_way, "places reached": _said_place_reached,
}  # fmt: skip
