"""From what a build was asked for to the plan that decides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fathom.datasets.generator import AnyGenerator
from fathom.datasets.plan import DatasetPlan
from fathom.datasets.registry import address_of, generator_named, reading
from fathom.datasets.settings import refuse_left
from fathom.records import Benchmark, InputError


def plan_asked(
    benchmark: Benchmark,
    common: Mapping[str, Any],
    options: Mapping[str, Any],
    texts: Mapping[str, str],
    workers: int,
    generator: str = "",
) -> DatasetPlan[Any]:
    """Return the plan of a dataset of a benchmark, of its first generator where none is named.

    `common` are fields of every plan, `options` those that only some generators read, and `texts` the
    generator's settings as NAME=VALUE. Raises InputError for what the generator does not read.
    """
    name = generator or next(iter(benchmark.generators))
    if name not in benchmark.generators:
        raise InputError(
            f"{name!r}: {benchmark.name} is not made by this generator; there is "
            f"{', '.join(benchmark.generators)}"
        )
    found = generator_named(name)
    _refuse_unread(found, options, benchmark.name)
    own, left = found.asked(options, texts)
    refuse_left(left, found.names(own))
    plan: DatasetPlan[Any] = DatasetPlan(
        **common, generator=address_of(name), recipe=benchmark.generators[name], own=own
    )
    return found.examined(plan, workers)


def _refuse_unread(generator: AnyGenerator, options: Mapping[str, Any], benchmark: str) -> None:
    """Raise InputError for an option that this generator has no use for."""
    for option, value in options.items():
        if option in generator.options:
            continue
        there = generator.instead.get(option)
        instead = f"use --set {there}=NAME" if there else "leave it out"
        what = " or ".join(other.title for other in reading(option))
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
        raise InputError(f"--{option} {shown}: is for {what}, and {benchmark} has none; {instead}")
