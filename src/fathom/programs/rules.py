"""What relation words mean, as numbers with units: the published thresholds and Fathom's own.

Two rule sets. `PAPER` has the thresholds of PulseCheck457 as they were published: constant camera axes, one
reading per word, no dead bands. `FATHOM`, the default, accepts a relation only where every sensible reading
of its words holds and is clear of its threshold by a tolerance that the jitter test cannot eat up.

Ref: PulseCheck457 §3.2; docs/benchmarks/pulsecheck457-questions.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from fathom.records import InputError


@dataclass(frozen=True)
class Shake:
    """How far the jitter test moves objects: each of x and y, and each heading, uniformly by up to this."""

    position_m: float = 0.06
    heading_rad: float = math.radians(1.8)
    draws: int = 20

    @property
    def reach_m(self) -> float:
        """The farthest that one object moves on the ground."""
        return self.position_m * math.sqrt(2)


@dataclass(frozen=True)
class Rules:
    """What every relation word means.

    A relation has one or more readings, each a signed value with a tolerance; its ratio is value ÷ tolerance
    of the reading nearest to failing. With `dead_bands` it holds from a ratio of 1 on, fails from −1 down,
    and is undecided between; without, it holds above 0.

    `offset_eps_m` is the least offset that counts as a relation at all (the paper's eps). The `*_tolerance_*`
    are what a person is given to see a difference by; the reach of the jitter is added where it can grow
    beyond them. `own_share` is how much of its half length an object's centre must lie beyond a border on the
    ground: at 0.5, three quarters of the thing are on that side. Where a thing faces is known where its front
    or its rear shows `heading_px` pixels, `heading_of_all` of all that it would show alone, and
    `heading_share` of what that end would, and where the object's length, seen from its side at its distance,
    would be `heading_long_px` pixels in the picture: of a shorter one nose and tail are a few pixels each,
    and look alike. With `facing_along_axis`, what faces the camera does so along its view as well as along
    the ray to the object. `axes` are the camera's own, or the constant
    ones of the published scenes.
    """

    name: str
    axes: Literal["camera", "published"]
    readings: Literal["all", "published"]
    dead_bands: bool
    offset_eps_m: float
    offset_tolerance_m: float
    own_tolerance_m: float
    own_cone_rad: float
    own_share: float
    bearing_tolerance_rad: float
    sector_rad: float
    wide_sector_rad: float
    sector_tolerance_rad: float
    facing_along_axis: bool
    parallel_rad: float
    wide_parallel_rad: float
    parallel_tolerance_rad: float
    hidden_px: int
    hidden_share: float
    gap_px: float
    order_m: float
    path_tolerance_m: float
    distance_tolerance_m: float
    min_visible_px: int
    min_visible_fraction: float
    heading_px: int
    heading_of_all: float
    heading_share: float
    heading_long_px: float
    shake: Shake = Shake()


FATHOM = Rules(
    name="fathom",
    axes="camera",
    readings="all",
    dead_bands=True,
    offset_eps_m=0.0,
    offset_tolerance_m=0.3,
    own_tolerance_m=0.2,
    own_cone_rad=math.radians(60),
    own_share=0.5,
    bearing_tolerance_rad=math.radians(1.5),
    sector_rad=math.radians(30),
    wide_sector_rad=math.radians(45),
    sector_tolerance_rad=math.radians(2.5),
    facing_along_axis=True,
    parallel_rad=math.radians(30),
    wide_parallel_rad=math.radians(45),
    parallel_tolerance_rad=math.radians(2.5),
    hidden_px=15,
    hidden_share=0.04,
    gap_px=14.0,
    order_m=0.35,
    path_tolerance_m=0.18,
    distance_tolerance_m=0.3,
    min_visible_px=200,
    min_visible_fraction=0.3,
    heading_px=100,
    heading_of_all=0.1,
    heading_share=0.75,
    heading_long_px=66.0,
)

PAPER = Rules(
    name="paper",
    axes="published",
    readings="published",
    dead_bands=False,
    offset_eps_m=0.2,
    offset_tolerance_m=0.3,
    own_tolerance_m=0.2,
    own_cone_rad=math.radians(60),
    own_share=0.0,
    bearing_tolerance_rad=math.radians(1.5),
    sector_rad=math.radians(30),
    wide_sector_rad=math.radians(30),
    sector_tolerance_rad=math.radians(2.5),
    facing_along_axis=False,
    parallel_rad=math.radians(45),
    wide_parallel_rad=math.radians(45),
    parallel_tolerance_rad=math.radians(2.5),
    hidden_px=15,
    hidden_share=0.0,
    gap_px=14.0,
    order_m=0.35,
    path_tolerance_m=0.18,
    distance_tolerance_m=0.3,
    min_visible_px=0,
    min_visible_fraction=0.0,
    heading_px=0,
    heading_of_all=0.0,
    heading_share=0.0,
    heading_long_px=0.0,
)

RULES: dict[str, Rules] = {r.name: r for r in (FATHOM, PAPER)}

VERSION = 2
"""The version of these rules, which stands in the manifest of every dataset that is built by them."""

_FIRST = replace(FATHOM, name="fathom, version 1", facing_along_axis=False, heading_long_px=0.0)
"""Fathom's rules in version 1, for datasets that were built by them; no version stands in their manifests."""


def rules_named(name: str) -> Rules:
    """Return the rule set called `name`. Raises InputError where there is none."""
    if name not in RULES:
        raise InputError(f"{name!r}: no such rule set; there are {', '.join(RULES)}")
    return RULES[name]


def rules_as_built(name: str, version: int) -> Rules:
    """Return the rule set by which a dataset was built, in the version of its manifest.

    Raises InputError where there is none of that name.
    """
    return _FIRST if name == FATHOM.name and version < VERSION else rules_named(name)
