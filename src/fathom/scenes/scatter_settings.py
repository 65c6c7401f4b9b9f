"""What objects scattered on the ground are drawn from: the settings of PulseCheck457's scenes.

Ref: PulseCheck457 §3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fathom.records import InputError

PAPER_COLORS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")


@dataclass(frozen=True)
class Scatter:
    """What the generator draws from; the defaults are the paper's.

    A scene fits when enough shows of every object. What is small or thin needs more of itself: thin classes
    are those that one sees through. (The published generator has a floor of 200 pixels and no other.)
    Positions are drawn again until the scene fits, and for a while until as many pairs overlap as were drawn.

    fewest, most : objects in a scene
    sizes : scale factors of the unit models
    colors : what objects are painted with
    half_extent_m : half the side of the square that centers stand in
    inflate : factor on footprints that must not cross
    camera_m : where the camera stands: x, y, z
    camera_jitter_m : how far the camera is moved at random, along each axis
    width, height : size of the image in pixels
    focal_px : focal length
    min_visible_px : pixels that show of every object, at least
    min_visible_fraction : share of its whole silhouette that shows of every object, at least
    small_px : objects with a smaller silhouette than this are small; no larger one shows fewer pixels
    small_fraction : share of its silhouette that shows of a small object, at least
    thin : the classes that are thin
    thin_fraction : share of its silhouette that shows of a thin object, at least
    min_inside_fraction : share of its silhouette that is inside the image, at least
    occlusion : pairs wanted, per object, in which one hides a part of the other, at most
    hidden_shares : share of the hidden object's silhouette in such a pair, from and to
    tries : arrangements that are tried
    crowded_after : arrangements that have not fitted, after which the square grows
    crowded_growth : the factor by which it grows, so that crowded scenes need not be thrown away
    """

    fewest: int = 3
    most: int = 10
    sizes: Mapping[str, float] = field(default_factory=lambda: {"large": 3.5, "small": 1.8})
    colors: tuple[str, ...] = PAPER_COLORS
    half_extent_m: float = 3.0
    inflate: float = 1.1
    camera_m: tuple[float, float, float] = (7.4811, -6.5076, 5.3437)
    camera_jitter_m: float = 0.5
    width: int = 640
    height: int = 480
    focal_px: float = 700.0
    min_visible_px: int = 400
    min_visible_fraction: float = 0.5
    small_px: int = 1000
    small_fraction: float = 0.8
    thin: tuple[str, ...] = ("bicycle", "motorbike")
    thin_fraction: float = 0.65
    min_inside_fraction: float = 0.97
    occlusion: float = 0.75
    hidden_shares: tuple[float, float] = (0.1, 0.45)
    tries: int = 80
    crowded_after: int = 10
    crowded_growth: float = 1.05

    def __post_init__(self) -> None:
        """Raise InputError where more objects are wanted at least than at most."""
        if self.fewest > self.most:
            raise InputError(
                f"fewest={self.fewest} and most={self.most}: expected no fewer at most than at least; "
                "set both"
            )

    @property
    def mean(self) -> float:
        """How many objects a scene has on average."""
        return (self.fewest + self.most) / 2
