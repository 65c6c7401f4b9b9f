"""The operators of programs, written again from their meaning: importing this package fills their table."""

from fathom.verify.operators import (
    attributes,
    choices,
    descriptions,
    events,
    frames,
    limbs,
    motion,
    objects,
    patches,
    quantities,
    relations,
    sets,
    spatial,
    speeds,
    trajectories,
    viewpoints,
)

__all__ = [
    "attributes",
    "choices",
    "descriptions",
    "events",
    "frames",
    "limbs",
    "motion",
    "objects",
    "patches",
    "quantities",
    "relations",
    "sets",
    "spatial",
    "speeds",
    "trajectories",
    "viewpoints",
]
