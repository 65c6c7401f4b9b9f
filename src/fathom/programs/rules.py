"""What the words of questions mean, as numbers with units: of stills, of animated scenes, of videos.

One dataclass for each kind of scene, since their thresholds are of different things. What they have in common
is how a threshold is used: a relation has a signed distance from it, and its ratio is that distance in
tolerances. It holds from a ratio of 1 on, fails from −1 down, and nothing is asked that hangs on what lies
between.

Units stand in the names: `_m` metres, `_px` pixels, `_s` seconds, `_rad` and `_deg` angles, `_mps` and `_dps`
per second; a `_share` is a fraction of something.

Of stills there are two rule sets. `PAPER` has the thresholds of PulseCheck457 as they were published:
constant camera axes, one reading per word, no dead bands. `FATHOM`, the default, accepts a relation only
where every sensible reading of its words holds and is clear of its threshold by a tolerance that the jitter
test cannot eat up.

Ref: PulseCheck457 §3.2; STI-Bench §3.1, §3.2; docs/benchmarks/pulsecheck457-questions.md,
4d-bench-questions.md, sti-bench-definitions.md.
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
    """What every relation word about a still means.

    A relation has one or more readings, each a signed value with a tolerance; its ratio is that of the
    reading nearest to failing. The reach of the jitter is added to a tolerance where it can grow beyond it.
    """

    name: str
    axes: Literal["camera", "published"]
    """The camera's own axes, or the constant ones of the published scenes."""
    readings: Literal["all", "published"]
    """Whether all sensible readings of a word must agree, or the published one alone counts."""
    dead_bands: bool
    """Whether a relation is undecided within its tolerance; without, it holds above 0."""
    offset_eps_m: float
    """The least offset that counts as a relation at all (the paper's eps)."""
    offset_tolerance_m: float
    """Between two offsets on the ground: what a person is given to see which is farther."""
    own_tolerance_m: float
    """Off the border between an object's own left and right, front and rear."""
    own_cone_rad: float
    """Half the width of the cone about an object's own left in which all agree that something is there."""
    own_share: float
    """How much of its half length a centre must lie beyond a border on the ground: at 0.5, three quarters of
    the object are on that side.
    """
    bearing_tolerance_rad: float
    """Between two bearings from the camera: which of two objects is to the left in the picture."""
    sector_rad: float
    """How far to either side of a direction what faces that way may be turned."""
    wide_sector_rad: float
    """The same by those who say which of four directions is nearest."""
    sector_tolerance_rad: float
    """Off the borders of these sectors."""
    facing_along_axis: bool
    """Whether what faces the camera must do so along its view as well as along the ray to the object: at the
    edge of a picture these are far apart.
    """
    parallel_rad: float
    """How far two headings may differ from the same, the opposite or a right angle."""
    wide_parallel_rad: float
    """The same by those who say which of the three is nearest."""
    parallel_tolerance_rad: float
    """Off the borders of these."""
    hidden_px: int
    """From how many hidden pixels on something is partly hidden: fewer are not noticed."""
    hidden_share: float
    """The same as a share of the silhouette; the larger of the two counts."""
    gap_px: float
    """How far apart two silhouettes are of which surely none hides the other."""
    order_m: float
    """By how much what lies over something must be nearer for it surely not to be hidden by it."""
    path_tolerance_m: float
    """How far into a path something must reach, or stay out of it."""
    distance_tolerance_m: float
    """Between the ways until two contacts: which is touched first."""
    min_visible_px: int
    """From how many visible pixels on an object can be made out."""
    min_visible_fraction: float
    """The share of the silhouette that must be visible as well."""
    heading_px: int
    """Where an object faces is known where its front or its rear shows so many pixels: …"""
    heading_of_all: float
    """… this share of all that the object would show alone, …"""
    heading_share: float
    """… and this share of what that end would show alone."""
    heading_long_px: float
    """And where its length, seen from its side at its distance, would be so many pixels: of a shorter one
    nose and tail are a few pixels each, and look alike.
    """
    shake: Shake = Shake()
    """What the jitter test does."""


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


TILE = 256
"""The side, in pixels, of the pictures that many models scale what they are shown down to."""


@dataclass(frozen=True)
class AnimatedRules:
    """Thresholds of animated scenes, and the tolerances by which a relation has to be clear of them."""

    clear_px: int = 60
    """From how many visible pixels on an object counts as seen in one view at one time."""
    clear_carried_px: int = 30
    """The same of what is worn or held, which is smaller."""
    clear_share: float = 0.4
    """The share of its silhouette that must show as well."""
    clear_part_tile_px: int = 25
    """From how many visible pixels on a part or a limb counts as seen, in a picture scaled down to `TILE`
    pixels to a side.
    """
    motion_tile_px: float = 6.0
    """From how many pixels on something is seen to have moved, in such a picture."""
    swing_seen: float = 0.75
    """How far an action has to have got where it is seen for what it is, of how far it gets."""
    aloft_share: float = 0.1
    """How far off the ground an actor is seen that jumps, of its size."""
    hidden_share: float = 0.4
    """Up to which visible share an object counts as mostly hidden from a side."""
    hidden_tolerance: float = 0.1
    """Off `hidden_share`, a share of the silhouette."""
    plain_share: float = 0.35
    """How much of the most that any view shows of an object a view has to show for it not to count as out of
    sight there: a flag that is seen edge-on is not in sight.
    """
    wholly_share: float = 0.02
    """Up to which visible share an object is hidden, and not only mostly."""
    change_share: float = 0.004
    """The least share of a picture that what changes takes up where the change is shown: a square of a
    sixteenth of the picture's side, 16 pixels of the 256 that many models scale pictures down to.
    """
    upright_deg: float = 30.0
    """How far the actor's body may lean for its own left and front to be where everybody would say."""
    nearer_share: float = 0.1
    """By how much of the actor's size a limb is nearer to a camera than any other."""
    upright_tolerance_deg: float = 10.0
    """Off `upright_deg`."""
    broadside_deg: float = 50.0
    """How far from the line between two objects one looks that shows how far apart they are."""
    side_views_deg: float = 15.0
    """How far from a side a camera may stand that still looks from there."""
    time_frames: float = 3.0
    """Between two times, in frames: which comes first."""
    joined_frames: int = 2
    """Up to how many frames apart two actions of one verb are one."""
    quarter_tolerance_deg: float = 10.0
    """Off the border between two quarters around the actor."""
    askew_deg: float = 15.0
    """The same of which way the actor faces in a picture: what stands more askew faces nowhere for some."""
    apart_m: float = 0.05
    """How far from the actor's middle something must be to lie in any direction from it."""
    on_share: float = 0.08
    """Up to which gap one object stands on another: between the underside of the one and the top of the
    other, as a share of the other's height.
    """
    on_off_share: float = 0.25
    """From which gap on it does not."""
    nearer: float = 0.25
    """The share by which the next one must be farther than the nearest, or nearer than the farthest."""
    opposite_deg: float = 30.0
    """How far from straight opposite what is opposite may lie."""
    opposite_alone_deg: float = 60.0
    """How far from there everything else must lie."""
    more: float = 0.5
    """The share by which one length or duration exceeds another: the unit of that ratio."""
    limb_share: float = 0.05
    """How far a limb goes at least that moves, as a share of the actor's size."""
    limb_tolerance: float = 0.01
    """Off `limb_share`, of the limb that moves most."""
    first_way_share: float = 0.03
    """The same for its first way."""
    limb_apart_share: float = 0.1
    """How far a limb gets, or lies from another, whose way or place is asked about: a share of its size."""
    along_more: float = 1.5
    """By which share of it a limb gets or lies farther along one axis than along the next: what is as much
    higher as it is farther ahead is both.
    """
    ground_share: float = 0.04
    """Up to how high above the ground the lowest point of what touches it is: a share of the size."""
    ground_tolerance: float = 0.025
    """Off `ground_share`."""
    limb_still_share: float = 0.03
    """Up to which way a limb keeps still, and twice of which it moves for everybody: a share of its size."""
    limb_still_tolerance: float = 0.012
    """Off `limb_still_share`, of what keeps still."""
    line_more: float = 0.75
    """By which share of it a limb reaches farther along the line that it moves along than along any other."""
    rise_share: float = 0.1
    """How far a limb comes up or down whose course is told: a share of its size."""
    rise_spare: float = 0.4
    """How much longer than straight there, or there and back, its way may be: a share of that height."""
    past_share: float = 0.05
    """How far past another limb one comes at least, on either side, where that is counted: of the size."""
    over_share: float = 0.06
    """How far above another limb one comes at least, and below it, where that is counted: of the size."""
    cross_shares: tuple[float, ...] = (0.2, 0.35, 0.5)
    """How far past another limb one comes that passes it: shares of the farthest that must count the same."""
    hidden_part_px: float = 4.0
    """Up to how many pixels of a part or limb show from a side from which it is hidden."""
    plain_part_share: float = 0.12
    """How much of the most that any view shows of a part or limb shows from a side from which it is plain."""
    swing_share: float = 0.4
    """How far out a swing goes that counts, as a share of the farthest."""
    travel_tolerance_deg: float = 15.0
    """Off the border between two directions in which the actor goes."""
    stays_share: float = 0.05
    """Up to which way the actor stays where it is, as a share of its size."""
    leaves_share: float = 0.5
    """From which way on it goes somewhere, as a share of its size."""
    turn_tolerance_deg: float = 15.0
    """Off the borders between not turning, turning to a side, and turning round."""


ANIMATED_RULES = AnimatedRules()
"""Fathom's own, of animated scenes."""


@dataclass(frozen=True)
class VideoRules:
    """Windows, thresholds and tolerances of videos; one set a scale, since millimetres matter on a desk and
    decimetres on a street.
    """

    name: str
    still_mps: float
    """What is slower stands still."""
    leg_m: float
    """A shorter leg of a trajectory is not told."""
    share: float = 0.01
    """What the inputs of a value may be off by, as a share of it; never less than one pixel's size."""
    sigmas: float = 2.0
    """How many standard deviations of an annotation are added to a tolerance."""
    seen_step_s: float = 0.35
    """The time between two frames that are shown: an answer that depends on what happens between them is that
    much less sure. 0 switches it off.
    """
    speed_window_s: float = 0.1
    """Instantaneous speeds are central differences over this to either side."""
    slope_window_s: float = 0.5
    """Accelerations are the slope of such speeds over this to either side."""
    noise_steps: float = 10.0
    """How many standard deviations apart the knots are between which the path of an annotated object is
    measured: nearer ones would add up noise.
    """
    bridge_s: float = 0.35
    """Where nothing is known for at most this long, a body is taken to go straight on."""
    angle_tolerance_deg: float = 0.5
    """Of a measured angle."""
    bearing_tolerance_deg: float = 2.0
    """Between two bearings."""
    quarter_tolerance_deg: float = 10.0
    """Off a quarter's border."""
    closer_share: float = 0.25
    """The share by which the second nearest must be farther than the nearest."""
    steep_deg: float = 10.0
    """The least angle between the optical axis and the vertical at which there is an azimuth."""
    upright_deg: float = 5.0
    """How far a box may lean and still be told by its yaw alone."""
    stop_s: float = 1.0
    """From how long on standing still is a stop."""
    turn_rate_dps: float = 4.0
    """What turns faster, over `turn_window_s` to either side, is in a turn."""
    turn_window_s: float = 0.35
    """Over which the rate of turning is taken."""
    turn_deg: float = 15.0
    """A smaller turn is not told."""
    turn_tolerance_deg: float = 5.0
    """Off `turn_deg`."""
    band: float = 0.3
    """Off the thresholds of lengths and times, as a share of them."""
    turning_deg: float = 30.0
    """What "turns left" turns by more than this in all."""
    turn_frames: int = 5
    """In how many shown frames it is seen while it does."""
    straight_share: float = 0.9
    """The least chord of a straight leg, as a share of its path."""
    straight_tolerance: float = 0.05
    """Off `straight_share`."""


INDOOR = VideoRules(name="indoor", still_mps=0.1, leg_m=0.2)
DESKTOP = replace(INDOOR, name="desktop", still_mps=0.015, leg_m=0.03)
OUTDOOR = replace(INDOOR, name="outdoor", still_mps=0.3, leg_m=2.0)
ACTED = replace(INDOOR, name="acted")

VIDEO_RULES: dict[str, VideoRules] = {r.name: r for r in (DESKTOP, INDOOR, OUTDOOR, ACTED)}

SETTING_OF = {"omni6dpose": "desktop", "scannet": "indoor", "waymo": "outdoor"}
"""Generator of a scene → its setting, where the generator is not called like the setting."""


def video_rules(setting: str) -> VideoRules:
    """Return the rules of a setting. Raises InputError where there is no such setting."""
    if setting not in VIDEO_RULES:
        raise InputError(f"setting {setting!r}: rules for tracks exist for {', '.join(VIDEO_RULES)}")
    return VIDEO_RULES[setting]
