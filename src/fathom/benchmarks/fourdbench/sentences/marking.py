"""What stands in a text in place of names, moments and happenings: marks, in whose order they are kept.

    "What color is the teapot right before the pyramid appears?"  →  "what color is <thing> <moment>?"

Marks: <actor>, <object>, <part>, <side>, <front> (seen from there), <moment>, <event>, <change>.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from fathom.benchmarks.fourdbench.sentences.meaning import Node, set_of, shown
from fathom.benchmarks.fourdbench.sentences.nouns import SceneNouns
from fathom.benchmarks.fourdbench.sentences.persons import impersonal
from fathom.benchmarks.fourdbench.sentences.verbs import verb_of
from fathom.records import UnreadableError

ENDS = {
    "at the start of the video": "start", "at the end of the video": "end", "at the very start": "start",
    "at the beginning": "start",
    "as the video begins": "start", "at the very end": "end", "as the video ends": "end",
    "at the start": "start", "at the end": "end",
    "in the last moment of the video": "end",
}  # fmt: skip

CHANGES = {
    "appears, vanishes, or changes": "", "appears": "appears", "vanishes": "vanishes",
    "appears, disappears, or changes": "", "disappears": "vanishes",
    "changes color": "recolours", "turns into something else": "swaps",
}  # fmt: skip
"""What an unnamed object does → the kind of change, "" for any."""

RANKS: dict[str, tuple[str, ...]] = {
    "first": ("first",), "last": ("last",), "second": ("nth", "2"), "only": ("the",),
}  # fmt: skip

SIDES = (
    ("on {actor}'s own left", "left"),
    ("on {actor}'s own right", "right"),
    ("in front of {actor}", "front"),
    ("behind {actor}", "behind"),
)

PRONOUNS = ("it", "they")

ALONE = r"\bthe (\w+) on {actor}'s (left side|right side|back|top|head|chest|front)\b"
"""What is the only one of its kind on a side of the actor."""

LONE = r"\bthe (new )?(?!object)(\w+)(?= that (?:dis)?appears (?:on|from)\b| that disappears\?)"
"""What is the only one of its kind that comes or goes."""

_CHANGE = "|".join(sorted(map(re.escape, CHANGES), key=len, reverse=True))


@dataclass
class Marked:
    """A text with marks, and what each of them stands for, in the order in which they stand there.

    `named` are all objects and parts that are named, those in clauses too; `things` and `parts` those that
    still have a mark.
    """

    text: str
    named: list[Node] = field(default_factory=list)
    objects: list[Node] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    sides: list[str] = field(default_factory=list)
    moments: list[Node] = field(default_factory=list)
    events: list[Node] = field(default_factory=list)
    changes: list[Node] = field(default_factory=list)

    def antecedent(self) -> str:
        """Return what "it" is: the one object or part that the text names outside of clauses, or else in one.

        Raises UnreadableError where there is none, or where there are several.
        """
        outside = [_called(t) for t in self.objects] + [f"part {p}" for p in self.parts]
        told = set(outside or [_called(n) for n in self.named])
        if len(told) != 1:
            raise UnreadableError(f"'it' may be any of {len(told)} things")
        return told.pop()

    def replace(self, pattern: str, mark: str | Callable[[re.Match[str]], str]) -> None:
        """Put a mark in every place where a pattern fits."""
        self.text = re.sub(pattern, mark, self.text)


def marked(text: str, cast: SceneNouns, keys: frozenset[str]) -> Marked:
    """Return a text with its marks; `keys` are those of verbs. Raises UnreadableError for "it" of nobody."""
    found = Marked(impersonal(" ".join(text.casefold().split()), cast.actor))
    actor = re.escape(f"the {cast.actor}")
    found.replace(
        ALONE.format(actor=actor), lambda m: f"the only {m[1]} that the {cast.actor} has on its {m[2]}"
    )
    found.replace(LONE, r"the only \1\2")
    _mark_changes(found)
    _mark_objects(found, cast)
    clause = clause_of(cast)
    happens = _Happens(found, cast)
    found.replace(
        rf"\b(just|immediately|right) (before|after) {clause}",
        lambda m: happens.mark("moment", (m[2], happening(happens.of(m)))),
    )
    found.replace(clause, lambda m: happens.mark("event", happens.of(m)))
    found.replace(
        rf"\bwhile (?:{actor}|it|they) (?:is|are) ([^?,.;]+?)(?=[?,.;]| for somebody\b|$)",
        lambda m: happens.mark("moment", ("while", acting(m[1], keys))),
    )
    found.replace(
        rf"\bwhen (?:{actor}|it|they) (?:(?:is|are) about to start|starts?) ([^?,.;]+?)(?=[?,.;]|$)",
        lambda m: happens.mark("moment", ("before", acting(m[1], keys))),
    )
    for words, end in ENDS.items():
        found.replace(rf"\b{words}\b(?! of this)", lambda m, end=end: happens.mark("moment", (end,)))  # type: ignore[misc]
    _mark_actor(found, cast, actor)
    found.objects = [found.named[int(k)] for k in re.findall(r"<thing(\d+)>", found.text)]
    found.text = re.sub(r"<thing\d+>", "<thing>", found.text)
    if any("it" in e for e in _clauses(found)):
        own = found.antecedent()
        found.moments = [_of_it(m, own) for m in found.moments]
        found.events = [_of_it(e, own) for e in found.events]
    return found


def happening(event: Node) -> Node:
    """Return the one event that words name."""
    return ("the", set_of("events", ("pick", event)))


def acting(phrase: str, keys: frozenset[str]) -> Node:
    """Return the one action that words in the -ing form name."""
    return ("the", set_of("actions", ("pick", ("acts", verb_of(phrase, keys)))))


def clause_of(cast: SceneNouns) -> str:
    """Return the pattern of a clause that names an event: its subject, what it does and what comes of it."""
    words = "|".join(map(re.escape, sorted(cast.parts, key=len, reverse=True))) or "(?!)"
    nouns = "|".join(map(re.escape, cast.nouns)) or "(?!)"
    colors = "|".join(map(re.escape, cast.colors))
    actor = re.escape(cast.actor)
    return (
        rf"(?:<thing(?P<thing>\d+)>|the {actor}'s (?P<part>{words})|\b(?P<it>it|they)) "
        rf"(?:(?P<comes>appears?)|(?P<goes>vanish(?:es)?|disappears?)|turns? into (?:an? )?(?P<noun>{nouns})"
        rf"|turns? (?P<color>{colors}))(?!\w)"
    )


@dataclass
class _Happens:
    """Who reads clauses, in the order of the marks."""

    found: Marked
    cast: SceneNouns

    def of(self, match: re.Match[str]) -> Node:
        """Return the event of a clause; of "it" it is not yet known what that is."""
        if match["comes"] or match["goes"]:
            what, detail = ("appears" if match["comes"] else "vanishes"), ""
        else:
            what, detail = ("swaps", match["noun"]) if match["noun"] else ("recolours", match["color"])
        if match["part"]:
            part = self.cast.parts[match["part"]]
            self.found.named.append(("part", part))
            return (what, f"part {part}", detail)
        if match["it"]:
            return (what, "it", detail)
        return (what, _called(self.found.named[int(match["thing"])]), detail)

    def mark(self, kind: str, node: Node) -> str:
        """Keep what a mark stands for."""
        (self.found.moments if kind == "moment" else self.found.events).append(node)
        return f"<{kind}>"


def _mark_changes(found: Marked) -> None:
    """Mark what is told by its change alone: times, and objects."""

    def ranked(rank: str, kind: str) -> Node:
        kinds = (("filter_event", CHANGES[kind]),) if CHANGES[kind] else ()
        return (*RANKS[rank], set_of("events", *kinds))

    def time(match: re.Match[str]) -> str:
        found.changes.append(ranked(match[1], match[2]))
        return "<change>"

    found.replace(rf"\bthe (first|last|second) time that an object ({_CHANGE})", time)
    found.replace(
        rf"\bthe (first|last|only) object that ({_CHANGE}) in the video\b", lambda m: f"<{m[1]}:{m[2]}>"
    )


def _mark_objects(found: Marked, cast: SceneNouns) -> None:
    """Mark objects, whether named or told by a change."""
    labels = "|".join(map(re.escape, cast.labels)) or "(?!)"

    def obj(match: re.Match[str]) -> str:
        if match["label"]:
            found.named.append(("thing", cast.named(match["label"])))
        else:
            kind = CHANGES[match["kind"]]
            kinds = (("filter_event", kind),) if kind else ()
            found.named.append(("subject", (*RANKS[match["rank"]], set_of("events", *kinds))))
        return f"<thing{len(found.named) - 1}>"

    # What is the actor's own is no object of that name: "the fox's ball of wool".
    found.replace(rf"\bthe (?P<label>{labels})(?![\w'])|<(?P<rank>\w+):(?P<kind>[^>]+)>", obj)


def _mark_actor(found: Marked, cast: SceneNouns, actor: str) -> None:
    """Mark the actor, its parts and its sides."""
    parts = "|".join(map(re.escape, sorted(cast.parts, key=len, reverse=True))) or "(?!)"

    def part(match: re.Match[str]) -> str:
        found.parts.append(cast.parts[match[1]])
        return "<part>"

    found.replace(rf"{actor}'s ({parts})\b", part)
    found.replace(rf"{actor}\b", lambda m: "<actor>")
    found.replace(r"\b(?:seen from|for somebody(?: who stands)?|from somebody) in front of <actor>",
                  lambda m: "<front>")  # fmt: skip
    for words, side in SIDES:
        place = words.format(actor="<actor>")

        def sided(match: re.Match[str], side: str = side) -> str:
            found.sides.append(side)
            return "<side>"

        found.replace(rf"\b{place}", sided)


def _clauses(found: Marked) -> list[list[str]]:
    """Return the words of all clauses, and of moments that they make."""

    def words(node: Node) -> list[str]:
        return [w for n in node for w in (words(n) if isinstance(n, tuple) else [n])]

    return [words((m,)) for m in (*found.moments, *found.events)]


def _called(named: Node) -> str:
    """Return what is named as clauses have it: an object's id, or a part."""
    kind, name = named
    if not isinstance(name, str):
        return shown(name)
    return f"part {name}" if kind == "part" else name


def _of_it(node: Node, own: str) -> Node:
    return tuple(own if n == "it" else _of_it(n, own) if isinstance(n, tuple) else n for n in node)
