"""Templates: what a family of questions asks, in which words, and by which program.

There is one language for stills, animated objects and videos. Programs and texts are written as
`fathom.questions.notation` says; the files that hold templates are read by `fathom.questions.template_files`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from fathom.programs.engine import operators_on
from fathom.programs.values import Scenes, ValueType
from fathom.questions.notation import OperatorNode, filled_program, in_order, parsed, slots_in
from fathom.records import InputError, Step

OPERATORS = operators_on(Scenes.STILL)

Words = tuple[str, str, str]
"""A description: size, color and shape word, "" where it says nothing."""

Limits = tuple[tuple[str, ...], tuple[str, ...] | None]
"""What a description must not mention; what it must mention, and nothing else, None where it is free."""

YES_NO = ("yes", "no")


class Template(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """A family of questions.

    scenes : the scenes that it is asked of
    section : where the paper speaks of such questions
    asks : what the answer is. Of stills: shape, color, size, pose, count, exist or compare. Of animated
        objects: where the choices come from (`fathom.questions.distractors.pools`). Of videos: number,
        centre, box, pose, trajectory, words or order
    texts : its wordings, of which one is drawn
    slots : of animated objects, slot → what it can be filled with
    weight : its share of the questions of its task, beside those of the other templates

    Of stills:

    without, only : description → what it must not mention; what it must mention, and nothing else
    apart : pairs of descriptions of which neither may cover the other
    possible : the answers that are asked for; empty: all of their kind
    rules : the rule sets that it belongs to; empty: all
    kind : in words what it takes to answer ("two hops"), for tables
    effort : how many candidates a scene should offer, against other templates
    growth : by which power of its number of objects grows what a scene offers
    patience : after how many tries in vain an answer, and the template, are given up in a scene

    Of animated objects:

    other : whether the answer is the choice that is not in the set that the program gives
    once : whether it is asked of an asset only once with the same words: what is asked is always so there
    near : how many false choices at least are true of something else in the film
    never : answers that it is never asked for: false choices at most
    least : the smallest number that is asked for: what is not there cannot be seen
    balanced : templates of a task that say the same here have their answers balanced together
    hard : whether it is asked only where it takes several views or times, or world knowledge is wrong: at one
        look it is trivial

    Of videos:

    texts_of : wordings by the shape of the object, where there are none for any ("front": it has a known
        front, and is not longer than wide, "long": it is; "sides": its front is not known, but one side is
        longer, "round": it is as wide as long, "handled": but for its handle)
    texts_to_side : wordings for where all options are on one side, `{side}`
    of_turns : what is added where the answer tells of turns
    moving : whether it is asked only of what moves in the span
    sides : whether an angle is told as "35° to the right"
    settings : where it is asked
    options : what is chosen from, where there is always the same choice: answer → how it is written, in which
        `{a}` is the first object; the wordings then say no time
    opposite_of : the id of the template of which it asks the opposite, of the same objects
    because : why the answer is right; `{a}` and `{b}` are the objects, `{answer}` is the answer
    """

    id: str
    task: str
    scenes: Scenes
    program: str
    asks: str
    texts: tuple[str, ...] = ()
    section: str = ""
    slots: dict[str, str] = {}
    weight: float = 1.0

    without: dict[str, tuple[str, ...]] = {}
    only: dict[str, tuple[str, ...]] = {}
    apart: tuple[tuple[str, str], ...] = ()
    possible: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    kind: str = ""
    effort: float = 1.0
    growth: float = 0.0
    patience: int = 6

    other: bool = False
    once: bool = False
    near: int = 0
    never: tuple[str, ...] = ()
    least: int = 1
    balanced: str = ""
    hard: bool = False

    texts_of: dict[str, tuple[str, ...]] = {}
    texts_to_side: tuple[str, ...] = ()
    of_turns: str = ""
    moving: bool = False
    sides: bool = False
    settings: tuple[str, ...] = ()
    options: dict[str, str] = {}
    opposite_of: str = ""
    because: str = ""

    def __hash__(self) -> int:
        """Return the hash of its id: what it consists of is compared, but not hashed."""
        return hash(self.id)

    @cached_property
    def tree(self) -> OperatorNode:
        """The program as a tree. Raises InputError where it cannot be read."""
        try:
            return parsed(self.program, operators_on(self.scenes))
        except InputError as e:
            raise InputError(f"template {self.id}: {e}") from e

    @cached_property
    def nodes(self) -> tuple[OperatorNode, ...]:
        """The tree's nodes in the order in which they are computed."""
        return tuple(in_order(self.tree))

    @cached_property
    def descriptions(self) -> tuple[str, ...]:
        """The slots for descriptions."""
        return tuple(n.slot for n in self.nodes if n.op == "filter")

    @cached_property
    def limits(self) -> dict[str, Limits]:
        """What each description may mention."""
        return {slot: (self.without.get(slot, ()), self.only.get(slot)) for slot in self.descriptions}

    @cached_property
    def slot_names(self) -> tuple[str, ...]:
        """The slots for descriptions and relation words, in the order of the alphabet."""
        return tuple(sorted({*self.descriptions, *self.relations}))

    @cached_property
    def compared(self) -> OperatorNode | None:
        """The filter that describes the second of two things that are compared, if the template does that."""
        if not self.tree.op.startswith("equal_") or self.tree.op == "equal_integer":
            return None
        return self.tree.reads[1].reads[0].reads[0]

    @cached_property
    def chain(self) -> tuple[OperatorNode, ...]:
        """The filters of a chain of two or more relations, from the first anchor on but for the last."""
        line, filters = self.tree, []
        while len(line.reads) == 1:
            line = line.reads[0]
            if line.op == "filter":
                filters.append(line)
        return tuple(reversed(filters[1:])) if not line.reads and len(filters) > 2 else ()

    @cached_property
    def joint(self) -> OperatorNode | None:
        """The filter that describes what stands in two relations at once, if the template has one."""
        return next((n for n in self.nodes if n.op == "filter" and len(n.related) == 2), None)

    @cached_property
    def uniques(self) -> tuple[OperatorNode, ...]:
        """The nodes that single out one object, in the order in which they are computed."""
        return tuple(n for n in self.nodes if n.op == "unique")

    @cached_property
    def set_nodes(self) -> tuple[OperatorNode, ...]:
        """The filters that describe sets: those that no `unique` reads."""
        singled = {n.reads[0] for n in self.nodes if n.op == "unique"}
        return tuple(n for n in self.nodes if n.op == "filter" and n not in singled)

    @cached_property
    def tail(self) -> str:
        """The program below a query of size, color or shape of a described object; "" where it asks for
        something else.
        """
        op, _, rest = self.program.partition(" ")
        asks = op in ("query_size", "query_color", "query_shape") and rest.startswith("unique ")
        return f"{self.task} {rest}" if asks else ""

    @cached_property
    def direct(self) -> bool:
        """Whether everything hangs on one object alone: "the color of what the red suv would hit"."""
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
            if n.takes is ValueType.OBJECT and OPERATORS[n.op][0].gives is ValueType.OBJECTS
        )

    @cached_property
    def sets(self) -> int:
        """The number of sets that are described: 0, 1 or 2."""
        return len(self.set_nodes)

    @cached_property
    def relations(self) -> dict[str, str]:
        """The slots for relation words, each with its operator."""
        return {n.slot: n.op for n in self.nodes if n.slot and n.op != "filter"}

    @cached_property
    def quantity(self) -> str:
        """What its last operator measures, as the operators call it."""
        return self.tree.op

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """The slots for objects of a video."""
        return tuple(n.slot for n in self.nodes if not n.op)

    @cached_property
    def of_camera(self) -> bool:
        """Whether it asks about the camera of a video, alone or with an object."""
        return not self.objects or any(n.op == "camera" for n in self.nodes)

    @cached_property
    def of_one(self) -> bool:
        """Whether it asks about one object of a video, and not where it is from the camera."""
        return len(self.objects) == 1 and not self.of_camera

    @cached_property
    def when(self) -> str:
        """What a question about a video states: a "time", a "span", or nothing ("")."""
        ops = {n.op for n in self.nodes}
        return "span" if "span" in ops else "time" if "at" in ops else ""

    @cached_property
    def into_first(self) -> bool:
        """Whether it asks in the frame of the camera at the start of the video."""
        return START in slots_in(self.tree)


START = "start"
"""The slot for when a video begins."""


@dataclass(frozen=True)
class Fill:
    """What fills a slot of animated objects: the argument or the steps it stands for, how it is said in each
    form, and what it names, so that no choice does.
    """

    key: str
    said: Mapping[str, tuple[str, ...]]
    steps: tuple[Step, ...] = ()
    names: tuple[str, ...] = ()


def animated_steps(template: Template, fills: Mapping[str, Fill]) -> tuple[Step, ...]:
    """Return the program of a template of animated objects with its slots filled."""
    words = {slot: f.key for slot, f in fills.items()}
    return filled_program(template.tree, words, {slot: f.steps for slot, f in fills.items()})


def with_choice(template: Template, steps: Sequence[Step], keys: Sequence[str]) -> tuple[Step, ...]:
    """Return a program that ends in the choice among four keys."""
    op = "choose_other" if template.other else "choose"
    return (*steps, Step(op=op, inputs=(len(steps) - 1,), args=tuple(keys)))
