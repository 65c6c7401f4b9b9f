"""More furniture, and more of what somebody could take, put where the camera that films them sees it.

dressed(done, shown, camera)        # adds to the room in which a performance is given

What is picked up stands among other things, and what is sat on among other seats. Nothing is put in anybody's
way, nor before what they have to do with.
"""

from __future__ import annotations

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.acting.directing import Directed
from fathom.scenes.acting.playing import PlayedActs
from fathom.scenes.acting.stage import BEARERS, SEATS, THINGS, left_of
from fathom.scenes.estimated_views import rectangle_px
from fathom.scenes.estimated_views import shown as seen_by_camera
from fathom.scenes.videos.boxes import boxes_at
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand

WANTED, TRIES = {SEATS: 4, THINGS: 5, BEARERS: 4}, 30
"""So many of these are to be seen, and how often it is tried to put one more there."""

ON_FLOOR = ("ball", "box", "toy house", "watering can", "handbag")
TO_FLOOR, WALL_M = 0.35, 0.05
"""What also stands on the floor, how likely that is, and how far from walls."""

BODY_M, HIGH_M, HANDS_M = 0.8, 2.0, 0.2
"""How wide and how high the place is that somebody takes up, and how much wider than what they hold."""

LEAST_PX = 500.0
"""How large the rectangle around what is put there is in the picture at least."""


def dressed(done: Directed, shown: PlayedActs, camera: Camera) -> None:
    """Put more furniture and things into a room where a camera sees them."""
    layout = done.stage.layout
    _keep_ways_free(done, shown)
    for nouns, wanted in WANTED.items():
        for _ in range(TRIES):
            if len(_seen(layout, nouns, camera)) >= wanted:
                break
            _one_more(done, nouns, camera)


def _keep_ways_free(done: Directed, shown: PlayedActs) -> None:
    layout, rows = done.stage.layout, np.isfinite(shown.things).all(axis=1)
    places = np.column_stack([shown.roots[:, :2], np.zeros(len(shown.roots))])
    layout.keep_free(boxes_at((BODY_M, BODY_M, HIGH_M), places, np.zeros(len(places))))
    if done.taken is not None and rows.any():
        long, wide, high = done.taken.size_m
        size = (long + HANDS_M, wide + HANDS_M, high + HANDS_M)
        under = shown.things[rows, :3] - np.array([0.0, 0.0, HANDS_M / 2])
        layout.keep_free(boxes_at(size, under, shown.things[rows, 3] + done.turn_rad))


def _one_more(done: Directed, nouns: tuple[str, ...], camera: Camera) -> None:
    """Put an object of some nouns into a room, where it is seen and hides nothing that was seen before."""
    layout = done.stage.layout
    every = _seen(layout, (*THINGS, *SEATS, *BEARERS), camera)
    spot = _thing(layout) if nouns is THINGS else _furniture(layout, nouns)
    if spot is None:
        return
    wide, high = np.ptp(rectangle_px(spot, camera).reshape(2, 2), axis=0) if _ahead(spot, camera) else (0, 0)
    still = _seen(layout, (*THINGS, *SEATS, *BEARERS), camera)
    hidden = any(all(s is not other for other in still) for s in every)
    if hidden or all(s is not spot for s in still) or wide * high < LEAST_PX:
        layout.stands.remove(spot)


def _ahead(spot: Stand, camera: Camera) -> bool:
    """Return whether an object is surely before a camera, and not beside it."""
    off = np.array(spot.place_m[:2]) - np.array(camera.poses[0].position_m[:2])
    return bool(np.hypot(*off) > 1.0)


def _thing(layout: RoomLayout) -> Stand | None:
    """Return something handy put on furniture, or on the floor."""
    g = layout.g
    if g.random() < TO_FLOOR:
        return layout.set_down(layout.drawn(left_of(layout, ON_FLOOR)), True, WALL_M)
    bearers = [s for s in layout.stands if s.asset.noun in BEARERS]
    return layout.on_top(left_of(layout, THINGS), bearers[int(g.integers(len(bearers)))])


def _furniture(layout: RoomLayout, nouns: tuple[str, ...]) -> Stand | None:
    """Return furniture put at a wall, or anywhere on the floor."""
    left = left_of(layout, nouns)
    if layout.g.random() < TO_FLOOR:
        return layout.set_down(layout.drawn(left), False, WALL_M)
    return layout.against_wall(left)


def _seen(layout: RoomLayout, nouns: tuple[str, ...], camera: Camera) -> list[Stand]:
    """Return what of some nouns is in the picture with nothing before its middle."""
    some = [s for s in layout.stands if s.asset.noun in nouns]
    there: Array = seen_by_camera(some, layout.stands, camera)[0]
    return [s for s, shows in zip(some, there, strict=True) if shows]
