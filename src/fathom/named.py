"""What is named by "module:attribute": parts of this package that are declared so, and what others give."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fathom.records import InputError

CANNOT_BE_IMPORTED = (ImportError, AttributeError, ValueError, TypeError, SyntaxError)
"""What `attribute_of` raises where there is no such object, or its module cannot be read."""


def attribute_of(where: str) -> Any:
    """Return what "module:attribute" names, its module imported. Raises one of CANNOT_BE_IMPORTED."""
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute)


def named_attribute(where: str, given_as: str) -> Any:
    """Return what "module:attribute" names. Raises InputError where there is no such object.

    `given_as` is the option, or the word for it, that the error begins with.
    """
    module, colon, attribute = where.partition(":")
    if not colon or not module or not attribute:
        raise InputError(f"{given_as} {where}: expected module:attribute")
    try:
        return attribute_of(where)
    except CANNOT_BE_IMPORTED as e:
        raise InputError(
            f"{given_as} {where}: cannot be imported ({e}); check the module and the attribute"
        ) from e
