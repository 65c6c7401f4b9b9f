"""The evidence of one scene, laid out for the second derivation: where objects stand and face."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fathom.geometry.poses import rotation_matrix
from fathom.records import Scene
from fathom.verify.observed.observations import FEWEST_PIXELS, Observation
from fathom.verify.registry import SceneKind
from fathom.verify.undecided import InsufficientEvidence, OpenPolicy

Truth3 = bool | None
"""Yes, no, or neither: the evidence is too close to a threshold, or the rules leave it open."""

Holds = Callable[[Truth3], bool]
"""How a verdict is taken."""

Spot = tuple[float, float]


class Judge(Protocol):
    """Who says what the words of a rule set mean: whether they hold, None where that is open."""

    @property
    def decides(self) -> bool:
        """Whether what lies between yes and no is left open by the rules, and not by weak evidence."""
        ...

    def related(self, still: ObservedStill, i: int, j: int, word: str) -> Truth3:
        """Return whether j is on that side of i for the viewer."""
        ...

    def own(self, still: ObservedStill, i: int, j: int, word: str) -> Truth3:
        """Return whether j is on that side of i, as i itself faces."""
        ...

    def facing(self, still: ObservedStill, i: int, word: str) -> Truth3:
        """Return whether object i faces that way."""
        ...

    def turned(self, still: ObservedStill, i: int, j: int, word: str, holds: Holds) -> Truth3:
        """Return whether j faces the same or the opposite way as i, or at a right angle to it.

        `holds` says how what is open on the way is taken.
        """
        ...

    def hides(self, still: ObservedStill, i: int, j: int) -> Truth3:
        """Return whether j hides part of i."""
        ...

    def met(self, still: ObservedStill, i: int, word: str, what: str) -> dict[int, Truth3]:
        """Return of each object whether i meets it on its way."""
        ...


@dataclass(frozen=True, eq=False)
class ObservedStill:
    """One scene's evidence, ready to be asked, and who judges what words mean."""

    scene: Scene
    observations: Sequence[Observation]
    judge: Judge

    @property
    def kind(self) -> SceneKind:
        """Which operators run on it."""
        return SceneKind.STILL

    @property
    def policy(self) -> OpenPolicy:
        """How what is undecided is taken: all of it the same way."""
        return OpenPolicy(together=True, none=self.judge.decides)

    def object_id(self, index: int) -> str:
        """Return the id of an object."""
        return self.scene.objects[index].id

    @property
    def everything(self) -> frozenset[int]:
        """All objects."""
        return frozenset(range(len(self.observations)))

    @property
    def eye_m(self) -> Spot:
        """Where the camera stands, on the ground."""
        x, y, _ = self.scene.cameras[0].poses[0].position_m
        return x, y

    @property
    def ahead(self) -> Spot:
        """The unit direction of the camera's view on the ground."""
        x, y, _ = (float(v) for v in rotation_matrix(self.scene.cameras[0].poses[0].rotation_wxyz)[:, 2])
        length = math.hypot(x, y) or 1.0
        return x / length, y / length

    def place(self, i: int) -> Spot:
        """Return where object i stands. Raises InsufficientEvidence where the pixels cannot say."""
        found = self.observations[i].position_m
        if found is None or self.observations[i].visible_px < FEWEST_PIXELS:
            raise InsufficientEvidence
        return found

    def heading(self, i: int) -> float:
        """Return where thing i faces, in radians. Raises InsufficientEvidence where the pixels cannot say."""
        found = self.observations[i].heading_rad
        if found is None or self.observations[i].visible_px < FEWEST_PIXELS:
            raise InsufficientEvidence
        return found

    def range_m(self, i: int) -> float:
        """Return how far from the camera object i stands, along the ground."""
        return math.dist(self.place(i), self.eye_m)

    def as_seen(self, i: int) -> float:
        """Return where object i faces, in radians from the ray that leads from the camera to it."""
        (x, y), (ex, ey) = self.place(i), self.eye_m
        return math.atan2(y - ey, x - ex) - self.heading(i)

    def from_view(self, i: int) -> float:
        """Return where object i faces, in radians from the direction of the camera's view."""
        ax, ay = self.ahead
        return math.atan2(ay, ax) - self.heading(i)

    def broadside_px(self, i: int) -> float:
        """Return how many pixels long object i would be where it stands, turned to show its side."""
        camera = self.scene.cameras[0]
        away = math.hypot(self.range_m(i), camera.poses[0].position_m[2])
        return camera.fx * self.scene.objects[i].size_m[0] / max(away, 0.5)

    def ends_px(self, i: int) -> tuple[tuple[int, int], ...]:
        """Return of front and rear, a third of the length each, the pixels seen and those of it alone."""
        seen, alone = self.observations[i].seen_along_m, self.observations[i].alone_along_m
        third = self.scene.objects[i].size_m[0] / 6
        if seen is None or alone is None:
            raise InsufficientEvidence
        return tuple(
            (int(np.count_nonzero(sign * seen > third)), int(np.count_nonzero(sign * alone > third)))
            for sign in (1, -1)
        )

    def way_m(self, i: int, j: int, word: str, rays: bool = True) -> float:
        """Return how far i moves until it meets j: as the rays between the two say.

        Without `rays`, and where none were cast, a grid of points of j's footprint is walked over.
        """
        told = self.observations[i].ways_m
        if told is not None and rays:
            return told[word == "backward"][j]
        heading = self.heading(i) + (math.pi if word == "backward" else 0.0)
        (xi, yi), (xj, yj) = self.place(i), self.place(j)
        length, width, _ = self.scene.objects[j].size_m
        own_length, own_width, _ = self.scene.objects[i].size_m
        along, across = np.meshgrid(np.linspace(-0.5, 0.5, 81) * length, np.linspace(-0.5, 0.5, 81) * width)
        c, s = math.cos(self.heading(j)), math.sin(self.heading(j))
        dx, dy = xj - xi + along * c - across * s, yj - yi + along * s + across * c
        ahead = dx * math.cos(heading) + dy * math.sin(heading)
        aside = np.abs(dy * math.cos(heading) - dx * math.sin(heading))
        met = ahead[(aside <= own_width / 2) & (ahead > 0)]
        return float(met.min()) - own_length / 2 if met.size else math.inf


def turn(a: float, b: float) -> float:
    """Return the angle between two directions, in [0, π]."""
    return abs(math.remainder(a - b, 2 * math.pi))
