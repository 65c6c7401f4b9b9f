"""Operators that a benchmark brings along: entered into the tables of both derivations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import fathom.programs.operators
import fathom.verify.operators  # noqa: F401 (the project's own come first, so that no name is taken twice)
from fathom.named import named_attribute
from fathom.programs.registry import Operator, declare
from fathom.records import InputError
from fathom.verify.registry import VerifyOperator, enter


@cache
def enter_operators(operators: str, verification: str) -> None:
    """Enter the operators that two "module:attribute" name, once a process; "" names none.

    operators : names a tuple of `fathom.programs.registry.Operator`
    verification : names a tuple of `fathom.verify.registry.VerifyOperator`, of the second derivation

    Raises InputError where one of them is no such tuple, or a name is taken.
    """
    _enter(operators, "operators", Operator, declare)
    _enter(verification, "verification", VerifyOperator, enter)


def _enter(where: str, field: str, kind: type, into: Callable[..., None]) -> None:
    if not where:
        return
    found = named_attribute(where, field)
    if not isinstance(found, tuple) or not all(isinstance(o, kind) for o in found):
        raise InputError(f"{field} {where}: expected a tuple of {kind.__module__}.{kind.__name__}")
    try:
        into(*found)
    except ValueError as e:
        raise InputError(f"{field} {where}: {e}") from e
