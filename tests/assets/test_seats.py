"""Who sits on a seat touches it: the thighs on it, the feet on the floor, and nothing of them in its back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import FURNITURE, INDOORS, furniture_model, room_assets
from fathom.assets.model import Model, stretched_to
from fathom.scenes.sitting import sat_down
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import Indoor, room_for

SEATS = [name for name, spec in FURNITURE.items() if spec.seat[0]]


def _points(model: Model, count: int) -> NDArray[np.float64]:
    """Return (count, 3) points all over a model's surface."""
    g = np.random.default_rng(0)
    corners = np.concatenate([p.vertices[p.faces] for p in model.parts])
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(across, axis=1)
    some = corners[g.choice(len(corners), count, p=areas / areas.sum())]
    u, v = g.random((2, count, 1))
    over = u + v > 1
    u, v = np.where(over, 1 - u, u), np.where(over, 1 - v, v)
    return np.asarray(some[:, 0] + u * (some[:, 1] - some[:, 0]) + v * (some[:, 2] - some[:, 0]))


@pytest.mark.parametrize("name", SEATS)
def test_somebody_touches_their_seat_and_is_not_in_it(name: str) -> None:
    size = 0.96  # of its usual size: nobody is tall enough for the highest office chair
    g, spec = np.random.default_rng(3), FURNITURE[name]
    room = room_for(g, "study", Indoor(bent=0.0), 1.3)
    layout = RoomLayout(room, g, room_assets(None), most=4)
    own = tuple(float(side) * size for side in furniture_model(spec).extents)
    seat = layout.put(Stand(spec, "", (own[0], own[1], own[2]), (0, 0, 0), 0.0), _middle(layout), 0.3)
    assert seat is not None
    who = INDOORS["built-in:woman on a seat"]
    (spot,) = sat_down(layout, Stand(who, "", furniture_model(who).extents, (0, 0, 0), 0.0))
    assert spot.place_m[2] == 0 and spot.on == 0 and math.isclose(spot.heading_rad, seat.heading_rad)

    chair = _points(stretched_to(furniture_model(spec), seat.size_m), 40_000)
    body = np.concatenate([p.vertices for p in stretched_to(furniture_model(who), spot.size_m).parts])
    # Both have the same heading, so that all is said in the frame of the seat.
    c, s = math.cos(-seat.heading_rad), math.sin(-seat.heading_rad)
    x, y = np.subtract(spot.place_m[:2], seat.place_m[:2])
    body = body + np.array([c * x - s * y, s * x + c * y, 0.0])
    high = spec.seat[0] * size
    on_it = (body[:, 0] < spec.seat[2] * size) & (body[:, 2] > 0.3 * high)
    assert body[on_it, 2].min() == pytest.approx(high, abs=1e-3), "the thighs lie on it"
    assert body[:, 2].min() == pytest.approx(0, abs=1e-3), "the feet stand on the floor"
    near = np.abs(chair[:, 1] - body[on_it, 1].mean()) < 0.2
    for z in np.arange(high + 0.05, seat.size_m[2] - 0.03, 0.05):
        back = chair[near & (np.abs(chair[:, 2] - z) < 0.02) & (chair[:, 0] < 0.05), 0]
        mine = body[(np.abs(body[:, 2] - z) < 0.02), 0]
        assert not len(back) or not len(mine) or mine.min() > back.max() - 0.005, "nothing is in the back"


def _middle(layout: RoomLayout) -> NDArray[np.float64]:
    x0, y0, x1, y1 = layout.room.plan[0]
    return np.array([(x0 + x1) / 2, (y0 + y1) / 2])
