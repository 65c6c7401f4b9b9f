"""Reading the sentences of a built 3DSRBench back, by a grammar that shares no table with the writer.

Each wording is a pattern of its own. What is read is the type, whom it speaks of, and what the options say;
it is compared with the operator, the objects and the answer of the question.

Ref: 3DSRBench §3.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fathom.records import (
    ContradictionError,
    Question,
    Scene,
    SceneObject,
    TextReading,
    UnreadableError,
    reading_of,
)

DRESSED = ("man", "woman", "person", "cyclist")
"""Whose colour is that of their clothes: the man in red."""

NAME = r"(the [a-z][a-z -]*?)"

PATTERNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "which is higher": (
            f"think of where things really are, not of the picture. which is higher up, {NAME} or {NAME}",
            "really, and not in the picture: whose middle is higher above the ground, "
            f"that of {NAME} or that of {NAME}",
        ),
        "is it above": (
            f"think of where things are in the room. is {NAME} directly above {NAME}",
            f"seen from straight above, would {NAME} lie over {NAME}, with {NAME} below it",
        ),
        "which is closer to the camera": (
            f"which is closer to the camera that took this picture, {NAME} or {NAME}",
            f"from where this picture was taken, is it a shorter way to {NAME} or to {NAME}",
        ),
        "are they together": (
            f"are {NAME} and {NAME} really next to each other or far apart",
            f"think of where things really are. are {NAME} and {NAME} next to each other, or are they far "
            "apart",
        ),
        "in front or behind": (
            f"from the point of view of {NAME}: is {NAME} in front or behind",
            f"think of where {NAME} faces. is {NAME} on that side, or behind",
        ),
        "left or right": (
            f"from the point of view of {NAME}: is {NAME} on the left or on the right",
            f"if you were where {NAME} is and faced the same way, would {NAME} be to your left or to your "
            "right",
        ),
        "side to the camera": (
            f"which side of {NAME} faces the camera. left and right are those of whoever faces the same way",
            f"think of the four sides of {NAME}, left and right as for whoever faces the same way. from "
            "which of them was this picture taken",
        ),
        "which is closer to it": (
            f"think of where things really are. what is {NAME} closer to, {NAME} or {NAME}",
            f"which of the two is really nearer to {NAME}, and not only in the picture: {NAME} or {NAME}",
        ),
        "which does it face": (
            f"what does the front of {NAME} point towards, {NAME} or {NAME}",
            f"which of the two does {NAME} face: {NAME} or {NAME}",
        ),
        "side to the other": (
            f"which side of {NAME} faces {NAME}. left and right are those of whoever faces the same way",
            f"think of the four sides of {NAME}, left and right as for whoever faces the same way. on "
            f"which of them is {NAME}",
        ),
        "parallel or across": (
            f"seen from above, are {NAME} and {NAME} turned parallel to each other or at right angles",
            f"do the fronts of {NAME} and {NAME} point along the same line, or at right angles to each other",
        ),
        "same way or not": (
            f"do {NAME} and {NAME} face the same way or very different ways",
            f"do the fronts of {NAME} and {NAME} point the same way, or very different ways",
        ),
        "which is lower": (
            f"think of where things really are, not of the picture. which is lower down, {NAME} or {NAME}",
            f"really, and not in the picture: does {NAME} or {NAME} have its middle lower above the ground",
        ),
        "is it below": (
            f"think of where things are in the room. is {NAME} directly below {NAME}",
            f"seen from straight above, would {NAME} lie under {NAME}, with {NAME} above it",
        ),
        "which is farther from the camera": (
            f"which is farther from the camera that took this picture, {NAME} or {NAME}",
            f"from where this picture was taken, is it a longer way to {NAME} or to {NAME}",
        ),
        "are they far apart": (
            f"are {NAME} and {NAME} really far apart, rather than next to each other",
            f"think of where things really are. are {NAME} and {NAME} far apart, and not next to each other",
        ),
        "is it behind": (
            f"from the point of view of {NAME}: is {NAME} behind, and not in front",
            f"think of where {NAME} faces. is {NAME} on the other side, at the back",
        ),
        "is it to the right": (
            f"from the point of view of {NAME}: is {NAME} on the right, and not on the left",
            f"if you were where {NAME} is and faced the same way, would {NAME} be to your right",
        ),
        "which is farther from it": (
            f"think of where things really are. what is {NAME} farther from, {NAME} or {NAME}",
            f"which of the two is really farther from {NAME}, and not only in the picture: {NAME} or {NAME}",
        ),
    }
)
"""What a sentence asks → its wordings, in small letters, every sentence with a full stop but the last."""

ORDERS: Mapping[str, tuple[tuple[int, ...], ...]] = MappingProxyType(
    {
        "is it above": ((0, 1), (0, 1)),
        "in front or behind": ((1, 0), (1, 0)),
        "left or right": ((1, 0), (1, 0)),
        "is it below": ((0, 1), (0, 1)),
        "is it behind": ((1, 0), (1, 0)),
        "is it to the right": ((1, 0), (1, 0)),
    }
)
"""What is asked → for each wording, at which place a program's objects stand in it; else in their order."""


@dataclass(frozen=True)
class TypeMeaning:
    """What a question of a program means in words: what it asks, and which option says which outcome.

    `places` are the program's objects that an outcome names; `words` what it says otherwise.
    """

    asks: str
    words: Mapping[str, str]
    places: Mapping[str, int]


def _said(asks: str, **words: str) -> TypeMeaning:
    return TypeMeaning(asks, words, {})


def _named(asks: str, first: int, second: int) -> TypeMeaning:
    return TypeMeaning(asks, {}, {"first": first, "second": second})


_SIDES = {side: side for side in ("front", "left", "back", "right")}

MEANINGS: Mapping[str, TypeMeaning] = MappingProxyType(
    {
        "higher_of": _named("which is higher", 0, 1),
        "above": _said("is it above", yes="yes", no="no"),
        "nearer_of": _named("which is closer to the camera", 0, 1),
        "next_to": _said("are they together", near="next to each other", far="far apart"),
        "front_of": _said("in front or behind", front="in front", behind="behind"),
        "left_of": _said("left or right", left="left", right="right"),
        "side_seen": _said("side to the camera", **_SIDES),
        "closer_of": _named("which is closer to it", 1, 2),
        "faces_of": _named("which does it face", 1, 2),
        "side_towards": _said("side to the other", **_SIDES),
        "parallel": TypeMeaning(
            "parallel or across", {"parallel": "parallel", "right angles": "at right angles"}, {}
        ),
        "same_direction": _said("same way or not", same="the same way", different="very different ways"),
        "lower_of": _named("which is lower", 0, 1),
        "below": _said("is it below", yes="yes", no="no"),
        "farther_of": _named("which is farther from the camera", 0, 1),
        "far_apart": _said("are they far apart", yes="yes", no="no"),
        "behind_of": _said("is it behind", yes="yes", no="no"),
        "right_of": _said("is it to the right", yes="yes", no="no"),
        "farther_from": _named("which is farther from it", 1, 2),
    }
)
"""A program's last operator → what words have to say."""

TASK_OF: Mapping[str, str] = MappingProxyType(
    {
        "higher_of": "height_higher",
        "above": "location_above",
        "nearer_of": "location_closer_to_camera",
        "next_to": "location_next_to",
        "front_of": "orientation_in_front_of",
        "left_of": "orientation_on_the_left",
        "side_seen": "orientation_viewpoint",
        "closer_of": "multi_object_closer_to",
        "faces_of": "multi_object_facing",
        "side_towards": "multi_object_viewpoint_towards_object",
        "parallel": "multi_object_parallel",
        "same_direction": "multi_object_same_direction",
        "lower_of": "height_higher",
        "below": "location_above",
        "farther_of": "location_closer_to_camera",
        "far_apart": "location_next_to",
        "behind_of": "orientation_in_front_of",
        "right_of": "orientation_on_the_left",
        "farther_from": "multi_object_closer_to",
    }
)
"""A program's last operator → the type of question."""


def read_text(question: Question, scene: Scene) -> TextReading:
    """Return whether a question's words and options say what its program asks."""
    return reading_of(lambda: _compare(question, scene))


def _compare(question: Question, scene: Scene) -> None:
    meaning = MEANINGS[question.program[-1].op]
    if TASK_OF[question.program[-1].op] != question.task:
        raise ContradictionError(f"its program does not belong to the type {question.task}")
    asks, names = _read(question.text)
    if asks != meaning.asks:
        raise ContradictionError(f"the words ask {asks!r}, the program {meaning.asks!r}")
    _check_time(question)
    meant = [_selected(question, i) for i in question.program[-1].inputs]
    objects = [_singled_out(name, scene) for name in names]
    wanted = [o for o in meant if o]
    if [o.id for o in objects] != wanted:
        raise ContradictionError(f"the words speak of {', '.join(names)}, the program of {', '.join(wanted)}")
    outcomes = meaning.words or {value: names[k] for value, k in meaning.places.items()}
    meant_by = question.tags.get("options_mean", "").split(", ")
    shown = dict(zip(meant_by, map(str.casefold, question.choices), strict=False))
    if len(meant_by) != len(question.choices) or shown != dict(outcomes):
        raise ContradictionError(
            f"its options are {', '.join(question.choices)}, and are to mean {', '.join(meant_by)}"
        )
    if question.answer not in question.choices:
        raise ContradictionError(f"its answer {question.answer!r} is none of its options")


def _read(text: str) -> tuple[str, list[str]]:
    """Return what a sentence asks, and whom it names in the order of a program. Raises UnreadableError."""
    said = text.casefold().replace("?", ".").removesuffix(".")
    for asks, patterns in PATTERNS.items():
        for number, pattern in enumerate(patterns):
            found = re.fullmatch(pattern.replace(". ", r"\. "), said)
            if found is None:
                continue
            names = list(found.groups())
            if len(names) == 3 and asks in ("is it above", "is it below") and names.pop() != names[1]:
                raise UnreadableError(f"{text!r} names a third object")
            order = ORDERS.get(asks, ())
            return asks, [names[k] for k in order[number]] if order else names
    raise UnreadableError(f"nothing is known of the sentence {text!r}")


PICTURES = ("common", "uncommon", "common-changed", "uncommon-changed")
"""The pictures of a room in the order of their times, a second each."""


def _check_time(question: Question) -> None:
    """Raise ContradictionError where the program looks at another picture than the question shows, or than it
    is counted under.
    """
    at = [float(s.args[0]) for s in question.program if s.op == "at"]
    changed = "-changed" if question.tags.get("room") == "changed" else ""
    counted = question.tags.get("split", "").removeprefix("synthetic-") + changed
    flip = "-flip" if question.tags.get("mirrored") == "yes" else ""
    if not all(m.endswith("-flip") == bool(flip) for m in question.media):
        raise ContradictionError(f"it shows {', '.join(question.media)}, mirrored or not as it must not be")
    shown = [m.removeprefix(f"{question.scene}-").removesuffix("-flip") for m in question.media]
    if counted not in PICTURES or at != [float(PICTURES.index(counted))]:
        raise ContradictionError(f"it is counted as {counted!r}, and its program looks at {at} s")
    if shown not in ([], [counted]):
        raise ContradictionError(f"it is counted as {counted!r}, and shows {', '.join(shown)}")


def _selected(question: Question, step: int) -> str:
    """Return the object that a step selects; "" where it selects none."""
    steps = question.evidence.steps if question.evidence else ()
    found = steps[step] if step < len(steps) else ()
    return found[0] if len(found) == 1 else ""


def _singled_out(name: str, scene: Scene) -> SceneObject:
    """Return the one object of the room that is called so. Raises ContradictionError where it is not one."""
    words = name.removeprefix("the ").casefold()
    found = [o for o in scene.objects if o.category != "structure" and _is_called(words, o)]
    if len(found) != 1:
        raise ContradictionError(f"{len(found)} objects of the room are {name!r}")
    _check_part(words, found[0], scene)
    return found[0]


def _check_part(words: str, obj: SceneObject, scene: Scene) -> None:
    """Raise ContradictionError where words name a part of something, and it is of something else, or where
    they name none, and it is one.
    """
    _, of, whole = words.partition(" of the ")
    wholes = [o for o in scene.objects if o.id == obj.attributes.get("part_of")]
    if bool(of) != bool(wholes) or (wholes and not _is_called(whole, wholes[0])):
        raise ContradictionError(f"{obj.id} is not the {words}")


def _is_called(words: str, obj: SceneObject) -> bool:
    noun = obj.attributes.get("name", obj.category).casefold()
    color = obj.attributes.get("color", "")
    colored: Sequence[str] = (noun, f"{noun} in {color}" if noun in DRESSED else f"{color} {noun}")
    return words in colored
