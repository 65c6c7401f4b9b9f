"""The operators of programs, by topic. Importing this package fills the table of operators."""

from fathom.programs.operators import (
    attributes,
    choosing,
    comparing,
    events,
    limbs,
    motion,
    parts,
    quantities,
    relations,
    selecting,
    sets,
    spatial,
    speeds,
    time,
    trajectories,
    visibility,
)

__all__ = [
    "attributes",
    "choosing",
    "comparing",
    "events",
    "limbs",
    "motion",
    "parts",
    "quantities",
    "relations",
    "selecting",
    "sets",
    "spatial",
    "speeds",
    "time",
    "trajectories",
    "visibility",
]
