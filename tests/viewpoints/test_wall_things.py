"""What hangs on walls hangs there, and a move counts by the answers that it turns round."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fathom.assets.furniture.catalogue import INDOORS, room_assets
from fathom.geometry.poses import quaternion
from fathom.records import Camera, Pose
from fathom.scenes.turned_answers import turned_answers, weighed
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import Indoor, room_for
from fathom.scenes.viewpoints import turned_view
from fathom.scenes.wall_things import FROM_WALL_M, LEAST_M, MIDDLE_M, ON_WALL, hang_things, hung_anew


@pytest.fixture(scope="module")
def layout() -> RoomLayout:
    g = np.random.default_rng(5)
    room = room_for(g, "study", Indoor(bent=0.0), 1.1)
    found = RoomLayout(room, g, room_assets(None), most=4)
    hang_things(found, 7)
    return found


def test_what_hangs_has_its_back_on_a_wall_between_the_heights(layout: RoomLayout) -> None:
    hung = [s for s in layout.stands if s.on == ON_WALL]
    assert len(hung) >= 5
    for stand in hung:
        gaps = [float((np.array(stand.place_m[:2]) - s.a) @ s.inward) for s in layout.room.sides]
        assert min(gaps) == pytest.approx(stand.size_m[0] / 2 + FROM_WALL_M, abs=1e-5)
        side = layout.room.sides[int(np.argmin(gaps))]
        assert math.remainder(stand.heading_rad - side.heading_rad, 2 * math.pi) == pytest.approx(0, abs=1e-6)
        assert MIDDLE_M[0] <= stand.place_m[2] + stand.size_m[2] / 2 <= MIDDLE_M[1]
    on_shelves = [s for s in layout.stands if s.on >= 0]
    assert on_shelves and all(layout.stands[s.on].asset.noun == "wall shelf" for s in on_shelves)


def test_what_is_hung_anew_moves_straight_up_or_down(layout: RoomLayout) -> None:
    k = next(k for k, s in enumerate(layout.stands) if s.on == ON_WALL and s.asset.noun != "wall shelf")
    stand = layout.stands[k]
    spots = list(hung_anew(np.random.default_rng(1), layout, k))
    assert spots
    for spot in spots:
        assert spot.place_m[:2] == stand.place_m[:2] and spot.heading_rad == stand.heading_rad
        assert abs(spot.place_m[2] - stand.place_m[2]) >= LEAST_M


def _stand(x: float, z: float, high: float = 0.3) -> Stand:
    spec = INDOORS["built-in:wall lamp"]
    return Stand(spec, "", (0.2, 0.2, high), (x, 0.0, z), 0.0)


def _camera() -> Camera:
    """Return a camera 1.5 m up that looks along x, twice."""
    turn = quaternion(turned_view(0.0, 0.0, 0.0))
    poses: list[Pose] = [routes.rounded(np.array([0.0, 0.0, 1.5]), turn, t) for t in (0.0, 1.0)]
    return cameras.pinhole(640, 480, 1.2, tuple(poses))


def test_a_move_past_another_height_is_counted_most_where_the_picture_keeps_its_order() -> None:
    camera = _camera()
    move = _stand(3.0, 1.2), _stand(3.0, 0.7)
    beside = _stand(3.0, 0.95)
    # Near to a camera that is higher up, an object appears lower than both.
    near = replace(beside, place_m=(1.0, 0.4, 0.95))
    assert turned_answers(move, [], [beside], camera)["higher"] == 1
    assert turned_answers(move, [], [near], camera)["higher"] == 5
    assert turned_answers(move, [], [_stand(3.0, 0.2)], camera)["higher"] == 0
    assert turned_answers(move, [], [_stand(3.0, 0.3, high=1.6)], camera)["higher"] == 0, "ends say otherwise"


def test_what_left_its_carrier_turns_above_round_and_what_came_near_turns_nearer_round() -> None:
    camera = _camera()
    table, far = _stand(3.0, 0.3), _stand(4.0, 0.4)
    move = replace(far, place_m=(4.5, 0.0, 0.4)), replace(far, place_m=(2.0, 0.0, 0.4))
    counts = turned_answers(move, [table], [table, far], camera)
    assert counts["above"] >= 1 and counts["nearer"] >= 1
    assert weighed(counts, "nearer") > weighed(counts, "higher")
    floor = move[0], replace(far, place_m=(2.0, 0.0, 0.0))
    assert turned_answers(floor, [table], [table], camera)["above"] >= 1, "it was as high on the other table"
    low = tuple(replace(s, place_m=(*s.place_m[:2], 0.1)) for s in move)
    assert turned_answers((low[0], low[1]), [table], [table], camera)["above"] == 0, "nobody would think so"
    assert turned_answers(move, [], [], camera) == {}
