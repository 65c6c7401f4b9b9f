"""What other packages give: "module:attribute" to the object that it names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fathom.records import InputError


def named_attribute(where: str, given_as: str) -> Any:
    """Return what "module:attribute" names. Raises InputError where there is no such object.

    `given_as` is the option, or the word for it, that the error begins with.
    """
    module, colon, attribute = where.partition(":")
    if not colon or not module or not attribute:
        raise InputError(f"{given_as} {where}: expected module:attribute")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError, SyntaxError) as e:
        raise InputError(
            f"{given_as} {where}: cannot be imported ({e}); check the module and the attribute"
        ) from e
