"""The built-in actors, each with clips of its own."""

from __future__ import annotations

from fathom.assets.props.dog import dog
from fathom.assets.props.fish import fish
from fathom.assets.props.rigs import Rig
from fathom.assets.props.robot import robot
from fathom.assets.props.spider import spider


def creatures() -> tuple[Rig, ...]:
    """Return all built-in actors."""
    return (robot(), dog(), fish(), spider())
