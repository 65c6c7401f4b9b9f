"""Templates: what a family of questions asks, in which words, and by which program.

A program is written as it is read, from the answer back to the scene:

    query_color unique filter:B relate:r unique filter:A scene
    (the color of the B that is in relation r to the A)

Names after a colon are slots: capital letters are descriptions ("large red suv"), small letters are relation
words. Texts name the same slots: `{the:B}`, `{a:B}`, `{pl:B}` (plural), `{B}` (bare), and `{r}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from fathom.programs.engine import operators_on
from fathom.programs.values import Kind, Scenes
from fathom.records import InputError, Step

OPERATORS = operators_on(Scenes.STILL)

Words = tuple[str, str, str]
"""A description: size, color and shape word, "" where it says nothing."""

YES_NO = ("yes", "no")


@dataclass(frozen=True, eq=False)
class Node:
    """One operator of a template's program, its slot, and what it reads."""

    op: str
    slot: str
    reads: tuple[Node, ...]

    @cached_property
    def related(self) -> tuple[Node, ...]:
        """The relations whose things a filter describes."""
        branches = self.reads[0].reads if self.reads[0].op == "intersect" else self.reads
        return tuple(b for b in branches if OPERATORS[b.op][0].takes == (Kind.OBJECT,))


@dataclass(frozen=True, eq=False)
class Template:
    """A family of questions.

    `asks` is what the answer is: shape, color, size, pose, count, exist or compare. `without` names, for a
    description, what it must not mention; `only` what it must mention and nothing else. `apart` are pairs of
    descriptions of which neither may cover the other. `possible` are the answers that are asked for; empty:
    all of their kind. `rules` are the rule sets that the family belongs to; empty: all.
    `kind` says in words what it takes to answer ("two hops"), for tables; `share` is how many of its task's
    questions it should be, against the other families of the task; `effort` is how many candidates
    a scene should offer, against other families; `patience` after how many tries in vain an answer, and the
    family, are given up in a scene.
    """

    id: str
    task: str
    asks: str
    program: str
    texts: tuple[str, ...]
    without: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    apart: tuple[tuple[str, str], ...] = ()
    possible: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    kind: str = ""
    share: float = 1.0
    effort: float = 1.0
    patience: int = 6

    @cached_property
    def tree(self) -> Node:
        """The program as a tree. Raises InputError where it cannot be read."""
        tokens = self.program.split()
        node, rest = _parsed(self.id, tokens)
        if rest:
            raise InputError(
                f"template {self.id}: {' '.join(rest)!r} is left over; every operator needs a reader"
            )
        return node

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The tree's nodes in the order in which they are computed."""
        return tuple(_in_order(self.tree))

    @cached_property
    def descriptions(self) -> tuple[str, ...]:
        """The slots for descriptions."""
        return tuple(n.slot for n in self.nodes if n.op == "filter")

    @cached_property
    def compared(self) -> Node | None:
        """The filter that describes the second of two things that are compared, if the template does that."""
        if not self.tree.op.startswith("equal_") or self.tree.op == "equal_integer":
            return None
        return self.tree.reads[1].reads[0].reads[0]

    @cached_property
    def chain(self) -> tuple[Node, ...]:
        """The filters of a chain of two or more relations, from the first anchor on but for the last."""
        line, filters = self.tree, []
        while len(line.reads) == 1:
            line = line.reads[0]
            if line.op == "filter":
                filters.append(line)
        return tuple(reversed(filters[1:])) if not line.reads and len(filters) > 2 else ()

    @cached_property
    def joint(self) -> Node | None:
        """The filter that describes what stands in two relations at once, if the template has one."""
        return next((n for n in self.nodes if n.op == "filter" and len(n.related) == 2), None)

    @cached_property
    def uniques(self) -> tuple[Node, ...]:
        """The nodes that single out one object, in the order in which they are computed."""
        return tuple(n for n in self.nodes if n.op == "unique")

    @cached_property
    def set_nodes(self) -> tuple[Node, ...]:
        """The filters that describe sets: those that no `unique` reads."""
        singled = {n.reads[0] for n in self.nodes if n.op == "unique"}
        return tuple(n for n in self.nodes if n.op == "filter" and n not in singled)

    @cached_property
    def tail(self) -> str:
        """The program below a query of size, color or shape; "" where it asks for something else."""
        op, _, rest = self.program.partition(" ")
        return f"{self.task} {rest}" if op in ("query_size", "query_color", "query_shape") else ""

    @cached_property
    def direct(self) -> bool:
        """Whether everything hangs on one thing alone: "the color of what the red suv would hit"."""
        anchors = [n for n in self.nodes if n.op == "unique"]
        return (
            not self.sets and self.compared is None and len(anchors) <= 2 and "intersect" not in self.program
        )

    @cached_property
    def bare(self) -> bool:
        """Whether a relation stands without a description of what it is about ("anything of the same
        size").
        """
        described = {r for n in self.nodes if n.op in ("filter", "intersect") for r in n.reads}
        return any(
            n not in described
            for n in self.nodes
            if n.op in OPERATORS
            and OPERATORS[n.op][0].takes == (Kind.OBJECT,)
            and OPERATORS[n.op][0].gives is Kind.OBJECTS
        )

    @cached_property
    def sets(self) -> int:
        """The number of sets that are described: 0, 1 or 2."""
        return len(self.set_nodes)

    @cached_property
    def relations(self) -> dict[str, str]:
        """The slots for relation words, each with its operator."""
        return {n.slot: n.op for n in self.nodes if n.slot and n.op != "filter"}


def _arity(op: str) -> int:
    if op == "filter":
        return 1
    if op not in OPERATORS:
        raise InputError(f"{op!r}: no such operator; there are filter, {', '.join(OPERATORS)}")
    return len(OPERATORS[op][0].takes)


def _parsed(name: str, tokens: Sequence[str]) -> tuple[Node, list[str]]:
    if not tokens:
        raise InputError(f"template {name}: the program ends too early; every branch must end in `scene`")
    op, _, slot = tokens[0].partition(":")
    rest = list(tokens[1:])
    reads = []
    for _ in range(_arity(op)):
        node, rest = _parsed(name, rest)
        reads.append(node)
    return Node(op, slot, tuple(reads)), rest


def _in_order(node: Node) -> list[Node]:
    return [n for child in node.reads for n in _in_order(child)] + [node]


ATTRIBUTE_ORDER = ("size", "color", "shape")


def steps_of(template: Template, slots: Mapping[str, Words | str]) -> tuple[Step, ...]:
    """Return the program of a template with its slots filled; a description is up to three filters."""
    return steps_and_sources(template, slots)[0]


def steps_and_sources(
    template: Template, slots: Mapping[str, Words | str]
) -> tuple[tuple[Step, ...], tuple[tuple[str, int], ...]]:
    """Return the program of a filled template, and for each step the slot of its argument and the word in it.

    A step without argument has the slot ""; the word of a relation slot is −1.
    """
    steps: list[Step] = []
    sources: list[tuple[str, int]] = []

    def put(op: str, reads: tuple[int, ...], slot: str, word: int, arg: str) -> int:
        steps.append(Step(op=op, inputs=reads, args=(arg,) if slot else ()))
        sources.append((slot, word))
        return len(steps) - 1

    def add(node: Node) -> int:
        reads = tuple(add(child) for child in node.reads)
        if node.op != "filter":
            return put(node.op, reads, node.slot, -1, str(slots[node.slot]) if node.slot else "")
        last = reads[0]
        for a, (attribute, word) in enumerate(zip(ATTRIBUTE_ORDER, slots[node.slot], strict=True)):
            if word:
                last = put(f"filter_{attribute}", (last,), node.slot, a, word)
        return last

    add(template.tree)
    return tuple(steps), tuple(sources)


_NOBODY: Mapping[Node, int] = MappingProxyType({})
_TURNED = {"less_than": "greater_than"}
_EITHER_WAY = ("union", "intersect", "equal_")


def asked(node: Node, slots: Mapping[str, Words | str], named: Mapping[Node, int] = _NOBODY) -> str:
    """Return what a filled program asks, the same for whatever is the same question in other words: without
    descriptions that say nothing, and with the two sides of "or", "and", "as many" and "more" in one order.

    Instead of the words for an object that is `named`, by the `unique` of these words, its number stands.
    """
    if node in named:
        return f"#{named[node]}"
    reads = [asked(child, slots, named) for child in node.reads]
    said = slots[node.slot] if node.slot else ""
    if node.op == "filter" and not any(said):
        return reads[0]
    if node.op in _TURNED:
        reads.reverse()
    elif node.op.startswith(_EITHER_WAY):
        reads.sort()
    return f"{_TURNED.get(node.op, node.op)}[{said}]({', '.join(reads)})"


def check_templates(templates: Sequence[Template]) -> None:
    """Raise InputError at the first template whose program, slots and texts do not fit together."""
    seen: set[str] = set()
    for t in templates:
        if t.id in seen:
            raise InputError(f"template {t.id}: the id is used twice; ids must differ")
        seen.add(t.id)
        slots = set(t.descriptions) | set(t.relations)
        for text in t.texts:
            named = {m.group(2) for m in SLOT.finditer(text)}
            if named != slots:
                raise InputError(
                    f"template {t.id}: {text!r} names {sorted(named)}, its program {sorted(slots)}"
                )
        ends = OPERATORS[t.tree.op][0].gives
        wanted = {"exist": Kind.BOOL, "compare": Kind.BOOL, "count": Kind.NUMBER}.get(t.asks)
        if ends.value != t.asks and ends is not wanted:
            raise InputError(f"template {t.id}: asks {t.asks}, but its program gives a {ends.value}")


SLOT = re.compile(r"\{(?:(the|a|pl):)?([A-Za-z])\}")
