"""`boxes`: sees boxes in the picture and nothing of the room, as COCO's instances give them.

    instances    the file: boxes:instances=FILE

It says that higher in the picture is higher, lower is nearer, near is near, left is left, and that whatever
has a front shows it. An object is known by its category, where the question names that and the picture has
one box of it. Of any other question it says that it cannot tell, so that its accuracy among what it answered
is what to compare with chance: whoever is no better has not understood the scene.

Ref: 3DSRBench §3.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from fathom.formats.coco_instances import AnnotatedPhotos, Box, read_instances
from fathom.inference.backend import Context, Scalar, read_options
from fathom.inference.models.random import spoken
from fathom.questions.picture_guesser import guessed
from fathom.records import InputError, Request, Response, UnansweredQuestion

CANNOT_TELL = "I cannot tell."

OPERATORS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "height_higher": ("higher_of", "lower_of", "lower"),
        "location_above": ("above", "below", "below|under|beneath"),
        "location_closer_to_camera": ("nearer_of", "farther_of", "farther|further|longer way"),
        "location_next_to": ("next_to", "", ""),
        "orientation_in_front_of": ("front_of", "", ""),
        "orientation_on_the_left": ("left_of", "", ""),
        "orientation_viewpoint": ("side_seen", "", ""),
        "multi_object_closer_to": ("closer_of", "farther_from", "farther|further"),
        "multi_object_facing": ("faces_of", "", ""),
        "multi_object_viewpoint_towards_object": ("side_towards", "", ""),
        "multi_object_parallel": ("parallel", "", ""),
        "multi_object_same_direction": ("same_direction", "", ""),
    }
)
"""Type → what is asked of boxes, its opposite, as programs call them, and the words that ask that."""

SEVERAL = {"multi_object_closer_to": 3, "multi_object_facing": 3, "orientation_viewpoint": 1}
"""Type → how many objects its questions speak of; else two."""

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "near": "next to|near|close|beside", "far": "far", "front": "front", "behind": "behind",
        "left": "left", "right": "right", "back": "back", "parallel": "parallel|same line",
        "right angles": "right angle|perpendicular", "same": "same|similar",
        "different": "different|opposite", "yes": "yes", "no": "no",
    }
)  # fmt: skip
"""What boxes suggest → the words of the option that says so."""

OTHER = {"near": "far", "front": "behind", "left": "right", "parallel": "right angles", "same": "different"}
"""Of answers that are opposites: the first, and the second."""

FROM_THE_SECOND = re.compile(r"(point of view of|position of|you were|you sat where|has a front)")
"""Words behind which the object comes first whose sides are meant."""


class BoxesBackend:
    """Answers from the boxes of a picture; says so where they do not tell."""

    name = "boxes"
    revision = "1"
    notes: tuple[str, ...] = ()

    def __init__(self, found: AnnotatedPhotos, file: str) -> None:
        self.parameters: Mapping[str, Scalar] = {"instances": file}
        self._boxes = {
            PurePosixPath(name).stem: (size, objects) for name, (size, objects) in found.photos.items()
        }

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        """Return the answer to each request."""
        return [spoken(r, self.name, self._said(r.asked), "computed") for r in requests]

    def _said(self, asked: UnansweredQuestion) -> str:
        known = next((self._boxes[s] for m in asked.media if (s := _stem(m)) in self._boxes), None)
        if known is None or asked.task not in OPERATORS:
            return CANNOT_TELL
        (width, height), objects = known
        flipped = asked.id.endswith("-flip")
        by_label: dict[str, list[Box]] = {}
        for o in objects:
            left, top, right, bottom = o.box
            left, right = (1 - right, 1 - left) if flipped else (left, right)
            by_label.setdefault(o.label.casefold(), []).append(
                (left * width, top * height, right * width, bottom * height)
            )
        return suggested(asked, by_label) or CANNOT_TELL


def _stem(media: str) -> str:
    return PurePosixPath(media).name.partition(".")[0].removesuffix("~mirrored").removesuffix("-mirrored")


def suggested(asked: UnansweredQuestion, boxes: Mapping[str, Sequence[Box]]) -> str:
    """Return the option that boxes suggest, by label; "" where they do not tell whom the question means."""
    op, opposite, turned = OPERATORS[asked.task]
    text = asked.text.casefold()
    named = [_label(option, boxes) for option in asked.choices]
    of_options = len(asked.choices) == 2 and all(named) and named[0] != named[1]
    mentioned = _in_order(text, boxes)
    if of_options:
        others = [m for m in mentioned if m not in named]
        who = [*others[: SEVERAL.get(asked.task, 2) - 2], *named]
    else:
        who = mentioned[::-1] if FROM_THE_SECOND.search(text) else mentioned
    if len(who) != SEVERAL.get(asked.task, 2) or any(len(boxes[w]) != 1 for w in who):
        return ""
    asks_opposite = bool(opposite and re.search(rf"\b({turned})\b", text))
    value = guessed(opposite if asks_opposite else op, [boxes[w][0] for w in who])
    if of_options:
        return asked.choices[0] if value == "first" else asked.choices[1]
    return _option(asked.choices, value, text)


def _label(phrase: str, boxes: Mapping[str, Sequence[Box]]) -> str:
    """Return the one category that a phrase names, "" where it names none or several."""
    found = _in_order(phrase.casefold(), boxes)
    return found[0] if len(found) == 1 else ""


def _in_order(text: str, boxes: Mapping[str, Sequence[Box]]) -> list[str]:
    """Return the categories that a text names, in the order of their first mention, longer ones first."""
    found, left = {}, text
    for label in sorted(boxes, key=lambda name: (-len(name), name)):
        match = re.search(rf"\b{re.escape(label)}\b", left)
        if match:
            found[label] = match.start()
            left = re.sub(rf"\b{re.escape(label)}\b", lambda m: " " * len(m.group()), left)
    return sorted(found, key=lambda label: found[label])


def _option(choices: Sequence[str], value: str, text: str) -> str:
    """Return the option that says what boxes suggest; of yes and no, whether the question says so itself."""
    fitting = [c for c in choices if re.search(rf"\b({WORDS.get(value, value)})", c.casefold())]
    if len(fitting) == 1:
        return fitting[0]
    if {c.casefold() for c in choices} != {"yes", "no"}:
        return ""
    pairs = {**OTHER, **{b: a for a, b in OTHER.items()}}
    says = [v for v in (value, pairs.get(value, "")) if v and re.search(rf"\b({WORDS[v]})", text)]
    wanted = "yes" if says[:1] == [value] else "no" if says else ""
    return next((c for c in choices if c.casefold() == wanted), "")


def open_boxes(target: str, options: Mapping[str, str], context: Context) -> BoxesBackend:
    """Return the player with the boxes of a file. Raises InputError where none is named or it is none."""
    file = str(read_options(options, {"instances": str}, "boxes").get("instances", ""))
    if not file:
        raise InputError("--model boxes: expected COCO's instances, as boxes:instances=FILE")
    return BoxesBackend(read_instances(Path(file)), Path(file).name)
