"""The built-in actors, each with clips of its own."""

from __future__ import annotations

from tools.modelling.creatures.dog import dog
from tools.modelling.creatures.fish import fish
from tools.modelling.creatures.rigs import Rig
from tools.modelling.creatures.robot import robot
from tools.modelling.creatures.spider import spider


def creatures() -> tuple[Rig, ...]:
    """Return all built-in actors."""
    return (robot(), dog(), fish(), spider())
