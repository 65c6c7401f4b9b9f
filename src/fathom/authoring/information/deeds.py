"""What people do in the scene of a picture: hold, sit on, push, walk towards, look at; by the scene's record.

Whom they do it to is told by contacts and ways, with the margins of the built questions: what is on a border
is not said. Of who acts in a video, the record says what they do at the time of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fathom.programs.operators.acting import WALKS as ON_THE_WAY
from fathom.programs.operators.acting import deeds_of
from fathom.programs.operators.contacts import Act, looked_at, pushed_by, sat_on
from fathom.programs.operators.people import (
    HOLDS,
    LIES,
    PUSHES,
    SEATED,
    SITS,
    STANDS,
    WALKS,
    heads_for,
    held_by,
    posture,
)
from fathom.programs.values import Unanswerable
from fathom.programs.views.video import VideoView, video_view
from fathom.records import Scene

HOLDING, TOWARDS, LYING = "holding", "walking towards", "lying on"

TO: Mapping[str, tuple[str, Act]] = MappingProxyType(
    {
        HOLDS: (HOLDING, held_by),
        SEATED: ("sitting on", sat_on),
        PUSHES: ("pushing", pushed_by),
        WALKS: (TOWARDS, heads_for),
        STANDS: ("looking at", looked_at),
    }
)
"""What somebody does in a picture → the words before its object, and what tells that object."""

ALONE: Mapping[str, str] = MappingProxyType(
    {WALKS: "walking", STANDS: "standing", SITS: "sitting on the floor"}
)
"""The same where there is no object, or it is not clear which."""

ACTED_TO: Mapping[str, str] = MappingProxyType(
    {
        "sits": "sitting down on",
        "rises": "getting up from",
        "picks": "picking up",
        "puts": "putting down",
        "pushes": "pushing",
        ON_THE_WAY: TOWARDS,
    }
)
ACTED_ALONE: Mapping[str, str] = MappingProxyType(
    {"waves": "waving", "crouches": "crouching", "stretches": "raising both arms", ON_THE_WAY: "walking"}
)
"""The same of who acts in a video, with an object and without."""


class ToldDeed(NamedTuple):
    """What somebody does, in words, and to what: ids of both; `what` is "" where there is no object."""

    who: str
    words: str
    what: str = ""


def deeds_in(scene: Scene, frame: int) -> list[ToldDeed]:
    """Return what the people of a scene do at a frame, whether they are seen or not."""
    people = [thing.id for thing in scene.objects if thing.attributes.get("does")]
    if not people:
        return []
    view = video_view(scene)
    return [deed for who in people for deed in _deeds(scene, view, view.objects.index(who), frame)]


def _deeds(scene: Scene, view: VideoView, person: int, frame: int) -> Iterator[ToldDeed]:
    if view.acts and view.acts[person]:
        yield from _acted(scene, view, person, float(view.times_s[frame]))
        return
    who = view.objects[person]
    if view.does[person] == LIES:
        on = next(t.attributes.get("stands_on", "") for t in scene.objects if t.id == who)
        yield from [ToldDeed(who, LYING, on)] * (on in view.objects)
        return
    try:
        does = str(posture(view, person, frame).value)
    except Unanswerable:
        return
    if does in TO and (what := _object(TO[does][1], view, person, frame)):
        yield ToldDeed(who, TO[does][0], what)
    elif does in ALONE:
        yield ToldDeed(who, ALONE[does])


def _object(act: Act, view: VideoView, person: int, frame: int) -> str:
    """Return the id of what somebody has to do with; "" where that is none, or within a tolerance."""
    try:
        found = act(view, person, frame)
    except Unanswerable:
        return ""
    return str(found.value) if found.truth.ratio >= 1 and found.value in view.objects else ""


def _acted(scene: Scene, view: VideoView, person: int, now_s: float) -> Iterator[ToldDeed]:
    """Yield what who acts does at a time, in seconds, and what they hold then."""
    who, every = view.objects[person], deeds_of(view, person)
    held = next((t.id for t in scene.objects if t.attributes.get("stands_on") == "hand"), "")
    for deed in every:
        what = view.objects[deed.obj] if deed.obj >= 0 else ""
        if deed.begin_s <= now_s <= deed.end_s:
            if what and deed.deed in ACTED_TO:
                yield ToldDeed(who, ACTED_TO[deed.deed], what)
            elif deed.deed in ACTED_ALONE:
                yield ToldDeed(who, ACTED_ALONE[deed.deed])
            held = "" if deed.deed in ("picks", "puts") else held
        elif deed.end_s < now_s and deed.deed in ("picks", "puts"):
            held = what if deed.deed == "picks" else ""
    if held:
        yield ToldDeed(who, HOLDING, held)
