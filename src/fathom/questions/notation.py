"""How programs and texts of templates are written.

A program is written as it is read, from the answer back to the scene:

    query_color unique filter:$B relate:$r unique filter:$A scene      (a still)
    verb next actions the filter_verb:$V actions                       (animated objects)
    displacement $a span:$s:$e                                         (a video)

An operator takes what stands behind it, as many as it has inputs. After colons stand its arguments, in quotes
where they have spaces. `$V` is a slot: as an argument it stands for a word, by itself for steps that select
something. In a text, `{V}` is what fills a slot, and `{V.ing}` another form of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fathom.programs.registry import Operator
from fathom.programs.values import ValueType
from fathom.records import InputError, Step

SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
"""A slot in a text, and the form of what fills it."""

_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+')
_PART = re.compile(r':("[^"]*"|[^:"]*)')

Operators = Mapping[str, Sequence[Operator]]

DESCRIBED = "filter"
"""What is written where a description narrows a set: up to three operators, one a word of it."""


@dataclass(frozen=True, eq=False)
class OperatorNode:
    """One operator of a template's program, its arguments (slots with their $), and what it reads.

    A slot that stands for steps has no operator.
    """

    op: str
    args: tuple[str, ...]
    reads: tuple[OperatorNode, ...]
    takes: ValueType | None = None

    @cached_property
    def slot(self) -> str:
        """The slot that is its argument, or that it is; "" for none."""
        return next((a[1:] for a in self.args if a.startswith("$")), "")

    @cached_property
    def related(self) -> tuple[OperatorNode, ...]:
        """The relations whose objects a description narrows."""
        branches = self.reads[0].reads if self.reads[0].op == "intersect" else self.reads
        return tuple(b for b in branches if b.takes is ValueType.OBJECT)


def parsed(program: str, operators: Operators) -> OperatorNode:
    """Return a program as a tree. Raises InputError where it cannot be read.

    Where the first operator can take fewer inputs or more, all that is written decides.
    """
    tokens = _TOKEN.findall(program)
    first = tokens[0].partition(":")[0] if tokens else ""
    counts = sorted({len(o.takes) for o in operators.get(first, ())}) or [0]
    for last, count in ((n == counts[-1], n) for n in counts):
        try:
            node, rest = _parsed(tokens, operators, count)
        except InputError:
            if last or len(counts) == 1:
                raise
            continue
        if not rest:
            return node
    raise InputError(f"{' '.join(rest)!r} is left over; every operator needs a reader")


def _parsed(tokens: Sequence[str], operators: Operators, count: int = -1) -> tuple[OperatorNode, list[str]]:
    if not tokens:
        raise InputError("the program ends too early; an operator still needs something")
    token, rest = tokens[0], list(tokens[1:])
    if token.startswith("$"):
        return OperatorNode("", (token,), ()), rest
    op = token.partition(":")[0]
    args = tuple(a.strip('"') for a in _PART.findall(token[len(op) :]))
    if op == DESCRIBED and "scene" in operators:
        takes: tuple[ValueType, ...] = (ValueType.OBJECTS,)
    elif op in operators:
        takes = operators[op][0].takes
    else:
        raise InputError(f"{op!r}: no such operator; there are {', '.join(operators)}")
    reads = []
    for _ in range(len(takes) if count < 0 else count):
        node, rest = _parsed(rest, operators)
        reads.append(node)
    return OperatorNode(op, args, tuple(reads), takes[0] if len(takes) == 1 else None), rest


def in_order(node: OperatorNode) -> list[OperatorNode]:
    """Return a tree's nodes in the order in which they are computed."""
    return [n for child in node.reads for n in in_order(child)] + [node]


def slots_in(node: OperatorNode) -> Iterator[str]:
    """Yield the slots of a program, in the order in which they are computed."""
    for n in in_order(node):
        yield from (a[1:] for a in n.args if a.startswith("$"))


def filled_program(
    node: OperatorNode, words: Mapping[str, str], selected: Mapping[str, Sequence[Step]]
) -> tuple[Step, ...]:
    """Return a program with its slots filled: arguments by words, what is selected by steps.

    Steps that are the same are done once.
    """
    steps: list[Step] = []
    places: dict[Step, int] = {}

    def put(op: str, inputs: tuple[int, ...], args: tuple[str, ...]) -> int:
        step = Step(op=op, inputs=inputs, args=args)
        if step not in places:
            places[step] = len(steps)
            steps.append(step)
        return places[step]

    def add(n: OperatorNode) -> int:
        if n.op:
            reads = tuple(add(child) for child in n.reads)
            return put(n.op, reads, tuple(words[a[1:]] if a.startswith("$") else a for a in n.args))
        at: list[int] = []
        for s in selected[n.slot]:
            at.append(put(s.op, tuple(at[i] for i in s.inputs), s.args))
        return at[-1]

    add(node)
    return tuple(steps)


def chained(*steps: str | tuple[str, ...]) -> tuple[Step, ...]:
    """Return steps of which each reads the one behind it: ("the", ("pick", "a"), "events"); an operator with
    arguments stands with them.
    """
    out: list[Step] = []
    for step in reversed(steps):
        op, *args = (step,) if isinstance(step, str) else step
        out.append(Step(op=op, inputs=(len(out) - 1,) if out else (), args=tuple(args)))
    return tuple(out)


def slots_of_text(text: str) -> set[str]:
    """Return the slots that a text names."""
    return {m.group(1) for m in SLOT.finditer(text)}


def filled_text(text: str, said: Callable[[str, str], str]) -> str:
    """Return a text with its slots filled: `said` gives the words of a slot in a form ("": plain)."""
    first, slots = _pieces(text)
    return "".join([first, *[said(slot, form) + after for slot, form, after in slots]])


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, tuple[tuple[str, str, str], ...]]:
    """Return what a text begins with, and each of its slots with its form and what comes behind it."""
    first, *rest = SLOT.split(text)
    return first, tuple((rest[k], rest[k + 1] or "", rest[k + 2]) for k in range(0, len(rest), 3))
