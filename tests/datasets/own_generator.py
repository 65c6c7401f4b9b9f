"""A generator from outside, and a benchmark that is built by it: still scenes that say that it made them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from fathom.benchmarks.pulsecheck457 import BENCHMARK as PULSECHECK457
from fathom.datasets.generator import Again
from fathom.datasets.generators.stills import Plan, Stills
from fathom.records import Scene
from fathom.store.datasets import Dataset

HERE = "tests.datasets.own_generator"

ASKED: list[Path] = []
"""The datasets whose answers it was asked to derive again."""


class OwnStills(Stills):
    """Still scenes of another name."""

    makes = frozenset({"own"})

    def draw(self, plan: Plan, index: int) -> Scene:
        """Return a still scene that says who made it."""
        drawn: Scene = msgspec.structs.replace(super().draw(plan, index), generator="own")
        return drawn

    def derivation(self, dataset: Dataset, assets: Path | None) -> Again:
        """Return what derives answers again, and remember of which dataset."""
        ASKED.append(dataset.path)
        return super().derivation(dataset, assets)


GENERATOR = OwnStills()

BENCHMARK = replace(
    PULSECHECK457,
    name="own",
    generators={f"{HERE}:GENERATOR": PULSECHECK457.generators["stills"]},
)
