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

CHANCE, ONTO = 0.65, 0.6
"""How likely it is tried, and how likely first with what is kept on the floor: it finds room more seldom."""

FELLOWS, NOUNS, PLACES, LOW_PLACES = 3, 6, 3, 20
"""So many others are to be seen where they belong; so many nouns are tried for each, and so many places
of each on every piece of furniture, and on the floor."""


def add_misplaced(picture: RoomPicture, chance: float = CHANCE) -> None:
    """Put one object where it does not belong, and as many where they do that there are enough of them, all
    of them in the picture; none where that fails.
    """
    layout = picture.layout
    if layout.g.random() >= chance:
        return
    before = list(layout.stands)
    onto = bool(layout.g.random() < ONTO)
    odd = _odd(picture, onto) or _odd(picture, not onto)
    fellows = [s for s in layout.stands if s is not odd and _is_fellow(picture, s)]
    while odd is not None and len(fellows) < FELLOWS:
        raised = bool(layout.g.random() < 0.5)
        fellow = _one_of(picture, raised, raised) or _one_of(picture, not raised, not raised)
        if fellow is None:
            layout.stands[:] = before
            return
        fellows.append(fellow)
    if odd is not None:
        picture.keep(odd, *fellows)


def _odd(picture: RoomPicture, onto: bool) -> Stand | None:
    """Return an object put onto furniture that is kept on the floor, or the other way round."""
    return _one_of(picture, not onto, onto)


def _is_fellow(picture: RoomPicture, stand: Stand) -> bool:
    """Return whether an object is where it belongs, is seen, and has a name of its own."""
    stands = picture.layout.stands
    raised = stand.on >= 0 and stands[stand.on].asset.noun in TOPS
    there = raised if KEPT.get(stand.asset.noun) == FURNITURE else stand.on in (-1, -2)
    known = stand.asset.noun in KEPT and called_alone(stands, stand)
    return known and there and picture.sees(stand)


def _one_of(picture: RoomPicture, kept_up: bool, raised: bool) -> Stand | None:
    """Return a new object that is kept on furniture, or on the floor, put on either where it is seen."""
    layout = picture.layout
    there = {s.asset.noun for s in layout.stands}
    new = [n for n, place in KEPT.items() if (place == FURNITURE) == kept_up and n not in there]
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
    for k in layout.g.permutation(len(free)).tolist() * PLACES:
        spot = picture.added(partial(layout.on_top, (noun,), free[k]))
        if spot is not None and _seen(picture, spot):
            return spot
    return None


def _low(picture: RoomPicture, noun: str) -> Stand | None:
    """Return an object put on the floor within the picture."""
    layout, camera = picture.layout, picture.camera
    assert camera is not None
    for _ in range(LOW_PLACES):
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
