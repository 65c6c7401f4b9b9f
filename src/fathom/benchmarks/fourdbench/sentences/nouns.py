"""Who is in a scene, and which object words name, from the records of the scene alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fathom.benchmarks.fourdbench.sentences.meaning import Node
from fathom.records import ContradictionError, Event, Scene, SceneObject, UnreadableError

COLORS = (
    "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "brown", "black", "gray", "white",
)  # fmt: skip

PLURALS = {"cactus": "cacti", "fish": "fish"}


@dataclass(frozen=True)
class Member:
    """One object but the actor: what it is called and its colour when it is first there, all names that it
    ever has, and whether it keeps its colour.
    """

    id: str
    name: str
    color: str
    names: frozenset[str]
    steady: bool
    screen: bool

    @property
    def full(self) -> str:
        """Its colour and its name."""
        return f"{self.color} {self.name}".strip()


class SceneNouns:
    """The objects of a scene by their words, all in small letters."""

    def __init__(self, scene: Scene) -> None:
        """Read a scene; its first object is the actor."""
        self.scene = scene
        self.figure = scene.objects[0]
        self.actor = _low(self.figure.attributes.get("name") or self.figure.subtype)
        self.others = tuple(_member(t) for t in scene.objects[1:])

    @cached_property
    def props(self) -> tuple[Member, ...]:
        """The objects that questions speak of."""
        return tuple(m for m in self.others if not m.screen)

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """What objects are ever called, longer names first."""
        return _longest_first({n for m in self.others for n in m.names})

    @cached_property
    def colors(self) -> tuple[str, ...]:
        """All colours that are known, and those that the scene has of its own."""
        own = {_low(e.detail.rpartition("=")[2]) for t in self.scene.objects for e in t.events}
        own |= {m.color for m in self.others}
        return _longest_first({*COLORS, *(c for c in own if c)})

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All that an object may be called by: its names, and its colour with its name."""
        return _longest_first({*(n for m in self.props for n in m.names), *(m.full for m in self.props)})

    @cached_property
    def parts(self) -> dict[str, str]:
        """Word for a part of the actor → the part."""
        found: dict[str, str] = {}
        for part, told in self.figure.parts.items():
            word = _low(told.get("word", ""))
            # Two parts that one word names are told by none.
            found[word] = _low(part) if word not in found else ""
        return {word: part for word, part in found.items() if word and part}

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The keys of what the actor does."""
        return frozenset(a.verb for a in self.figure.animations if a.verb)

    @cached_property
    def screens(self) -> frozenset[str]:
        """What the objects are called that only hide others."""
        return frozenset(m.name for m in self.others if m.screen)

    def named(self, label: str) -> str:
        """Return the object that words name at all times: by a name that nothing else ever has, or by a
        colour that it keeps with its name. Raises ContradictionError where several are called so or none is.
        """
        label = _low(label)
        # Screens count among those that a name alone could mean.
        found = [m for m in self.others if label in m.names]
        if not found:
            found = [m for m in self.others if m.full == label and m.steady]
        if len(found) != 1 or found[0].screen:
            raise ContradictionError(f"'the {label}' is not the name of just one object of the scene")
        return found[0].id

    def matching(self, key: str) -> str:
        """Return the object that a program's key fits: its first name, or its first colour and name."""
        found = [m.id for m in self.props if _low(key) in (m.name, m.full)]
        if len(found) != 1:
            raise ContradictionError(f"the key {key!r} fits {', '.join(found) or 'nothing'}")
        return found[0]

    def happening(self, key: str) -> Node:
        """Return what a program's key for something that happens stands for."""
        what, found, rest = key.partition(":")
        if not found:
            return ("acts", key)
        full, _, detail = rest.partition(":")
        full, detail = _low(full), _low(detail)
        figure = f"{self.figure.attributes.get('color', '')} {self.actor}".strip()
        fitting = [m.id for m in self.props if m.full == full]
        if len(fitting) != 1:
            # Of several that look alike at first, it is said of the one to which it does happen.
            own = [i for i in fitting if self._happens(i, what, detail)]
            fitting = own or fitting
        if not fitting and full == _low(figure):
            part, _, color = detail.rpartition("=")
            return (what, f"part {part or _low(self.figure.attributes.get('main', ''))}", color)
        if len(fitting) != 1:
            raise ContradictionError(f"the key {key!r} is said of {', '.join(fitting) or 'nothing'}")
        return (what, fitting[0], detail)

    def _happens(self, obj: str, what: str, detail: str) -> bool:
        events = next(t.events for t in self.scene.objects if t.id == obj)
        return any(e.what == what and _low(e.detail) == detail for e in events)

    def noun_of(self, plural: str) -> str:
        """Return the noun that a plural is of. Raises UnreadableError where it is of none, or of several."""
        found = [n for n in self.nouns if plural in plurals_of(n)]
        if len(found) != 1:
            raise UnreadableError(f"{plural!r} is not the plural of just one name of the scene")
        return found[0]


def plurals_of(noun: str) -> Iterator[str]:
    """Yield the plurals that a noun may have."""
    before, _, last = noun.rpartition(" ")
    start = f"{before} " if before else ""
    if last in PLURALS:
        yield start + PLURALS[last]
        return
    yield start + last + ("es" if last.endswith(("s", "x", "ch", "sh")) else "s")
    if last.endswith("y"):
        yield start + last[:-1] + "ies"


def _member(obj: SceneObject) -> Member:
    """Return an object as words may name it."""
    debut = _debut_s(obj)
    turned = [e for e in obj.events if e.what == "swaps"]
    dyed = [e for e in obj.events if e.what == "recolours"]
    name, color = _low(obj.attributes.get("name", "")), _low(obj.attributes.get("color", ""))
    return Member(
        id=obj.id,
        name=_at(debut, name, turned),
        color=_at(debut, color, dyed),
        names=frozenset({name, *(_low(e.detail) for e in turned)} - {""}),
        steady=all(_low(e.detail) == color for e in dyed),
        screen=obj.category == "screen",
    )


def _debut_s(obj: SceneObject) -> float:
    """Return when an object is first there."""
    coming = sorted((e for e in obj.events if e.what in ("appears", "vanishes")), key=lambda e: e.start_s)
    return coming[0].start_s if coming and coming[0].what == "appears" else 0.0


def _at(time_s: float, first: str, events: list[Event]) -> str:
    """Return what has become of an attribute by a time."""
    for e in sorted(events, key=lambda e: e.start_s):
        if e.end_s <= time_s + 1e-6:
            first = _low(e.detail)
    return first


def _low(text: str) -> str:
    return " ".join(text.casefold().split())


def _longest_first(words: set[str]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda w: (-len(w), w)))
