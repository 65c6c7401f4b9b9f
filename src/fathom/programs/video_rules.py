"""What a question about tracks takes for a stop, a turn or a relation, and how exact an answer can be.

One set of rules a scale: millimetres matter on a desk, decimetres on a street.

Ref: STI-Bench §3.1, §3.2; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fathom.records import InputError


@dataclass(frozen=True)
class VideoRules:
    """Windows, thresholds and tolerances.

    Tolerances: `share` of a value is what its inputs may be off by (never less than one pixel's size),
    `sigmas` so many standard deviations of an annotation are added. `seen_step_s` is the time between two
    frames that are shown: an answer that depends on what happens between them is that much less sure. 0
    switches it off.

    Estimators: instantaneous speeds are central differences over ±`speed_window_s`, accelerations the slope
    of such speeds over ±`slope_window_s`. `noise_steps` standard deviations apart are the knots between which
    the path of an annotated thing is measured. Where nothing is known for at most `bridge_s`, a body is taken
    to go straight on.

    Relations: `bearing_tolerance_deg` between two bearings, `quarter_tolerance_deg` off a quarter's border,
    `closer_share` by which the second nearest must be farther than the nearest. `steep_deg` is the least
    angle between the optical axis and the vertical at which there is an azimuth. `upright_deg` is how far a
    box may lean and still be told by its yaw alone.

    Trajectories: slower than `still_mps` is a stop from `stop_s` on; a leg shorter than `leg_m` is not told.
    A turn is faster than `turn_rate_dps` over ±`turn_window_s`, and not told below `turn_deg`. Each of these
    thresholds has a dead band: `turn_tolerance_deg`, and `band` (a share) for lengths and times. What
    "turns left" turns by more than `turning_deg` in all, and is seen in `turn_frames` shown frames while it
    does.
    `straight_share` of its path is the least chord of a straight leg, with `straight_tolerance`.
    """

    name: str
    still_mps: float
    leg_m: float
    share: float = 0.01
    sigmas: float = 2.0
    seen_step_s: float = 0.35
    speed_window_s: float = 0.1
    slope_window_s: float = 0.5
    noise_steps: float = 10.0
    bridge_s: float = 0.35
    angle_tolerance_deg: float = 0.5
    bearing_tolerance_deg: float = 2.0
    quarter_tolerance_deg: float = 10.0
    closer_share: float = 0.25
    steep_deg: float = 10.0
    upright_deg: float = 5.0
    stop_s: float = 1.0
    turn_rate_dps: float = 4.0
    turn_window_s: float = 0.35
    turn_deg: float = 15.0
    turn_tolerance_deg: float = 5.0
    band: float = 0.3
    turning_deg: float = 30.0
    turn_frames: int = 5
    straight_share: float = 0.9
    straight_tolerance: float = 0.05


INDOOR = VideoRules(name="indoor", still_mps=0.1, leg_m=0.2)
DESKTOP = replace(INDOOR, name="desktop", still_mps=0.015, leg_m=0.03)
OUTDOOR = replace(INDOOR, name="outdoor", still_mps=0.3, leg_m=2.0)

RULES: dict[str, VideoRules] = {r.name: r for r in (DESKTOP, INDOOR, OUTDOOR)}

SETTING_OF = {"omni6dpose": "desktop", "scannet": "indoor", "waymo": "outdoor"}
"""Generator of a scene → its setting, where the generator is not called like the setting."""


def rules_of(setting: str) -> VideoRules:
    """Return the rules of a setting. Raises InputError where there is no such setting."""
    if setting not in RULES:
        raise InputError(f"setting {setting!r}: rules for tracks exist for {', '.join(RULES)}")
    return RULES[setting]
