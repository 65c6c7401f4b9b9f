"""What questions about one scene tell of each other: those that ask the same, and those that answer another.

Two questions are the same where their programs are, once the words for an object are replaced by the object
itself: "left of the sedan" and "left of the blue car" ask the same of one blue sedan. And whoever says "the
only bus of the same size as it" has answered how many of these there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from fathom.questions.asking import Slots, StillCandidate
from fathom.questions.notation import OperatorNode
from fathom.questions.templates import Template

ANSWERED_BY_ONE = ("count", "exist")
"""Questions about a set that are answered as soon as one object is said to be all that is in it."""

_TURNED = {"less_than": "greater_than"}
_EITHER_WAY = ("union", "intersect", "equal_")


class _Asks(NamedTuple):
    """What one node of a program asks: its operator, the place of its slot, −1 for none, and the places of
    the nodes that it reads; `sorts` where they can change places.
    """

    op: str
    slot: int
    reads: tuple[int, ...]
    sorts: bool


class _Program(NamedTuple):
    """A template's nodes in the order in which they are computed, and the places of those that tell what it
    asks `about`, what it counts, −1 for nothing, and which sets it says to have just one object.
    """

    nodes: tuple[_Asks, ...]
    about: int
    counted: int
    single: tuple[int, ...]


@lru_cache(maxsize=65536)
def _program(template: Template) -> _Program:
    tree, place = template.tree, {node: k for k, node in enumerate(template.nodes)}
    about = tree
    if template.tail:
        # Its words describe one object, and nothing else hangs on them.
        source = tree.reads[0].reads[0]
        about = source.reads[0] if source.op == "filter" else source
    return _Program(
        tuple(_asks(node, template, place) for node in template.nodes),
        place[about],
        place[tree.reads[0]] if tree.op in ANSWERED_BY_ONE else -1,
        tuple(place[one.reads[0]] for one in template.uniques),
    )


def _asks(node: OperatorNode, template: Template, place: dict[OperatorNode, int]) -> _Asks:
    reads = tuple(place[child] for child in node.reads)
    if node.op in _TURNED:
        reads = reads[::-1]
    slot = template.slot_names.index(node.slot) if node.slot else -1
    return _Asks(_TURNED.get(node.op, node.op), slot, reads, node.op.startswith(_EITHER_WAY))


def asked(template: Template, slots: Slots, named: Sequence[int] = ()) -> list[str]:
    """Return what the nodes of a filled program ask, in the order in which they are computed: the same for
    whatever is the same question in other words, without descriptions that say nothing, and with the two
    sides of "or", "and", "as many" and "more" in one order.

    Where objects are `named`, each by its `unique`, its number stands for the words for it.
    """
    texts: list[str] = []
    names = iter(named)
    for op, slot, reads, sorts in _program(template).nodes:
        below = [texts[k] for k in reads]
        said = slots[slot][1] if slot >= 0 else ""
        if op == "unique" and named:
            texts.append(f"#{next(names)}")
        elif op == "filter" and not any(said):
            texts.append(below[0])
        else:
            if sorts:
                below.sort()
            texts.append(f"{op}[{said}]({', '.join(below)})")
    return texts


class Said(NamedTuple):
    """What a question asks, and what its words tell, with objects in place of their names.

    `about` leaves out the words that describe the object that is asked about, and which of its attributes is
    asked for: one scene is not asked for two attributes of the same object, as each would tell the other's.
    `counted` is the set that is counted, or looked for, "" for none; `single` are the sets of which the words
    say that they have just one object.
    """

    about: tuple[str, str, int]
    counted: str
    single: frozenset[str]


def said_by(candidate: StillCandidate, template: Template) -> Said:
    """Return what a candidate asks and tells."""
    program, texts = _program(template), asked(template, candidate.slots, candidate.named)
    return Said(
        (template.task, texts[program.about], candidate.named[-1] if template.tail else -1),
        texts[program.counted] if program.counted >= 0 else "",
        frozenset([texts[k] for k in program.single]),
    )


@dataclass(frozen=True)
class Told:
    """What the questions that are asked so far of one scene say."""

    about: set[tuple[str, str, int]] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    single: set[str] = field(default_factory=set)

    def clashes(self, said: Said) -> bool:
        """Return whether a question asks what another does, answers it, or is answered by it."""
        return (
            said.about in self.about
            or said.counted in self.single
            or not said.single.isdisjoint(self.counted)
        )

    def add(self, said: Said) -> None:
        """Take in what a question says."""
        self.about.add(said.about)
        if said.counted:
            self.counted.add(said.counted)
        self.single.update(said.single)
