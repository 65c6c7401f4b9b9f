"""One video while it is asked about: what can be seen in it, who can be named, and when something is.

Times are those of frames that are shown, so that nothing has to be guessed between two pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.programs.operators.selecting import motion_grade
from fathom.programs.referring import PEOPLE, Expression, expressions
from fathom.programs.views.video import VideoView, video_view
from fathom.questions.contexts.video_nouns import EXTRAS, FRONTLESS, ROUND, SHAPELESS, UPRIGHT
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_scale import scale_of
from fathom.questions.contexts.video_visibility import Mask, Sights, has_scale, seen_by, sides_px
from fathom.records import Scene
from fathom.scenes.videos.size_spread import UsualSide, spread_of, usual_side

LONGER_SHARE = 1.1
"""From which ratio of its horizontal sides an object is longer than wide, or no longer round."""


@dataclass(frozen=True)
class Moment:
    """The shown frames that are stated, as places among all shown: one twice, or the ends of a span."""

    first: int
    last: int


WHOLE = Moment(0, -1)


@dataclass(eq=False)
class VideoContext:
    """One video while it is asked about. `clear` is (T, G)."""

    scene: Scene
    tracks: VideoView
    visibility: Sights
    recipe: VideoQuestionRecipe
    clear: Mask

    @cached_property
    def objects(self) -> tuple[int, ...]:
        """The objects that are clear often enough, and have a name that can be told."""
        seeing, t = self.recipe.seeing, self.tracks
        often = self.clear.sum(axis=1) >= min(seeing.clear_frames, self.clear.shape[1])
        # What it is can be told where it is largest.
        large = (self.sides_px.max(axis=2) * self.clear).max(axis=1) >= seeing.named_px
        usable = often & large
        return tuple(k for k in range(len(t.objects)) if usable[k] and t.names[k] and not t.stands[k])

    @cached_property
    def whole(self) -> Mask:
        """(T, G) whether an object is clear, and hardly anything of it is hidden or outside the picture."""
        return self.clear & (self.shares >= self.recipe.seeing.whole_share)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """(T, G) the visible share of each silhouette."""
        return self.visibility.shares

    @cached_property
    def scaled(self) -> frozenset[int]:
        """The objects of which metres can be judged."""
        seeing = self.recipe.seeing
        return frozenset(k for k in self.objects if has_scale(self.tracks, self.clear, k, seeing))

    @cached_property
    def scale(self) -> float:
        """To which share metres are known: from the objects that are clear in the video, else as from one."""
        name, nouns = self.tracks.rules.name, [self.tracks.names[k] for k in self.objects]
        return scale_of([spread_of(name, noun) for noun in nouns or [""]], self.recipe.reading)

    @cached_property
    def anchored(self) -> Mask:
        """(G,) whether a frame shows anything clearly by which the camera's own motion can be seen."""
        return np.asarray(self.clear.any(axis=0))

    def called(self, obj: int, moment: Moment) -> Expression | None:
        """Return how an object is called all through the video, else all through the span that is stated.

        What it is told by is clear then, too.
        """
        name = self.tracks.objects[obj]
        if "camera" in self.tracks.names:
            return None  # nobody could say which camera is meant
        found = expressions(self.tracks).get(name)
        if found is not None and self.told(obj, found, moment):
            return found
        if moment.last <= moment.first:
            return None
        span = (int(self.tracks.shown[moment.first]), int(self.tracks.shown[moment.last]))
        found = expressions(self.tracks, span).get(name)
        return found if found is not None and self.told(obj, found, moment) else None

    def told(self, obj: int, called: Expression, moment: Moment) -> bool:
        """Return whether what a thing is told by is clear whenever the thing itself is, of a stated time; of
        the whole video as often as in a span.
        """
        if not called.anchor:
            return True
        own, other = self.clear[obj], self.clear[self.tracks.index(called.anchor)]
        if moment is WHOLE:
            return bool(other[own].mean() >= self.recipe.seeing.span_share) if own.any() else False
        inside = slice(moment.first, moment.last + 1)
        return bool(other[inside][own[inside]].all() and other[inside].any())

    def there(self, moment: Moment) -> tuple[int, ...]:
        """Return the objects that are clear at a time, or at both ends of a span."""
        if moment is WHOLE:
            return self.objects
        return tuple(k for k in self.objects if self.clear[k, moment.first] and self.clear[k, moment.last])

    def shape(self, obj: int) -> str:
        """Return which words fit the sides of an object: "front", "long", "sides", "handled", "round"; ""
        where none do.
        """
        noun = self.tracks.names[obj]
        if noun in PEOPLE or noun in UPRIGHT or noun in SHAPELESS:
            return ""
        if self.tracks.fronts[obj] and noun not in FRONTLESS:
            length, width, _ = self.tracks.sizes_m[obj].tolist()
            return "long" if length >= LONGER_SHARE * width else "front"
        short, long = sorted(self.tracks.sizes_m[obj, :2].tolist())
        if noun in ROUND:
            kind = "handled" if noun in EXTRAS else ""
            return kind if long >= LONGER_SHARE * short else "round"
        return "sides" if long >= LONGER_SHARE * short else ""

    @cached_property
    def sides_px(self) -> NDArray[np.float64]:
        """(T, G, 2) how wide and high the rectangle around each object's box is."""
        return sides_px(self.tracks)

    @cached_property
    def fronted(self) -> Mask:
        """(T, G) whether an object is large enough in the picture for its front to be told, if it has one."""
        t = self.tracks
        known = np.array([f and n not in FRONTLESS for f, n in zip(t.fronts, t.names, strict=True)], bool)
        wide = self.sides_px.max(axis=2) >= self.recipe.seeing.front_px
        return np.asarray(wide & known[:, None])

    def usual(self, obj: int, op: str) -> UsualSide | None:
        """Return what built-in objects of the same noun measure along the side that a size is asked of; None
        where nobody drew their sizes.
        """
        long, wide = 0, 1
        if self.shape(obj) in ("sides", "handled", "round"):
            wide, long = (int(k) for k in np.argsort(self.tracks.sizes_m[obj, :2], kind="stable"))
        axis = {"length": long, "width": wide, "height": 2}[op]
        t = self.tracks
        return usual_side(t.rules.name, self._assets[t.objects[obj]], t.names[obj], axis)

    @cached_property
    def _assets(self) -> dict[str, str]:
        return {t.id: t.asset.name for t in self.scene.objects}

    def unround(self, obj: int) -> float:
        """Return by how much one side of an object is longer than the other, in metres."""
        return float(np.ptp(self.tracks.sizes_m[obj, :2]))

    def moves(self, obj: int, moment: Moment) -> bool:
        """Return whether an object clearly moves in a span, or around a time."""
        shown, last = self.tracks.shown, self.clear.shape[1] - 1
        ends = max(moment.first - (moment.first == moment.last), 0), min(moment.last + 1, last)
        first, end = ends if moment.first == moment.last else (moment.first, moment.last)
        return motion_grade(self.tracks, obj, "moves", (int(shown[first]), int(shown[end]))).ratio >= 1

    def moves_s(self, obj: int, times: Sequence[str]) -> tuple[float, float]:
        """Return the part of a span in which an object moves: until it is near where it was, and from then on
        where it will be.
        """
        t = self.tracks
        start_s, end_s = map(float, times)
        first, last = t.at(start_s), t.at(end_s)
        places, near = t.centres_m[obj, first : last + 1], 0.25 * t.rules.leg_m
        gone = np.linalg.norm(places - places[0], axis=1) > near
        left = np.linalg.norm(places - places[-1], axis=1) > near
        if not gone.any() or not left.any():
            return start_s, end_s
        begins, ends = first + int(np.argmax(gone)) - 1, last - int(np.argmax(left[::-1])) + 1
        return float(t.times_s[min(begins, ends - 1)]), float(t.times_s[max(begins + 1, ends)])

    @cached_property
    def view_deg(self) -> float:
        """How wide the camera sees, in degrees."""
        camera = self.scene.cameras[0]
        sides = camera.cx, camera.width - camera.cx
        return sum(math.degrees(math.atan2(side, camera.fx)) for side in sides)

    def reach_px_m(self, objects: Sequence[int]) -> float:
        """Return how many pixels the longest side of the smallest of some objects takes, a metre away."""
        t = self.tracks
        sides = t.sizes_m[list(objects)].max(axis=1, initial=0.0)
        return float(sides.min() * min(t.focal_px)) if len(sides) else math.inf

    def away_m(self, objects: Sequence[int], time: str) -> float:
        """Return how far the farthest of some objects is from the camera at a time, in metres."""
        frame = self.tracks.at(float(time))
        off = self.tracks.centres_m[list(objects), frame] - self.tracks.eyes_m[frame]
        return float(np.linalg.norm(off, axis=1).max())

    def at(self, place: int) -> str:
        """Return when a shown frame is, in seconds as it is written."""
        return time_text(float(self.tracks.times_s[self.tracks.shown[place]]))


def time_text(seconds: float) -> str:
    """Return a time with one decimal where that is exact, else with two: "2.0", "3.43"."""
    text = f"{seconds:.2f}"
    return text[:-1] if text.endswith("0") else text


def video_context(scene: Scene, visibility: Sights, recipe: VideoQuestionRecipe) -> VideoContext:
    """Return a video with what the frames that are shown let one see of it."""
    tracks = seen_by(video_view(scene), visibility, recipe.seeing)
    return VideoContext(scene, tracks, visibility, recipe, tracks.clear_in((0, tracks.frames - 1)).T)
