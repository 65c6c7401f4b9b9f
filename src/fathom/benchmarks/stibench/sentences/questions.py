"""The grammar of questions: from the words of a text to the quantity, the bodies and the times that it names.

Times are taken out of a text first, then the sentences beside the question (`remarks`); what is left has to
be a question that is known, from its first word to its last.
"""

from __future__ import annotations

import re
from dataclasses import replace

from fathom.benchmarks.stibench.sentences.meaning import CAMERA, AskedQuantity, Body, TextMeaning, in_order
from fathom.benchmarks.stibench.sentences.naming import Names, read_name
from fathom.benchmarks.stibench.sentences.remarks import take_remarks
from fathom.records import ContradictionError, UnreadableError

_SECONDS = r"(\d+(?:\.\d+)?) ?(?:seconds|s)\b"
_SPAN = re.compile(rf",? ?\bbetween {_SECONDS} and {_SECONDS}", re.IGNORECASE)
_TIME = re.compile(rf",? ?\bat {_SECONDS}", re.IGNORECASE)
_WHERE_IT_WAS = re.compile(rf"\bfrom where it was at {_SECONDS}", re.IGNORECASE)

_THING = r"(the (?:(?! and )[^,?:()])+?)"
_MEASURED = r"measured over the (\S+ s|second) around that time"
_AXES = r"\((x \w+, y \w+, z \w+), in meters\)"
_THEN = rf"in the frame of the camera at that time {_AXES}"
_AT_THE_START = r"the camera at the start of the video"
_EXTRA = r"(?:, its handles?(?: and spout)? included)?"

RULES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("extent up", "", (
        r"how (?:high|tall) is <x>, from its underside straight up to its top",
        r"what is the height of <x>, measured straight up from its underside to its top",
    )),
    ("extent front", "", (
        r"how (?:deep|long) is <x>, from its front to its back",
        r"what is the (?:depth|length) of <x>, measured from (?:its )?front to (?:its )?back",
    )),
    ("extent longer", "", (
        rf"how long is <x>, measured along its longer horizontal side{_EXTRA}",
        rf"what is the length of the longer horizontal side of <x>{_EXTRA}",
        rf"(?:how long is <x>|what is the length of <x>), measured horizontally where it is longest{_EXTRA}",
    )),
    ("extent side", "", (
        r"how wide is <x>, from its left side to its right side",
        r"what is the width of <x>, measured across its front",
    )),
    ("extent shorter", "", (
        r"how wide is <x>, measured along its shorter horizontal side",
        r"what is the length of the shorter horizontal side of <x>",
    )),
    ("extent across", "", (
        r"how wide is <x> across, from one side to the opposite one",
        r"what is the width of <x>, from one side to the opposite one",
    )),
    ("centres apart", "at", (
        r"how far apart are the centers of <x> and <x>",
        r"what is the distance between the center of <x> and that of <x>",
        r"how far is (the camera) from the center of <x>",
        r"what is the distance from (the camera) to the center of <x>",
    )),
    ("boxes apart", "at", (
        r"how wide is the gap between <x> and <x>, from one bounding box to the other",
        r"what is the shortest distance between the bounding boxes of <x> and <x>",
    )),
    ("nearest approach", "span", (
        r"how near does (the camera) come to the center of <x>",
        r"what is the smallest distance between (the camera) and the center of <x>",
    )),
    ("direction to the first", "at", (
        r"as the camera sees it, in which direction from <x> does <x> mainly lie",
    )),
    ("direction", "at", (
        r"where is <x>, relative to <x>\? name the main direction, as the camera sees it",
    )),
    ("order left to right", "at", (
        r"from left to right, in which order are <x>, <x> and <x>, as the camera sees them",
        r"the camera sees <x>, <x> and <x>\. in which order are these, from left to right",
    )),
    ("order near to far", "at", (
        r"in which order are <x>, <x> and <x> by their distance from the camera, the nearest first",
        r"sort <x>, <x> and <x> by their distance from the camera, the nearest first",
    )),
    ("centre", "at", (
        rf"where is the center of (?:the 3d bounding box of )?<x>, {_THEN}",
    )),
    ("box", "at", (
        rf"(?:what|which of these) is the 3d bounding box of <x>, {_THEN}",
    )),
    ("box in the first frame", "at", (
        rf"what is the 3d bounding box of <x>, in the frame of {_AT_THE_START} {_AXES}",
        rf"take {_AT_THE_START} as the frame {_AXES}\. which 3d bounding box does <x> have",
    )),
    ("displacement", "from to", (
        r"how far is <x> from where it was, in a straight line",
    )),
    ("displacement", "span", (
        r"what is the displacement of <x>: how far apart are its first and last place",
        r"what is (the camera)'s displacement: how far apart are its first and last place",
    )),
    ("path", "span", (
        r"how long is the path of <x>",
        r"what distance does <x> cover along its way",
    )),
    ("mean speed", "span", (
        r"what is the average speed of <x> \(path length ÷ time\)",
        r"how fast is <x> on average,? along its path(?: \(path length ÷ time\))?",
    )),
    ("mean velocity", "span", (
        r"what is the magnitude of (the camera)'s mean velocity \(displacement ÷ time\)",
        r"what is (the camera)'s displacement, divided by the time that passes",
    )),
    ("speed", "at", (
        rf"how fast is <x>(?: moving)?, {_MEASURED}",
        rf"what is the speed of <x>, {_MEASURED}",
    )),
    ("mean change of speed", "span", (
        r"what is the mean acceleration of <x> \(change of speed ÷ time\)",
        r"what is (the camera)'s mean acceleration \(change of speed ÷ time\)",
        r"by how much does the speed of <x> change per second, on average",
        r"by how much does (the camera)'s speed change per second, on average",
    )),
    ("change of speed", "at", (
        rf"what is (the camera)'s acceleration along its path, {_MEASURED}",
        rf"by how much does (the camera)'s speed change per second, {_MEASURED}",
    )),
    ("pan to a side", "span", (
        r"to which side, and by how many degrees, does the camera's horizontal viewing direction turn",
        r"by how many degrees does the camera pan, and to which side",
        r"by how many degrees to the <side> does the camera's horizontal viewing direction turn",
        r"by how many degrees does the camera pan to the <side>",
    )),
    ("pan with a sign", "span", (
        r"by how many degrees does the camera's horizontal viewing direction change",
        r"by how many degrees does the camera pan",
    )),
    ("trajectory", "span", (
        r"which of these describes (the camera)'s trajectory",
        r"how does (the camera) move",
    )),
    ("trajectory from above", "span", (
        r"which of these describes the path of <x>, as seen from above",
        r"how does <x> move, as seen from above",
    )),
    ("pose", "at", (
        r"what is the camera's pose",
        r"where is the camera, and how is it turned",
    )),
)  # fmt: skip
"""(what is asked, which times it needs, the words): `<x>` is a body, `<side>` left or right. Times and
remarks are gone, and all letters small."""


def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(words.replace("<x>", _THING).replace("<side>", "(left|right)"))


_GRAMMAR = tuple((what, when, _compiled(words)) for what, when, several in RULES for words in several)


_BRITISH = re.compile(r"\b(?:centres?|(?:centi|milli)?metres)\b")
"""Words that datasets of versions before 7 spell otherwise."""


def read_words(text: str, names: Names) -> TextMeaning:
    """Return what a text asks. Raises UnreadableError where it is not known, ContradictionError where it
    contradicts itself.
    """
    plain = _BRITISH.sub(lambda word: word[0].replace("re", "er"), names.plainly(text))
    core, remarks = take_remarks(_one_camera(plain, names))
    core, found = _without_times(core)
    core = core.casefold().strip().rstrip("?.")
    for what, when, words in _GRAMMAR:
        match = words.fullmatch(core)
        if match is not None:
            groups = [g for g in match.groups() if g is not None]
            return _said(what, _moment(what, when, found), groups, names, remarks)
    raise UnreadableError(f"no question is known that reads {core!r}")


def _one_camera(text: str, names: Names) -> str:
    """Return a text in which the camera that films is "the camera"; it has another name where another camera
    is there.
    """
    plain = re.search(r"\b(the|that) camera\b", text, re.IGNORECASE)
    filming = re.search(r"\b(the|that) filming camera\b", text, re.IGNORECASE)
    if (plain and names.has_camera) or (filming and not names.has_camera):
        raise ContradictionError(
            "the camera that films must be told from those that it films, and only where there are any"
        )
    return re.sub(r"\b(the|that) filming camera\b", r"\1 camera", text, flags=re.IGNORECASE)


def _without_times(text: str) -> tuple[str, dict[str, list[float]]]:
    """Return a text without its times, and the times: the ends of spans, times, and where something was."""
    found: dict[str, list[float]] = {"span": [], "at": [], "from": []}
    text = _WHERE_IT_WAS.sub(lambda m: _kept(found["from"], m, "from where it was"), text)
    text = _SPAN.sub(lambda m: _kept(found["span"], m, ""), text)
    text = _TIME.sub(lambda m: _kept(found["at"], m, ""), text)
    # Where a sentence began with its time, a comma is left.
    text = re.sub(r"(^|[.?]) ?, *", lambda m: f"{m[1]} " if m[1] else "", text)
    return re.sub(r" +", " ", text), found


def _kept(into: list[float], match: re.Match[str], left: str) -> str:
    into += [float(g) for g in match.groups()]
    return left


def _moment(what: str, when: str, found: dict[str, list[float]]) -> tuple[float, ...]:
    """Return the time or the span of a question. Raises UnreadableError where it needs others."""
    wanted = {"": (0, 0, 0), "at": (0, 1, 0), "span": (2, 0, 0), "from to": (0, 1, 1)}[when]
    if tuple(len(found[k]) for k in ("span", "at", "from")) != wanted:
        raise UnreadableError(f"{what}: not the times that it needs, but {found}")
    return (*found["from"], *found["at"], *found["span"])


def _said(
    what: str, moment: tuple[float, ...], groups: list[str], names: Names, remarks: dict[str, str]
) -> TextMeaning:
    asked = AskedQuantity(what, moment=moment)
    side, bodies = "", []
    for group in groups:
        if group in ("left", "right"):
            side = group
        elif group.startswith("x "):
            asked = replace(asked, frame=group)
        elif group == "second" or re.fullmatch(r"[\d.]+ s", group):
            asked = replace(asked, window_s=1.0 if group == "second" else float(group.removesuffix(" s")))
        else:
            bodies.append(_body(group, names))
    if what == "direction to the first":
        asked = replace(asked, what="direction")
        bodies.reverse()
    return TextMeaning(replace(asked, bodies=in_order(what, tuple(bodies))), side, remarks)


def _body(text: str, names: Names) -> Body:
    return CAMERA if text == CAMERA else read_name(text, names)
