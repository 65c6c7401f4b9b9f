"""The generators that there are, by name; others are named as "module:attribute"."""

from __future__ import annotations

from collections.abc import Iterable

from fathom.datasets.generator import AnyGenerator
from fathom.named import attribute_of
from fathom.records import InputError

GENERATORS: dict[str, str] = {
    "stills": "fathom.datasets.generators.stills:GENERATOR",
    "animated-objects": "fathom.datasets.generators.animated_objects:GENERATOR",
    "videos": "fathom.datasets.generators.videos:GENERATOR",
    "dimensions": "fathom.datasets.generators.dimensions:GENERATOR",
    "viewpoints": "fathom.datasets.generators.viewpoints:GENERATOR",
}
"""Name → "module:attribute"; such a string can stand wherever a name can."""


def address_of(name: str) -> str:
    """Return the "module:attribute" of a generator. Raises InputError where there is no such name."""
    if ":" not in (where := GENERATORS.get(name, name)):
        raise InputError(
            f"{name!r}: no such generator; there is {', '.join(GENERATORS)}, or give module:attribute"
        )
    return where


def generator_named(name: str) -> AnyGenerator:
    """Return a generator. Raises InputError where there is none, or it cannot be imported."""
    try:
        found: AnyGenerator = attribute_of(address_of(name))
    except (ImportError, AttributeError, ValueError) as e:
        raise InputError(
            f"{name!r}: the generator cannot be imported ({e}); check the module and the attribute"
        ) from e
    return found


def maker_of(generator: str, among: Iterable[str] = ()) -> AnyGenerator:
    """Return the generator whose scenes say that `generator` made them, of the project's or `among` others.

    Scenes that none of them made stand still.
    """
    for name in dict.fromkeys([*among, *GENERATORS]):
        found = generator_named(name)
        if generator in found.makes:
            return found
    return generator_named("stills")
