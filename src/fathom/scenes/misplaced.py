"""Something in a pictured room that is not where such a thing is kept, and others that are where they belong.

add_misplaced(picture)        # the picture has its camera
"""

from __future__ import annotations

from functools import partial

from fathom.programs.operators.belonging import FURNITURE, KEPT, TOPS
from fathom.scenes.estimated_views import called_alone
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.several_alike import on_floor
from fathom.scenes.videos.furnishing_rooms import Stand

CHANCE = 0.45
"""How likely it is tried."""

ONTO = 0.6
"""How likely it is something that is kept on the floor: it finds room more seldom."""

FELLOWS, NOUNS = 3, 6
"""So many others are to be seen where they belong; so many nouns are tried for each object."""


def add_misplaced(picture: RoomPicture, chance: float = CHANCE) -> None:
    """Put one object where it does not belong, and as many where they do that there are enough of them, all
    of them in the picture; none where that fails.
    """
    layout = picture.layout
    if layout.g.random() >= chance:
        return
    before = list(layout.stands)
    onto = bool(layout.g.random() < ONTO)
    odd = _one_of(picture, [n for n, place in KEPT.items() if (place == FURNITURE) != onto], onto)
    fellows = [s for s in layout.stands if s is not odd and _is_fellow(picture, s)] if odd is not None else []
    while odd is not None and len(fellows) < FELLOWS:
        more = bool(layout.g.random() < 0.5)
        fellow = _one_of(picture, [n for n, place in KEPT.items() if (place == FURNITURE) == more], more)
        if fellow is None:
            layout.stands[:] = before
            return
        fellows.append(fellow)
    if odd is not None:
        picture.keep(odd, *fellows)


def _is_fellow(picture: RoomPicture, stand: Stand) -> bool:
    """Return whether an object is where it belongs, is seen, and has a name of its own."""
    stands = picture.layout.stands
    raised = stand.on >= 0 and stands[stand.on].asset.noun in TOPS
    there = raised if KEPT.get(stand.asset.noun) == FURNITURE else stand.on in (-1, -2)
    known = stand.asset.noun in KEPT and called_alone(stands, stand)
    return known and there and picture.sees(stand)


def _one_of(picture: RoomPicture, nouns: list[str], raised: bool) -> Stand | None:
    """Return an object of one of some nouns, put on furniture or on the floor where it is seen."""
    layout = picture.layout
    there = {s.asset.noun for s in layout.stands}
    new = [n for n in nouns if n not in there]
    for noun in [new[int(k)] for k in layout.g.permutation(len(new))[:NOUNS]]:
        layout.most = max(layout.most, len(layout.stands) + 1)
        spot = _raised(picture, noun) if raised else _low(picture, noun)
        if spot is not None:
            return spot
    return None


def _raised(picture: RoomPicture, noun: str) -> Stand | None:
    """Return an object put on any furniture of the picture that has room on it."""
    layout = picture.layout
    tops = [s for s in layout.stands if s.asset.noun in TOPS and picture.shows(s)]
    free = [s for s in tops if all(s is not one for one in picture.bearers)]
    for k in layout.g.permutation(len(free)).tolist():
        spot = picture.added(partial(layout.on_top, (noun,), free[k]))
        if spot is not None and _seen(picture, spot):
            return spot
    return None


def _low(picture: RoomPicture, noun: str) -> Stand | None:
    """Return an object put on the floor within the picture."""
    layout, camera = picture.layout, picture.camera
    assert camera is not None
    for _ in range(NOUNS):
        spot = picture.added(partial(on_floor, layout, noun, camera))
        if spot is not None and _seen(picture, spot):
            return spot
    return None


def _seen(picture: RoomPicture, spot: Stand) -> bool:
    """Return whether an object that was put there is seen and has a name of its own; else it is gone."""
    stands = picture.layout.stands
    if called_alone(stands, spot) and picture.sees(spot):
        return True
    stands.remove(spot)
    return False
