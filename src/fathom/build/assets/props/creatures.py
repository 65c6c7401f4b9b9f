"""The built-in actors, each with clips of its own."""

from __future__ import annotations

from fathom.build.assets.props.dog import dog
from fathom.build.assets.props.fish import fish
from fathom.build.assets.props.rigs import Rig
from fathom.build.assets.props.robot import robot
from fathom.build.assets.props.spider import spider


def creatures() -> tuple[Rig, ...]:
    """Return all built-in actors."""
    return (robot(), dog(), fish(), spider())
