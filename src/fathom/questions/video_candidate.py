"""What a question on a video is before it is written out."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fathom.programs.engine import Trace
from fathom.programs.trajectory_words import mirrored
from fathom.questions.candidate import Candidate, Selected, Stratum
from fathom.questions.numeric.answer_balancing import Span
from fathom.questions.numeric.measures import QuantityMeasure, measure_of
from fathom.questions.numeric.option_sets import Options
from fathom.questions.numeric.separation import Slot, in_shares
from fathom.questions.numeric.vector_answers import Vector
from fathom.questions.templates import Template
from fathom.records import Need
from fathom.scenes.videos.size_spread import UsualSide

WAYS = ("camera_moved", "camera_path")
"""Forms that ask how far the camera goes in a time."""

LASTING = 1.5
"""By which factor spans differ that are not compared with one another."""

AS_LONG = 1.2
"""By which factor spans differ of which trajectories and turns are told apart."""

AS_LATE = 1.05
"""By which factor times differ at which poses are told apart."""

PACES = frozenset({"displacement", "path_length", "average_speed", "velocity", "speed"})
"""Operators that tell at what pace a camera is carried."""

ON_A_LINE = "outdoor"
"""The setting in which the five places of an object lie in a row: how far ahead it is."""

AS_LARGE = 2.0
"""By which factor things differ in size whose places in a row are told apart."""

FINE = "known to "
"""How the last part of a pool begins that says how finely its answers are known."""


def turns_camera(template: Template) -> bool:
    """Return whether a template asks by how much the camera turns in a span."""
    return template.quantity == "azimuth_change" and not template.objects


def is_pace(template: Template) -> bool:
    """Return whether a template asks how far or how fast the camera goes."""
    return template.quantity in PACES and not template.objects


@dataclass(frozen=True, kw_only=True)
class VideoCandidate(Candidate):
    """A question that could be asked of a video.

    objects, words, nouns : whom it speaks of, and how they are called; `shape` is the first one's
    times : the stated time, or the ends of the stated span, as they are written
    span_s : what the question is about: the stated span, or the whole video
    moves_s : of an object that moves in a span, the part of the span in which it does
    view_deg : how wide the camera sees
    away_m : of two objects, how far from the camera the farther one is at the stated time
    reach_px_m : how many pixels wide (or high) the smallest of the objects would be in a metre's distance
    beside_cameras : whether one of the objects that there are is a camera itself
    precision : how finely a careful person could answer, in base units; 0 for words
    known : the same, rounded up, as it decides the options: of lengths and speeds a share; else 0
    scale : to which share metres are known in its video
    usual : of a size, what objects of that noun measure, where they come in all sizes
    ground : of places in a camera's frame, by how much y grows with x and with z along level ground
    clear : of words, how clear they are, as a multiple of what can just be told; 0 for numbers
    """

    video: str
    objects: tuple[str, ...]
    words: tuple[str, ...]
    nouns: tuple[str, ...]
    shape: str
    extra: str
    times: tuple[str, ...]
    span_s: tuple[float, float]
    answered: Trace
    steps: tuple[tuple[str, ...], ...]
    needs: tuple[Need, ...]
    smallest_px: int
    smallest_share: float
    view_deg: float = 0.0
    moves_s: tuple[float, float] | None = None
    away_m: float = 0.0
    reach_px_m: float = float("inf")
    beside_cameras: bool = False
    precision: float = 0.0
    known: float = 0.0
    scale: float = 0.0
    usual: UsualSide | None = None
    ground: tuple[float, float] = (0.0, 0.0)
    clear: float = 0.0

    @property
    def stratum(self) -> Stratum:
        """What its answer can be compared with: form, setting, of trajectories what happens in them (on
        either side), and of the camera's ways how long they last: else they would be told by the time and a
        usual pace.

        Sizes are compared by how far they are from what is usual for their noun, with those of nouns that
        come in as many sizes: else who knows how high tables are would tell by "table" which of five heights
        it is. Of nouns of which no usual size is known they are compared with those of the same noun alone.
        Trajectories and turns are compared with those that last as long, poses with those at the same time.
        And what is known more finely has other options than what is not; of sizes among all that there are
        how finely says nothing of the size, and they stay together; so do trajectories, turns and poses, of
        which all five could be asked about. Places in a row are compared with those of what looks as large
        from as far: else who knows that small things are seen from near alone would tell how far ahead it is.
        """
        apart = [self.lasting] if self.template.id in WAYS else []
        apart += [self.lasting_as_long] if self.is_among_real else []
        apart += [self.as_large] if self.is_in_row else []
        if self.template.when == "":
            apart += [f"all sizes, {self.usual.high:.2f}"] if self.usual else self.nouns[:1]
        alone = self.known and not self.usual and not self.is_among_real
        fine = [f"{FINE}{self.known:g}"] if alone else []
        told = min(self.answered.form, mirrored(self.answered.form))
        return (self.setting, self.template.id, *told, *apart, *fine)

    @property
    def is_among_real(self) -> bool:
        """Whether its false options are what other bodies of the build really did: of trajectories, and of
        turns and poses of the camera. What cameras usually do in a time then holds for all five alike.
        """
        return self.template.asks in ("trajectory", "pose") or turns_camera(self.template)

    @property
    def is_among_cameras(self) -> bool:
        """Whether its options are turns or poses of five cameras."""
        return self.is_among_real and self.template.asks != "trajectory"

    @property
    def is_pace(self) -> bool:
        """Whether it asks how far or how fast the camera goes."""
        return is_pace(self.template)

    @property
    def is_ranked(self) -> bool:
        """Whether its five options have an order, and are made for it: numbers, and places in a row."""
        return (self.template.asks == "number" and not self.is_among_real) or self.is_in_row

    @property
    def is_in_row(self) -> bool:
        """Whether its five options are places in a row."""
        return self.template.asks in ("centre", "box") and self.setting == ON_A_LINE

    @property
    def as_large(self) -> str:
        """How large it looks in a metre's distance, among what differs by less than that factor."""
        return f"{AS_LARGE ** round(math.log(self.reach_px_m, AS_LARGE)):.3g} pixels"

    @property
    def lasting(self) -> str:
        """How long the span is, among those that differ by less than half."""
        length = self.span_s[1] - self.span_s[0]
        return f"from {LASTING ** math.floor(math.log(length, LASTING)):.3g} s"

    @property
    def lasting_as_long(self) -> str:
        """How long the span is, of a pose from the start, among those that are nearly as long."""
        factor = AS_LATE if self.template.asks == "pose" else AS_LONG
        return f"about {factor ** round(math.log(self.took_s, factor)):.3g} s"

    @property
    def took_s(self) -> float:
        """How many seconds a camera or an object had for what is asked: the span, and of a pose the time from
        the start.
        """
        end = float(self.times[0]) if self.template.asks == "pose" else self.span_s[1]
        return end - self.span_s[0]

    @property
    def middle_m(self) -> float:
        """What is usual for a size, in metres; 1 where it is not compared with that."""
        return self.usual.middle_m if self.usual else 1.0

    @property
    def precise_to(self) -> float:
        """How finely a careful person could answer, rounded up, in base units; 0 for words."""
        number = self.known and self.template.asks == "number"
        if number and in_shares(measure_of(self.setting, self.template.quantity)):
            return self.known * abs(self.value)
        return self.known or self.precision

    @property
    def names(self) -> tuple[str, ...]:
        """What is asked, in which video."""
        return (self.scene, self.template.id, *self.objects, *self.times)

    @property
    def value(self) -> float:
        """The one number of the answer."""
        return self.answered.numbers[0]


ANY = Slot(-1)


@dataclass(frozen=True)
class OptionPlan:
    """A candidate, and what its options keep to.

    span : of one number, where all five lie; vector : of several, their parts and bounds
    false : of words, what stands beside the answer
    others : of trajectories, turns and poses, the numbers of the four that stand beside the answer, `beside`
        it; `sides` are −1 for those that are told as in a mirror. Of the pace of a camera of which a pose is
        asked, those of the same four cameras
    slot : which of the five is the answer, and how far apart they lie; `errors` are the range of that
    """

    candidate: VideoCandidate
    span: Span | None = None
    vector: Vector | None = None
    false: tuple[str, ...] = ()
    others: tuple[tuple[float, ...], ...] = ()
    beside: tuple[VideoCandidate, ...] = ()
    sides: tuple[int, ...] = ()
    slot: Slot = ANY
    errors: QuantityMeasure | None = None

    @property
    def is_ranked(self) -> bool:
        """Whether it was dealt which of the five, by size, is the answer."""
        return self.candidate.is_ranked and not self.others


@dataclass(frozen=True)
class VideoSelected(Selected[VideoCandidate, Options]):
    """A candidate of a video that becomes a question, with its five options and what they keep to."""

    plan: OptionPlan
