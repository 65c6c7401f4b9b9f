"""Whether every word of a question is needed.

A filter is dropped by letting everything pass, a relation by letting it hold for everything but its anchor. A
word is needed when dropping it certainly changes the answer, where having no answer (several things fit) is a
change. A relation must do more: whoever ignores it and takes any of the things that then fit may come to the
right answer all the same. So each of them is followed through the rest of the program, and one at least must
lead to another answer, or to none. Where dropping can only enlarge a set that the answer yes, a "more than",
or the larger of two unequal counts already rests on, dropping can never change anything; then some
replacement must: another value that occurs in the scene, another word of the relation's family, or another
anchor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from fathom.programs.engine import Plan, args_of, evaluate, plan_of
from fathom.programs.facts import Facts
from fathom.programs.operators import Kind, Stop, Value
from fathom.records import Step

_FILTERS = ("filter_", "partfilter_")
_ATTRIBUTES = tuple(f"{kind}{name}" for kind in _FILTERS for name in ("size", "color", "shape"))
_NO_ANSWER = "no answer"
_OPEN = "open"


@lru_cache(maxsize=65536)
def droppable(plan: Plan) -> tuple[int, ...]:
    """Return the steps that a question's words stand for: filters and relations."""
    return tuple(
        k
        for k, o in enumerate(plan.operators)
        if o.name.startswith(_FILTERS)
        or (o.gives is Kind.SET and o.takes == (Kind.OBJECT,) and o.name != "others")
    )


def is_relation(plan: Plan, step: int) -> bool:
    """Return whether a step's words say how things stand to one another or to the camera, and not what they
    are.
    """
    return plan.operators[step].name not in _ATTRIBUTES


@lru_cache(maxsize=65536)
def singling(plan: Plan) -> tuple[tuple[int, int], ...]:
    """Return the relations that help to single out one thing, each with the step that does so."""
    found = []
    for k in droppable(plan):
        reader = k
        while is_relation(plan, k) and plan.operators[reader].gives is plan.operators[k].gives:
            readers = [r for r, inputs in enumerate(plan.inputs) if reader in inputs]
            if len(readers) != 1:
                break
            reader = readers[0]
            if plan.operators[reader].name == "unique":
                found.append((k, reader))
    return tuple(found)


def unneeded(program: Sequence[Step], facts: Facts, values: Sequence[Value] | None = None) -> tuple[int, ...]:
    """Return the steps of a program that could be dropped without certainly changing its answer.

    `values` are those of its trace, where it has run.
    """
    plan, args = plan_of(program), args_of(program)
    if values is None:
        values = evaluate(plan, args, facts, [])
    return tuple(k for k in droppable(plan) if not is_needed(plan, args, facts, values, k))


def is_needed(plan: Plan, args: Sequence[str], facts: Facts, values: Sequence[Value], step: int) -> bool:
    """Return whether one filter or relation is needed; `values` are those of the whole program."""
    answer = values[-1]
    before = list(values[:step])
    if is_relation(plan, step):
        if _leads_elsewhere(plan, args, facts, before, step, answer):
            return True
    elif _changes(_outcome(plan, args, facts, before, step), answer):
        return True
    if not _only_grows(plan, step, values):
        return False
    return any(
        _changes(_outcome(plan, args, facts, [*values[:step], v], -1), answer)
        for v in _replacements(plan, args, facts, values, step)
    )


def _leads_elsewhere(
    plan: Plan, args: Sequence[str], facts: Facts, values: list[Value], without: int, answer: Value
) -> bool:
    """Return whether a program without one step comes, for one at least of the things that several may fit,
    certainly to another answer or to none.
    """
    outcome = _outcome(plan, args, facts, values, without)
    if outcome is _NO_ANSWER and plan.operators[len(values)].name == "unique":
        fitting = values[plan.inputs[len(values)][0]][0]
        if fitting:
            return any(
                _leads_elsewhere(plan, args, facts, [*values, k], without, answer)
                for k in range(fitting.bit_length())
                if fitting >> k & 1
            )
    return _changes(outcome, answer)


def _changes(outcome: Value, answer: Value) -> bool:
    if isinstance(outcome, range):
        return answer not in outcome
    return outcome is not _OPEN and (outcome is _NO_ANSWER or outcome != answer)


def _outcome(plan: Plan, args: Sequence[str], facts: Facts, values: list[Value], without: int) -> Value:
    """Return what a program comes to: a value, no answer, open, or for an open count the span that it is
    in.
    """
    try:
        return evaluate(plan, args, facts, values, without)[-1]
    except Stop as stop:
        if not stop.open:
            return _NO_ANSWER
        last = len(plan.operators) - 1
        if len(values) == last and plan.operators[last].name == "count":
            yes, maybe = values[plan.inputs[last][0]]
            return range(yes.bit_count(), maybe.bit_count() + 1)
        return _OPEN


def _only_grows(plan: Plan, step: int, values: Sequence[Value]) -> bool:
    """Return whether a larger set at `step` can never change the answer, the last of the values."""
    answer = values[-1]
    k = step
    while True:
        readers = [r for r, inputs in enumerate(plan.inputs) if k in inputs]
        if len(readers) != 1:
            return False
        reader = readers[0]
        name = plan.operators[reader].name
        if name == "exist":
            return answer is True and reader == len(plan.operators) - 1
        if name == "greater_than":
            return bool(answer) is (plan.inputs[reader][0] == k)
        if name == "less_than":
            return bool(answer) is (plan.inputs[reader][1] == k)
        if name == "equal_integer":
            one, two = plan.inputs[reader]
            return not answer and values[k] > values[two if k == one else one]
        if name != "count" and plan.operators[reader].gives is not Kind.SET:
            return False
        k = reader


def _replacements(
    plan: Plan, args: Sequence[str], facts: Facts, values: Sequence[Value], step: int
) -> Iterator[Value]:
    """Yield the values that a step would have with other words."""
    operator = plan.operators[step]
    inputs = [values[i] for i in plan.inputs[step]]
    words: Sequence[str] = operator.args or ()
    if operator.free_args and operator.takes == (Kind.SET,):
        marks = facts.marks[operator.name.removeprefix("filter_")]
        own = marks.get(args[step], (0, 0))
        # A class and one of its shapes are no rivals: they overlap.
        words = [w for w, m in marks.items() if w and not m[1] & own[1]]
    for word in words:
        if word != args[step]:
            yield operator.act(facts, inputs, word)
    if operator.takes == (Kind.OBJECT,):
        for other in range(facts.n):
            if other != inputs[0]:
                try:
                    value = operator.act(facts, [other], args[step])
                except Stop:  # what is not known of another thing shows no need
                    continue
                yield value
