"""Forms: what a family of questions about films asks, in which words, and by which program.

A program is written as it is read, from the answer back to the film:

    verb next actions the filter_verb:$V actions       (what is done right after V)

`$V` is a slot; after a colon it is an argument, by itself it stands for steps ("$M": a moment). The step that
chooses among the choices is added when these are known. Texts name slots and how they are said: `{V.ing}`,
`{M}`; `{actor}` is what the actor is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.programs.engine import operators_on
from fathom.programs.values import Scenes
from fathom.records import InputError, Step

OPERATORS = operators_on(Scenes.ANIMATED)
SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")

KINDS = (
    "verb", "event", "three", "moment", "thing", "standing", "changing", "name", "steady name",
    "steady color", "color", "side", "part", "countable verb", "changing part", "part color", "limb", "place",
    "steady place", "change", "changer", "event kind", "time", "turning", "instant",
)  # fmt: skip
"""What a slot can be filled with."""

OPTIONS = (
    "verbs", "absent verbs", "other verbs", "happenings", "own happenings", "orders", "numbers",
    "even numbers", "sides", "views", "ways", "goes", "limbs", "names", "things", "colors", "part colors",
    "parts",
)  # fmt: skip
"""Where the choices of a form come from: see `fathom.questions.distractors.pools`."""


@dataclass(frozen=True)
class Form:
    """A family of questions.

    slots : slot → its kind
    options : where the choices come from
    other : whether the answer is the choice that is not in the set that the program gives
    weight : how often it is asked, against the other forms of its task
    once : whether it is asked of an asset only once with the same words: what is asked is always so there
    near : how many false choices at least are true of something else in the film
    least : the smallest number that is asked for: what is not there cannot be seen
    hard : whether it is asked only where it takes several views or times, or world knowledge is wrong: at one
        look it is trivial
    """

    id: str
    task: str
    program: str
    texts: tuple[str, ...]
    options: str
    slots: Mapping[str, str] = field(default_factory=dict)
    other: bool = False
    weight: float = 1.0
    once: bool = False
    near: int = 0
    least: int = 1
    hard: bool = False


@dataclass(frozen=True)
class Fill:
    """What fills a slot: the argument or the steps it stands for, how it is said in each form, and what it
    names, so that no choice does.
    """

    key: str
    said: Mapping[str, tuple[str, ...]]
    steps: str = ""
    names: tuple[str, ...] = ()


def steps_of(form: Form, fills: Mapping[str, Fill]) -> tuple[Step, ...]:
    """Return the program of a form with its slots filled; equal branches are computed once.

    Raises InputError where the program cannot be read.
    """
    tokens = list(_tokens(form, fills))
    steps: list[Step] = []

    def add() -> int:
        if not tokens:
            raise InputError(f"form {form.id}: the program ends where an operator still needs something")
        op, *args = tokens.pop(0)
        if op not in OPERATORS:
            raise InputError(f"form {form.id}: there is no operator {op}")
        inputs = tuple(add() for _ in OPERATORS[op][0].takes)
        step = Step(op=op, inputs=inputs, args=tuple(args))
        if step not in steps:
            steps.append(step)
        return steps.index(step)

    add()
    if tokens:
        raise InputError(f"form {form.id}: {tokens[0][0]} is left over; every operator needs a reader")
    return tuple(steps)


def _tokens(form: Form, fills: Mapping[str, Fill]) -> Iterator[list[str]]:
    for word in form.program.split():
        if word.startswith("$"):
            yield from ([*t.split("\t")] for t in fills[word[1:]].steps.split("\n"))
            continue
        op, _, arg = word.partition(":")
        if arg.startswith("$"):
            arg = fills[arg[1:]].key
        yield [op, arg] if arg else [op]


def written(*tokens: str) -> str:
    """Return steps as a fill keeps them; an argument follows its operator after a tab."""
    return "\n".join(tokens)


def with_choice(form: Form, steps: Sequence[Step], keys: Sequence[str]) -> tuple[Step, ...]:
    """Return a program that ends in the choice among four keys."""
    last = Step(op="choose_other" if form.other else "choose", inputs=(len(steps) - 1,), args=tuple(keys))
    return (*steps, last)


def check_forms(forms: Sequence[Form]) -> None:
    """Raise InputError at the first form whose program, slots and texts do not fit together."""
    seen: set[str] = set()
    for f in forms:
        if f.id in seen:
            raise InputError(f"form {f.id}: the id is used twice; ids must differ")
        seen.add(f.id)
        used = {m.removeprefix("$") for m in re.findall(r"\$\w+", f.program)}
        if used != set(f.slots):
            raise InputError(f"form {f.id}: its program uses {sorted(used)}, its slots are {sorted(f.slots)}")
        unknown = [k for k in f.slots.values() if k not in KINDS]
        if unknown or f.options not in OPTIONS:
            raise InputError(f"form {f.id}: unknown kind {unknown or f.options}")
        for text in f.texts:
            named = {m.group(1) for m in SLOT.finditer(text)} - {"actor", "Actor"}
            wanted = {slot for slot, kind in f.slots.items() if kind != "three"}
            if named != wanted:
                raise InputError(f"form {f.id}: {text!r} names {sorted(named)}, not {sorted(wanted)}")
