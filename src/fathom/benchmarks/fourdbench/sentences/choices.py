"""What each choice says, and what each key of a program's last step stands for, in the same form."""

from __future__ import annotations

import re
from collections.abc import Callable

from fathom.benchmarks.fourdbench.sentences.meaning import Node
from fathom.benchmarks.fourdbench.sentences.nouns import SceneNouns
from fathom.benchmarks.fourdbench.sentences.persons import impersonal
from fathom.benchmarks.fourdbench.sentences.verbs import verb_of
from fathom.records import UnreadableError

SIDES = {"in front of it": "front", "on its left": "left", "behind it": "behind", "on its right": "right"}
VIEWS = {
    "from the front": "front",
    "from its left": "left",
    "from behind": "behind",
    "from its right": "right",
}
WAYS = {
    "forward": "forward", "backward": "backward", "to its left": "left", "to its right": "right",
    "up": "up", "down": "down",
}  # fmt: skip
GOES = {
    "straight ahead": "forward", "backward": "backward", "round to its left": "left",
    "round to its right": "right", "in a curve to its left": "left", "in a curve to its right": "right",
}  # fmt: skip

SHIFTS = {
    "farther forward": "forward", "farther back": "backward", "farther to its left": "left",
    "farther to its right": "right", "higher up": "up", "lower down": "down",
}  # fmt: skip
LIMB_PLACES = {
    "farther forward": "front", "farther back": "behind", "farther to its left": "left",
    "farther to its right": "right", "higher up": "above", "lower down": "below",
}  # fmt: skip
GROWTHS = {
    "horns": "horn", "antennas": "antenna", "spikes": "spike", "fins": "fin", "mushrooms": "mushroom",
    "flowers": "flower", "crystals": "crystal", "cherries": "cherry", "lamps": "lamp",
}  # fmt: skip
GROWING_PLACES = {
    "on its left side": "left side", "on its right side": "right side", "on its back": "back",
    "on its top": "back", "on top": "back", "on its head": "head", "on its chest": "chest",
    "under its belly": "belly", "on its underside": "belly", "on its front": "chest",
}  # fmt: skip
LINES = {
    "forward and back": "lengthwise", "from side to side": "sideways", "up and down": "vertical",
    "it hardly moves it": "still", "hardly at all": "still",
}  # fmt: skip
SEEN_WAYS = {
    "to the left in the video": "left", "to the right in the video": "right",
    "towards the camera": "towards", "away from the camera": "away",
    "farther to the left in the video": "left", "farther to the right in the video": "right",
    "to the viewer's left": "left", "to the viewer's right": "right",
    "farther to the viewer's left": "left", "farther to the viewer's right": "right",
    "closer to the camera": "towards", "farther from the camera": "away",
}  # fmt: skip
COURSES = {
    "raises it and keeps it up": "rises", "lowers it and keeps it down": "sinks",
    "raises it and lowers it again": "rises back", "lowers it and raises it again": "sinks back",
}  # fmt: skip

_CLAUSE = re.compile(
    r"(?:the (?P<subject>.+?)|(?P<it>it)) (?:(?P<comes>appears?)|(?P<goes>vanish(?:es)?|disappears?)"
    r"|turns? into (?P<noun>.+)|turns? (?P<color>.+))"
)


class Choices:
    """Who reads the choices of one question; `own` is the object that "it" is."""

    def __init__(self, asked: Node, cast: SceneNouns, keys: frozenset[str]) -> None:
        """Take what is asked, without the choice."""
        self.cast, self.keys = cast, keys
        self.own = _own(asked)
        self.kind = self._kind(asked)

    def said(self, text: str) -> Node:
        """Return what the words of a choice say. Raises UnreadableError."""
        words = impersonal(" ".join(text.casefold().split()), self.cast.actor)
        return _READ[self.kind](self, words)

    def meant(self, key: str) -> Node:
        """Return what a key stands for."""
        low = key.casefold()
        if self.kind == "verb":
            return ("acts", key)
        if self.kind in ("clause", "own"):
            return self.cast.happening(key)
        if self.kind == "sequence":
            return tuple(("acts", k) for k in key.split(">"))
        if self.kind == "deeds":
            return tuple(("acts", k) for k in key.split("+"))
        if self.kind == "order":
            return tuple(self.cast.happening(k) for k in key.split(">"))
        if self.kind == "thing":
            return ("thing", self.cast.matching(low))
        if self.kind == "part":
            return ("part", low)
        return (low,)

    def _kind(self, asked: Node) -> str:
        op = str(asked[0])
        if op == "set":
            return {"actions": "verb", "events": "clause"}.get(str(asked[1]), "thing")
        return "own" if self.own else _KINDS[op]

    def verb(self, words: str) -> Node:
        """Read what is done."""
        return ("acts", verb_of(words, self.keys))

    def deeds(self, words: str) -> Node:
        """Read what is done, one thing after another, with some left open."""
        done = re.sub(rf"^(it|he|she|the {re.escape(self.cast.actor)}) ", "", words)
        return tuple(self.verb(one) for one in re.split(r", | and then ", done))

    def clause(self, words: str) -> Node:
        """Read what happens to an object, to a part of the actor or to "it", or what the actor does."""
        actor = f"the {self.cast.actor} "
        match = _CLAUSE.fullmatch(words)
        if match and match["it"] and self.own:
            return _event(match, self.own)
        if match and match["subject"]:
            subject = match["subject"]
            part = self.cast.parts.get(subject.removeprefix(f"{self.cast.actor}'s "), "")
            if part and subject.startswith(f"{self.cast.actor}'s "):
                return _event(match, f"part {part}")
            if subject in self.cast.labels:
                return _event(match, self.cast.named(subject))
        if words.startswith(actor):
            return self.verb(words.removeprefix(actor))
        raise UnreadableError(f"{words!r}: nothing that happens")

    def order(self, words: str) -> Node:
        """Read three things that happen one after the other; who is not named again is the actor."""
        first, *later = re.split("[,;] then ", words)
        if not later:
            raise UnreadableError(f"{words!r}: no order")
        actor, said = f"the {self.cast.actor} ", [first]
        for clause in later:
            goes_on = said[-1].startswith(actor) and not clause.startswith("the ")
            said.append(actor + clause if goes_on else clause)
        return tuple(self.clause(w) for w in said)

    def sequence(self, words: str) -> Node:
        """Read what is done, one thing after the other."""
        first, *later = re.split("[,;] then ", words)
        if not later:
            raise UnreadableError(f"{words!r}: no order")
        return tuple(self.verb(w) for w in (first, *later))

    def obj(self, words: str) -> Node:
        """Read which object it is."""
        return ("thing", self.cast.named(_after("the ", words)))

    def part(self, words: str) -> Node:
        """Read which part of the actor it is."""
        word = _after("its ", words)
        if word not in self.cast.parts:
            raise UnreadableError(f"{words!r}: no part of the {self.cast.actor}")
        return ("part", self.cast.parts[word])

    def name(self, words: str) -> Node:
        """Read what something is called."""
        return (re.sub(r"^an? ", "", words),)


def _own(asked: Node) -> str:
    """Return the object of which it is asked what happens to it, "" where that is not asked."""
    if asked[0] != "happened" or asked[1][0] != "the":
        return ""
    filters = [f for f in asked[1][1][2:] if isinstance(f, tuple)]
    return next((str(f[1][1]) for f in filters if f[0] == "of" and isinstance(f[1], tuple)), "")


def _event(match: re.Match[str], subject: str) -> Node:
    if match["comes"] or match["goes"]:
        return ("appears" if match["comes"] else "vanishes", subject, "")
    if match["noun"]:
        return ("swaps", subject, re.sub(r"^an? ", "", match["noun"]))
    return ("recolours", subject, match["color"])


def _after(start: str, words: str) -> str:
    if not words.startswith(start):
        raise UnreadableError(f"{words!r} does not begin with {start.strip()!r}")
    return words.removeprefix(start)


def _one_of(known: dict[str, str]) -> Callable[[Choices, str], Node]:
    def read(choices: Choices, words: str) -> Node:
        if words not in known:
            raise UnreadableError(f"{words!r}: none of {', '.join(known)}")
        return (known[words],)

    return read


def _colors(choices: Choices, words: str) -> Node:
    found = re.split(r", | and |^only ", words)
    found = found[1:] if found[0] == "" else found
    if sorted(set(found)) != found or words.startswith("only ") != (len(found) == 1):
        raise UnreadableError(f"{words!r}: no colors")
    return ("+".join(found),)


def _side_counts(choices: Choices, words: str) -> Node:
    said = [re.fullmatch(rf"(\d+) ({'|'.join(GROWING_PLACES)})", one) for one in words.split(" and ")]
    if len(said) != 2 or None in said:
        raise UnreadableError(f"{words!r}: not how many there are on two sides")
    return ("+".join(f"{GROWING_PLACES[m[2]]}={m[1]}" for m in said if m),)


def _number(choices: Choices, words: str) -> Node:
    if not words.isdigit():
        raise UnreadableError(f"{words!r}: no number")
    return (words,)


_KINDS = {
    "verb": "verb", "happened": "clause", "order": "order", "count": "number", "repeats": "number",
    "legs": "number", "limbs_painted": "number", "worn": "number", "limb_painted": "limb", "leg": "limb",
    "nearest_seen": "limb",
    "side_of": "side", "hidden_from": "view", "limb_first": "way", "goes": "goes",
    "limb_most": "limb", "name": "name", "subject": "thing", "thing": "thing", "color": "color",
    "part_color": "color", "part_colored": "part", "limb_shift": "shift", "limb_place": "limb place",
    "limb_swings": "number", "times": "number",
    "color_most": "color", "grown": "number", "grown_color": "color", "grown_on": "growth",
    "faces_seen": "seen way", "limb_onset": "limb",
    "limb_line": "line",
    "limb_course": "course", "limbs_still": "limb", "sequence": "sequence",
    "deeds": "deeds", "steps": "number", "raises": "number",
    "legs_down": "number", "strokes": "number",
    "own_color": "color", "place_of": "growing place",
    "colors_of": "colors", "side_counts": "side counts",
    "pieces": "number", "bodies": "number", "goes_seen": "seen way",
}  # fmt: skip
"""What is asked → what its choices are."""

_READ: dict[str, Callable[[Choices, str], Node]] = {
    "verb": Choices.verb, "clause": Choices.clause, "own": Choices.clause, "order": Choices.order,
    "number": _number, "side": _one_of(SIDES), "view": _one_of(VIEWS), "way": _one_of(WAYS),
    "shift": _one_of(SHIFTS), "limb place": _one_of(LIMB_PLACES),
    "line": _one_of(LINES),
    "course": _one_of(COURSES), "sequence": Choices.sequence, "deeds": Choices.deeds,
    "goes": _one_of(GOES), "limb": lambda c, w: (_after("its ", w),), "name": Choices.name,
    "thing": Choices.obj, "color": lambda c, w: (w,), "part": Choices.part,
    "seen way": _one_of(SEEN_WAYS), "growth": _one_of(GROWTHS),
    "growing place": _one_of(GROWING_PLACES),
    "colors": _colors, "side counts": _side_counts,
}  # fmt: skip
