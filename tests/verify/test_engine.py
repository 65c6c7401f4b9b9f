"""What is undecided is taken every way; operators are declared once for each kind of scene."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fathom.verify.engine  # noqa: F401 (fills the table of operators)
from fathom.verify.registry import OPERATORS, STILL, SceneKind, declare
from fathom.verify.undecided import MOST, Assumptions, InsufficientEvidence, NoAnswer, OpenPolicy, settled

EACH = OpenPolicy()
PUBLISHED = OpenPolicy(together=True)
FATHOM = OpenPolicy(together=True, none=True)


def asked(count: int, answer: Callable[[list[bool]], str]) -> Callable[[Assumptions], str]:
    """A program that asks so many questions that cannot be decided."""
    return lambda assumptions: answer([assumptions.take(k, None) for k in range(count)])


def none(taken: list[bool]) -> str:
    raise NoAnswer


def blind(taken: list[bool]) -> str:
    raise InsufficientEvidence


def both(taken: list[bool]) -> str:
    return "same" if taken[0] == taken[1] else "other"


@pytest.mark.parametrize("policy", [EACH, PUBLISHED, FATHOM])
def test_an_answer_that_hangs_on_nothing_undecided_stands(policy: OpenPolicy) -> None:
    assert settled(lambda a: str(a.take("sure", True)), "", policy) == "True"
    assert settled(asked(3, lambda taken: "always"), "", policy) == "always"
    assert settled(asked(0, none), "", policy) == ""
    assert settled(asked(0, blind), "", policy) is None


@pytest.mark.parametrize(("policy", "found"), [(EACH, None), (PUBLISHED, None), (FATHOM, "")])
def test_answers_that_differ(policy: OpenPolicy, found: str | None) -> None:
    assert settled(asked(1, lambda taken: str(taken[0])), "", policy) == found


def test_only_what_is_taken_each_on_its_own_meets_a_mixture() -> None:
    assert settled(asked(2, both), "", EACH) is None
    assert settled(asked(2, both), "", PUBLISHED) == "same"


@pytest.mark.parametrize(("policy", "found"), [(EACH, ""), (PUBLISHED, None), (FATHOM, "")])
def test_no_answer_either_way_may_be_one_for_a_mixture(policy: OpenPolicy, found: str | None) -> None:
    assert settled(asked(1, none), "", policy) == found


def test_one_question_is_taken_the_same_way_throughout() -> None:
    assert settled(lambda a: str(a.take("q", None) == a.take("q", None)), "", EACH) == "True"


def test_too_many_ways_decide_nothing() -> None:
    enough = MOST.bit_length() - 1
    assert settled(asked(enough, lambda taken: "always"), "", EACH) == "always"
    assert settled(asked(enough + 1, lambda taken: "always"), "", EACH) is None


def test_a_second_declaration_for_a_kind_of_scenes_is_refused() -> None:
    assert "count" in OPERATORS[SceneKind.STILL]
    with pytest.raises(ValueError, match="there are two declarations"):
        declare(STILL, {"count": OPERATORS[SceneKind.STILL]["count"].act})


def test_an_operator_on_two_kinds_of_scenes_is_one_declaration() -> None:
    assert OPERATORS[SceneKind.STILL]["count"] is OPERATORS[SceneKind.ANIMATION]["count"]
    assert "count" not in OPERATORS[SceneKind.VIDEO]
