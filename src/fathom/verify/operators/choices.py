"""What an animation's objects and events are called, and the last step: which of the choices it is."""

from __future__ import annotations

from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.events import ACTS
from fathom.verify.registry import ANIMATION, Act, Attempt, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import EventRef, EventSet, ObjectRef, ObjectSet, PartSet, Value, text_of

Animated = Attempt[ObservedAnimation]

LEANS_DEG = 30.0
"""From how far on an actor leans, it has no left and no front that all would agree on."""


def upright(film: ObservedAnimation, first: int, last: int) -> None:
    """Raise InsufficientEvidence where the actor leans between two of the frames looked at."""
    if max(film.leans_deg[first : last + 1], default=0.0) > LEANS_DEG:
        raise InsufficientEvidence


def event_key(film: ObservedAnimation, index: int) -> str | None:
    """Return the key of an event, None where it cannot be told."""
    h = film.happenings[index]
    if h.what == ACTS:
        return h.detail
    obj, _ = film.keys[h.object_id]
    if obj is None or h.detail is None or h.detail.endswith("None"):
        return None
    return f"{h.what}:{obj}:{h.detail}" if h.detail else f"{h.what}:{obj}"


def event_fits(attempt: Animated, index: int, key: str) -> bool:
    """Return whether an event has a key."""
    film = attempt.observed
    own = event_key(film, index)
    if own is None:
        h = film.happenings[index]
        # What kind of object happens is known even where its particulars are not.
        could = (":" not in key) if h.what == ACTS else key.startswith(f"{h.what}:")
        return attempt.holds(None if could else False, "key", index, key)
    plain = own.replace(f":{film.main}=", ":") if film.main else own
    return key in (own, plain)


def object_fits(attempt: Animated, index: int, key: str) -> bool:
    """Return whether an object's key, or its name when it is first there, is this one."""
    own, name = attempt.observed.keys[index]
    if key in (name, own):
        return True
    complete = own is not None and name is not None
    return attempt.holds(False if complete else None, "fits", index, key)


def known(word: str | None) -> str:
    """Return a word. Raises InsufficientEvidence where it could not be told, NoAnswer where there is none."""
    if word is None:
        raise InsufficientEvidence
    if not word:
        raise NoAnswer
    return word


def _fits(attempt: Animated, value: Value, key: str) -> bool:
    """Return whether a key is the value, is among it, or fits it."""
    if isinstance(value, ObjectRef):
        return object_fits(attempt, value.index, key)
    if isinstance(value, ObjectSet):
        return any(object_fits(attempt, k, key) for k in value.members)
    if isinstance(value, EventRef):
        return event_fits(attempt, value.index, key)
    if isinstance(value, EventSet):
        return any(event_fits(attempt, k, key) for k in value.members)
    if isinstance(value, PartSet):
        return key in value.members
    return text_of(value) == key


def _choose(wanted: bool) -> Act:
    def run(attempt: Animated, inputs: list[Value], args: tuple[str, ...]) -> str:
        found = [key for key in args if _fits(attempt, inputs[0], key) == wanted]
        if len(found) != 1:
            raise NoAnswer
        return found[0]

    return run


declare(ANIMATION, {"choose": _choose(True), "choose_other": _choose(False)})
