"""What the words of questions about films mean, as numbers with units.

Ref: docs/benchmarks/4d-bench-questions.md.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AnimatedRules:
    """Thresholds, and the tolerances by which a relation has to be clear of them.

    A relation's ratio is its signed distance from the threshold in tolerances; nothing is asked of which a
    ratio is below 1. `clear_*` is from when on a thing, a carried thing, a part, a limb counts as seen in one
    cell; `hidden_share` up to when it counts as mostly hidden from a side. `side_views_deg` is how far from
    the side a camera may stand that still looks from there, `broadside_deg` how far from the line between two
    objects one looks that shows how far apart they are. Ratios of lengths and durations are compared with 1,
    in units of `more`.

    `plain_share` is how much of the most that any view shows of a thing a view has to show of it, for it not
    to count as out of sight there: a flag that is seen edge-on is not in sight. Up to `wholly_share` it is
    hidden, and not only mostly. `change_share` is the least share of a picture that what changes takes up in
    a cell that shows the change: a square of a sixteenth of the picture's side, 16 pixels of the 256 that
    many models scale pictures down to. `upright_deg` is how far the actor's body may lean for its own left
    and front to be where everybody would say they are.
    """

    clear_px: int = 60
    clear_carried_px: int = 30
    clear_share: float = 0.4
    clear_part_px: int = 30
    hidden_share: float = 0.4
    hidden_tolerance: float = 0.1
    plain_share: float = 0.35
    wholly_share: float = 0.02
    change_share: float = 0.004
    upright_deg: float = 30.0
    upright_tolerance_deg: float = 10.0
    broadside_deg: float = 50.0
    side_views_deg: float = 15.0
    time_frames: float = 3.0
    joined_frames: int = 2
    quarter_tolerance_deg: float = 10.0
    apart_m: float = 0.05
    on_share: float = 0.08
    on_off_share: float = 0.25
    nearer: float = 0.25
    opposite_deg: float = 30.0
    opposite_alone_deg: float = 60.0
    more: float = 0.5
    limb_share: float = 0.05
    first_way_share: float = 0.03
    swing_share: float = 0.4
    travel_tolerance_deg: float = 15.0
    stays_share: float = 0.05
    leaves_share: float = 0.5
    turn_tolerance_deg: float = 15.0


RULES = AnimatedRules()
"""Fathom's own."""
