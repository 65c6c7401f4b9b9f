"""Whether a draft becomes a candidate: it is decided, each word is needed, and none gives the answer away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from fathom.programs.degeneracy import droppable, is_needed, is_relation, singling
from fathom.programs.engine import CompiledProgram, evaluate, text_of
from fathom.programs.registry import Operator, ProgramRun
from fathom.programs.values import Unanswerable, ValueType
from fathom.programs.views.still import StillView
from fathom.questions.asking import Asking, Slots, StillCandidate
from fathom.questions.described import COMPARED
from fathom.questions.drafts import ATTRIBUTES, OPERATORS, Draft
from fathom.questions.notation import DESCRIBED, OperatorNode
from fathom.questions.templates import Template, Words


def planned(
    template: Template, slots: Mapping[str, Words | str]
) -> tuple[CompiledProgram, list[tuple[str, ...]]]:
    """Return the plan of a filled template, and the arguments of every step."""
    said = [slots[d] for d in template.descriptions]
    masks = tuple([(w[0] != "", w[1] != "", w[2] != "") for w in said])
    plan, sources = _layout(template, masks)
    return plan, [(slots[name][a] if a >= 0 else slots[name],) if name else () for name, a in sources]  # type: ignore[misc]


FILTERS = tuple([OPERATORS[f"filter_{attribute}"][0] for attribute in ATTRIBUTES])
"""What stands for each word of a description."""


@lru_cache(maxsize=65536)
def _layout(
    template: Template, masks: tuple[tuple[bool, bool, bool], ...]
) -> tuple[CompiledProgram, tuple[tuple[str, int], ...]]:
    """Return the plan of a template whose descriptions have these words, and for each step the slot of its
    argument and the word in it.

    A description is up to three filters. A step without argument has the slot ""; the word of a relation slot
    is −1.
    """
    found: list[Operator] = []
    inputs: list[tuple[int, ...]] = []
    sources: list[tuple[str, int]] = []
    ends: list[int] = []
    said = iter(masks)
    for operator, reads, slot in _outline(template):
        if operator is not None:
            found.append(operator)
            inputs.append(tuple([ends[n] for n in reads]))
            sources.append((slot, -1))
            ends.append(len(found) - 1)
            continue
        last = ends[reads[0]]
        for word, has in enumerate(next(said)):
            if has:
                found.append(FILTERS[word])
                inputs.append((last,))
                sources.append((slot, word))
                last = len(found) - 1
        ends.append(last)
    return CompiledProgram(tuple(found), tuple(inputs)), tuple(sources)


@lru_cache(maxsize=4096)
def _outline(template: Template) -> tuple[tuple[Operator | None, tuple[int, ...], str], ...]:
    """Return what each node of a template does, which nodes it reads, and its slot; None for a description.

    That it all fits together was checked when the template was read.
    """
    places: dict[OperatorNode, int] = {}
    gives: list[ValueType] = []
    out: list[tuple[Operator | None, tuple[int, ...], str]] = []
    for node in template.nodes:
        reads = tuple([places[child] for child in node.reads])
        kinds = tuple([gives[n] for n in reads])
        operator = None
        if node.op != DESCRIBED:
            operator = next(o for o in OPERATORS[node.op] if o.takes == kinds)
        places[node] = len(out)
        gives.append(kinds[0] if operator is None else operator.gives)
        out.append((operator, reads, node.slot))
    return tuple(out)


def _doubtful(template: Template, plan: CompiledProgram, answer: str) -> Sequence[int]:
    """Return the steps that may not be needed; the words of all others were chosen so that they are."""
    if template.tree.op in COMPARED or template.bare or answer == "yes":
        return _beside_names(plan)
    return _singling(plan, plan.inputs[-1][0] if template.tail else -1)


@lru_cache(maxsize=65536)
def _beside_names(plan: CompiledProgram) -> tuple[int, ...]:
    """Return the filters and relations but for the filters that name one object: without any of their words
    several objects certainly fit.
    """
    names = {plan.inputs[k][0] for k in plan.singled}
    found = []
    for k in reversed(droppable(plan)):
        if k in names and not is_relation(plan, k):
            names.add(plan.inputs[k][0])
        else:
            found.append(k)
    return tuple(reversed(found))


@lru_cache(maxsize=65536)
def _singling(plan: CompiledProgram, last: int) -> tuple[int, ...]:
    """Return the relations that help to single out one object, but for that of the step `last`."""
    return tuple(k for k, single in singling(plan) if single != last)


@dataclass(frozen=True)
class Checker:
    """Checks the drafts of one scene, and counts in `tried` what became of them; `hard` is at work on the
    scene's facts hardened by the jitter test, where there are any.

    The same words are often proposed again: what they came to is kept.
    """

    run: ProgramRun[StillView]
    hard: ProgramRun[StillView]
    asking: Asking
    tried: Counter[str]
    known: dict[tuple[str, Slots], tuple[str, StillCandidate | None]] = field(default_factory=dict)

    def checked(self, template: Template, draft: Draft) -> StillCandidate | None:
        """Return the candidate if it passes every check; what fails is counted by its reason."""
        filled = draft.slots
        slots = tuple([(name, filled[name]) for name in template.slot_names])
        found = self.known.get((template.id, slots))
        if found is None:
            found = self.known[template.id, slots] = self._judged(template, draft, slots)
        self.tried[found[0]] += 1
        return found[1]

    def _judged(self, template: Template, draft: Draft, slots: Slots) -> tuple[str, StillCandidate | None]:
        """Return what becomes of a draft, and the candidate if it passes every check."""
        if self._given_away(template, draft):
            return "words give it away", None
        plan, args = planned(template, draft.slots)
        try:
            # What is decided in the hardened facts is decided in the scene, and is the same there.
            values = evaluate(plan, args, self.hard, [])
            doubtful = _doubtful(template, plan, text_of(values[-1])) if self.asking.enforce else ()
            if doubtful:
                values = evaluate(plan, args, self.run, [])
        except Unanswerable as stop:
            return "undecided" if stop.open else "no answer", None
        answer, allowed = text_of(values[-1]), self.asking.vocabulary.answers(template)
        ruled_out = self._ruled_out(template, draft)
        left = [a for a in allowed if a not in ruled_out]
        if answer not in left or len(left) < 2:
            return "answer not asked for", None
        if not all(is_needed(plan, args, self.run, values, k) for k in doubtful):
            return "word not needed", None
        named = tuple([values[k] for k in plan.singled])
        view = self.run.view
        return "accepted", StillCandidate(view.scene, template.id, slots, answer, ruled_out, named, view.n)

    def _ruled_out(self, template: Template, draft: Draft) -> frozenset[str]:
        if template.asks not in ("size", "color", "shape") or not draft.unique_words:
            return frozenset()
        known, target, _ = draft.unique_words[-1]
        if target != draft.objects[-1]:
            known, target = ("", "", ""), draft.objects[-1]
        out: frozenset[str] = frozenset()
        for words, k, anywhere in draft.unique_words:
            if anywhere and k != target:
                out |= self.asking.vocabulary.ruled_out(template.asks, words, known)
        return out

    def _given_away(self, template: Template, draft: Draft) -> bool:
        """Return whether the words alone give an answer: a set inside a single object's description, or two
        alike.
        """
        covers = self.asking.vocabulary.covers
        for some in draft.set_words:
            for words, _, _ in draft.unique_words:
                if covers(words, some):
                    return True
        for a, b in template.apart:
            one, two = draft.slots[a], draft.slots[b]
            assert not isinstance(one, str) and not isinstance(two, str)
            if covers(one, two) or covers(two, one):
                return True
        return False
