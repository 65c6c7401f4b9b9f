"""From what a build was asked for to the plan that decides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fathom.datasets.plan import DatasetPlan
from fathom.datasets.registry import GENERATORS, address_of, generator_named
from fathom.records import Benchmark, InputError
from fathom.settings import names_of, with_settings


def plan_asked(
    benchmark: Benchmark,
    common: Mapping[str, Any],
    settings: Mapping[str, object] | object,
    workers: int,
    generator: str = "",
) -> DatasetPlan[Any]:
    """Return the plan of a dataset of a benchmark, of its first generator where none is named.

    `common` are fields of every plan. `settings` are the generator's: names with texts or values, or its
    settings dataclass. Raises InputError for a setting that it does not have, or a value that does not fit.
    """
    name = generator or next(iter(benchmark.generators))
    found, recipe = generator_named(name), _recipe_for(benchmark, name)
    if isinstance(settings, Mapping):
        _refuse_others(settings, names_of(found.defaults), benchmark.name)
    own = with_settings(found.defaults, settings, f" of {found.title}")
    plan: DatasetPlan[Any] = DatasetPlan(**common, generator=address_of(name), recipe=recipe, own=own)
    return found.examined(plan, workers)


def _recipe_for(benchmark: Benchmark, name: str) -> str:
    """Return what a benchmark makes of a generator's scenes: its own one's, or of one that it is a kind of.

    Raises InputError where the benchmark makes nothing of such scenes.
    """
    if name in benchmark.generators:
        return benchmark.generators[name]
    found = generator_named(name)
    for own, recipe in benchmark.generators.items():
        if isinstance(found, type(generator_named(own))):
            return recipe
    raise InputError(
        f"{name!r}: {benchmark.name} is not made by this generator; there is "
        f"{', '.join(benchmark.generators)}, or module:attribute of one that is a kind of it"
    )


def _refuse_others(given: Mapping[str, object], known: tuple[str, ...], benchmark: str) -> None:
    """Raise InputError for a setting that only other generators have."""
    for name, value in given.items():
        if name in known or "." in name:
            continue
        others = [g for g in map(generator_named, GENERATORS) if name in names_of(g.defaults)]
        if others:
            what = " or ".join(g.title for g in others)
            raise InputError(f"--set {name}={value}: is for {what}, and {benchmark} has none; leave it out")
