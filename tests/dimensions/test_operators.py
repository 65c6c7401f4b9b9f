"""What operators on pictures and on handling come to where the answer is known, or there is none."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.programs.engine import operators_on, run
from fathom.programs.operators.handling import ends_beside, handling, moved_order, moves_of
from fathom.programs.operators.pictured import (
    CELLS,
    carried_by,
    carrier_of,
    color_of,
    dealing,
    how_many,
    in_the_way,
    part_of_picture,
    room_kind,
    room_use,
    shown_noun,
    view_side,
    written,
)
from fathom.programs.synonyms import taken_for
from fathom.programs.values import Scenes, Unanswerable
from fathom.programs.views.video import VideoView
from fathom.questions.notation import filled_program, parsed
from fathom.records import Pose, SceneObject, Step
from tests.tracks.worlds import obj, pose, tracks, upright

TRIED = frozenset(
    {
        "room_kind", "room_use", "written", "weather", "daytime",
        "does_deed", "deed_object", "put_on", "deed_order", "next_deed", "walks_next",
        "how_many", "color_of", "part_of_picture", "carrier_of",
        "carried_by", "shown_noun", "view_side", "dealing", "in_the_way", "handling", "moved_order",
        "ends_beside", "heads_for", "right_beside", "held_by", "doing",
        "sat_on", "pushed_by", "looked_at", "does_to", "out_of_place",
    }
)  # fmt: skip
"""The operators that are tried here, and in test_people, _contacts, _belonging, _acting and _answers."""

BOX = (0.4, 0.4, 0.5)


def room(*more: SceneObject) -> VideoView:
    """The camera stands at (-4, 0, 1.5) and looks along x: its left is world y."""
    return tracks(
        obj("table", (0, 0, 0), noun="table", color="brown", size=(1.0, 1.0, 0.7)),
        obj("mug", (0.2, 0.1, 0.7)),
        *more,
    )


def at(view: VideoView, name: str) -> int:
    return view.index(name)


def test_what_stands_on_what() -> None:
    view = room(obj("bowl", (0, 2.0, 0), noun="bowl"))
    assert carrier_of(view, at(view, "mug"), 0).value == "table"
    assert carrier_of(view, at(view, "bowl"), 0).value == "floor"
    assert carried_by(view, at(view, "table"), 0).value == "mug"
    with pytest.raises(Unanswerable):
        carried_by(view, at(view, "bowl"), 0)


def test_a_floor_lamp_is_not_asked_on_what_it_stands() -> None:
    view = room(obj("lamp", (0, 2.0, 0), noun="floor lamp"))
    with pytest.raises(Unanswerable, match="as its name says"):
        carrier_of(view, at(view, "lamp"), 0)


def test_what_hangs_beside_a_table_does_not_stand_on_it() -> None:
    view = tracks(
        obj("table", (0, 0, 0), noun="table", size=(1.0, 1.0, 0.7)), obj("mug", (0.0, 0.505, 0.7)),
        obj("vase", (0.0, 0.9, 0.7), noun="vase"),
    )  # fmt: skip
    assert carrier_of(view, at(view, "mug"), 0).truth.ratio < 1  # its middle is on the edge
    with pytest.raises(Unanswerable):  # it hangs in the air
        carrier_of(view, at(view, "vase"), 0)


def test_objects_are_counted() -> None:
    view = room(obj("other", (0, 1.5, 0), color="blue"))
    assert how_many(view, 0, "mug").value == "2"
    assert how_many(view, 0, "table").value == "1"
    with pytest.raises(Unanswerable):
        how_many(view, 0, "vase")


@pytest.mark.parametrize(
    ("place", "word"),
    [((0, 2, 0), "left"), ((0, -2, 0), "right"), ((2, 0, 0), "farther"), ((-2, 0, 0), "nearer")],
)
def test_sides_are_those_of_the_cameras_view(place: tuple[float, float, float], word: str) -> None:
    view = room(obj("bowl", place, noun="bowl"))
    assert view_side(view, at(view, "bowl"), at(view, "table"), 0).value == word


@pytest.mark.parametrize(("aside_m", "asked"), [(0.4, True), (1.0, False), (2.0, False)])
def test_what_lies_between_two_sides_is_not_asked(aside_m: float, asked: bool) -> None:
    """Twice as far ahead as aside people say either; where it is five times as far nobody does."""
    view = room(obj("bowl", (2.0, aside_m, 0), noun="bowl"))
    try:
        ratio = view_side(view, at(view, "bowl"), at(view, "table"), 0).truth.ratio
    except Unanswerable:
        ratio = 0.0
    assert (ratio >= 1) == asked


@pytest.mark.parametrize(
    ("turn", "word"), [(0.0, "front"), (math.pi, "back"), (math.pi / 2, "right"), (-math.pi / 2, "left")]
)
def test_what_an_object_turns_to_another(turn: float, word: str) -> None:
    chair = obj("chair", [pose((-1.0, 0, 0), upright(turn))], noun="chair", size=BOX)
    view = room(chair)
    assert dealing(view, at(view, "chair"), at(view, "table"), 0).value == word
    with pytest.raises(Unanswerable):  # it stands on it
        dealing(view, at(view, "mug"), at(view, "table"), 0)


def test_what_is_in_the_way_and_what_is_not() -> None:
    ends = (obj("sofa", (-2, 2, 0), noun="sofa", size=BOX), obj("bed", (2, 2, 0), noun="bed", size=BOX))
    view = room(*ends, obj("stool", (0.3, 2.0, 0), noun="stool", size=BOX))
    assert in_the_way(view, at(view, "sofa"), at(view, "bed"), 0).value == "stool"
    for beside in ((0.3, 2.3, 0), (0.3, 4.0, 0)):  # it reaches into the way, it stands aside
        view = room(*ends, obj("stool", beside, noun="stool", size=BOX))
        with pytest.raises(Unanswerable):
            in_the_way(view, at(view, "sofa"), at(view, "bed"), 0)


def test_colors_and_kinds() -> None:
    view = room(obj("lamp", (0, 2.0, 2.2), noun="lamp", color="red"))
    assert color_of(view, at(view, "lamp")).value == "red"
    assert shown_noun(view, at(view, "lamp"), 0).value == "lamp"
    with pytest.raises(Unanswerable):
        written(view, 0, "poster")


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize("column", range(3))
def test_parts_of_the_picture_are_its_thirds(row: int, column: int) -> None:
    view = room()
    wide, high = view.size_px
    off = np.array([(column - 1) * wide / 3, (row - 1) * high / 3]) / view.focal_px * 4.0
    view = room(obj("lamp", (0, -off[0], 1.5 - off[1]), noun="lamp", size=(0.02, 0.02, 0.02)))
    found = part_of_picture(view, at(view, "lamp"), 0)
    assert found.value == CELLS[row][column] and found.truth.ratio >= 1


def test_nobody_says_in_which_third_something_is_that_reaches_over_a_border() -> None:
    wide = room().size_px[0] / room().focal_px[0] * 4.0
    for aside, size, asked in (
        (wide / 6, 0.1, False),  # on the line
        (wide / 3, wide / 3, True),  # fills the third on the left
        (wide / 4, wide / 4, False),  # of its width a quarter is in the middle
        (0.0, wide / 3, True),
        (0.0, wide * 0.5, False),  # reaches over the middle third on both sides
    ):
        view = room(obj("screen", (0, aside, 1.5), noun="screen", size=(0.02, size, 0.02)))
        assert (part_of_picture(view, at(view, "screen"), 0).truth.ratio >= 1) == asked, (aside, size)


FRAMES = 120


def way(start: tuple[float, float, float], end: tuple[float, float, float], begin: int, last: int,
        rise_m: float = 0.0, turn_rad: float = 0.0) -> list[Pose]:  # fmt: skip
    """Poses of one move between two frames, along a straight line, lifted half-way."""
    out = []
    for f in range(FRAMES):
        share = float(np.clip((f - begin) / (last - begin), 0, 1))
        place = np.array(start) + share * (np.array(end) - np.array(start))
        place[2] += rise_m * math.sin(math.pi * share)
        out.append(pose(place, upright(turn_rad * share)))
    return out


def table(*objects: SceneObject) -> VideoView:
    return tracks(*objects, frames=FRAMES, setting="desktop")


CASES = {
    "farther": way((0, 0, 0), (0.3, 0.05, 0), 20, 60),
    "left": way((0, 0, 0), (0, 0.3, 0), 20, 60),
    "right": way((0, 0, 0), (0.05, -0.3, 0), 20, 60),
    "nearer": way((0, 0, 0), (-0.3, 0, 0), 20, 60),
    "turned": way((0, 0, 0), (0, 0, 0), 20, 60, turn_rad=1.0),
    "lifted": way((0, 0, 0), (0.3, 0, 0), 20, 60, rise_m=0.2),
}
UNSAID = {
    "stacked": way((0, 0, 0), (0.6, 0, 0.3), 20, 60, rise_m=0.2),
    "untouched": [pose((0, 0, 0))] * FRAMES,
}
"""What nobody is asked about: what is put on something, and what stays as it is."""


@pytest.mark.parametrize("word", CASES)
def test_what_is_done_with_an_object(word: str) -> None:
    view = table(obj("mug", CASES[word]), obj("box", (0.6, 0, 0), noun="box", size=(0.3, 0.3, 0.3)))
    assert handling(view, at(view, "mug"), (0, FRAMES - 1)).value == word


@pytest.mark.parametrize("case", UNSAID)
def test_of_what_stays_or_is_put_on_something_it_is_not_asked_what_happens(case: str) -> None:
    view = table(obj("mug", UNSAID[case]), obj("box", (0.6, 0, 0), noun="box", size=(0.3, 0.3, 0.3)))
    with pytest.raises(Unanswerable):
        handling(view, at(view, "mug"), (0, FRAMES - 1))


def test_a_way_between_two_directions_is_not_told() -> None:
    view = table(obj("mug", way((0, 0, 0), (0.2, 0.17, 0), 20, 60)), obj("box", (2, 0, 0), noun="box"))
    assert handling(view, at(view, "mug"), (0, FRAMES - 1)).truth.ratio < 1


def test_two_moves_are_not_one() -> None:
    poses = [*way((0, 0, 0), (0.3, 0, 0), 10, 40)[:60], *way((0.3, 0, 0), (0.3, 0.3, 0), 70, 100)[60:]]
    view = table(obj("mug", poses), obj("box", (2, 0, 0), noun="box"))
    assert len(moves_of(view, at(view, "mug"), (0, FRAMES - 1))) == 2
    with pytest.raises(Unanswerable):
        handling(view, at(view, "mug"), (0, FRAMES - 1))


def test_the_order_of_moves_is_told_by_the_places_of_who_is_asked_about() -> None:
    view = table(
        obj("a", way((0, 0, 0), (0.3, 0, 0), 80, 110), noun="mug"),
        obj("b", way((0, 1, 0), (0.3, 1, 0), 5, 30), noun="bowl"),
        obj("c", way((0, 2, 0), (0.3, 2, 0), 45, 65), noun="box"),
    )
    order = (at(view, "a"), at(view, "b"), at(view, "c"))
    assert moved_order(view, order, (0, FRAMES - 1)).value == "2 3 1"
    assert moved_order(view, order[::-1], (0, FRAMES - 1)).value == "2 1 3"


def test_of_four_objects_each_has_its_place_in_the_order() -> None:
    begins = {"a": (80, 100), "b": (5, 20), "c": (30, 45), "d": (55, 70)}
    nouns = ("mug", "bowl", "box", "book")
    view = table(
        *(
            obj(name, way((0, k, 0), (0.3, k, 0), *begins[name]), noun=noun)
            for k, (name, noun) in enumerate(zip(begins, nouns, strict=True))
        )
    )
    who = {name: view.index(name) for name in begins}
    program = filled_program(
        parsed("moved_order $a $b $c $d whole", operators_on(Scenes.VIDEO)),
        {},
        {name: (Step(op="thing", args=(name,)),) for name in begins},
    )
    assert moved_order(view, list(who.values()), (0, FRAMES - 1)).value == "2 3 4 1"
    assert run(program, view).value == "2 3 4 1"


def test_where_an_object_goes_is_told_from_half_of_its_way_on() -> None:
    box, far = obj("box", (0.75, 0, 0), noun="box"), obj("bowl", (0.4, 0.8, 0), noun="bowl")
    view = table(obj("mug", way((0, 0, 0), (0.5, 0, 0), 20, 80)), box, far)
    assert ends_beside(view, at(view, "mug"), 60).value == "box"
    for frame in (25, 100):  # hardly begun; over
        with pytest.raises(Unanswerable):
            ends_beside(view, at(view, "mug"), frame)


def test_a_chair_of_which_a_post_peeps_in_at_the_edge_is_not_counted_and_not_left_out() -> None:
    view = room(obj("other", (0, 1.5, 0), color="blue"))
    sure = np.ones((1, len(view.objects)), dtype=bool)
    sure[0, at(view, "other")] = False
    hidden = view.with_seen([0], sure, sure)
    assert how_many(hidden, 0, "mug").value == "1"
    peeps = replace(hidden, glimpsed=np.ones_like(sure))
    with pytest.raises(Unanswerable):
        how_many(peeps, 0, "mug")


def test_what_may_be_taken_for_another_spoils_a_count_where_it_is_not_clear() -> None:
    view = room(obj("jar", (0, 1.5, 0), noun="bowl"))
    assert how_many(view, 0, "mug").value == "1"
    clear = np.ones((1, len(view.objects)), dtype=bool)
    clear[0, at(view, "jar")] = False
    with pytest.raises(Unanswerable):
        how_many(view.with_seen([0], np.ones_like(clear), clear), 0, "mug")


def test_table_lamps_are_not_counted_beside_a_desk_lamp() -> None:
    lamp = obj("lamp", (0, 1.5, 0), noun="table lamp")
    assert how_many(room(lamp), 0, "table lamp").value == "1"
    with pytest.raises(Unanswerable):
        how_many(room(lamp, obj("other", (0, -1.5, 0), noun="desk lamp")), 0, "table lamp")


def test_what_is_aside_in_the_picture_is_not_said_to_be_nearer() -> None:
    """Straight before the table on the floor, but at its edge in the picture."""
    view = room(obj("bowl", (-1.2, 0.28, 0.0), noun="bowl", size=(0.1, 0.1, 0.1)))
    beside = room(obj("bowl", (-1.2, 0.52, 0.0), noun="bowl", size=(0.1, 0.1, 0.1)))
    found = view_side(view, at(view, "bowl"), at(view, "table"), 0)
    assert found.value == "nearer" and found.truth.ratio >= 1
    with pytest.raises(Unanswerable):
        view_side(beside, at(beside, "bowl"), at(beside, "table"), 0)


def test_a_kitchen_with_a_dining_table_is_not_furnished_for_one_thing() -> None:
    cooks = (obj("fridge", (1, 0, 0), noun="fridge"), obj("oven", (1, 1, 0), noun="oven"))
    view = replace(tracks(*cooks), place="kitchen")
    assert room_use(view, 0).value == room_kind(view, 0).value == "kitchen"
    dines = replace(tracks(*cooks, obj("table", (3, 1, 0), noun="round table")), place="kitchen")
    assert room_kind(dines, 0).value == "kitchen"
    with pytest.raises(Unanswerable):
        room_use(dines, 0)


def test_nobody_sees_a_plain_square_block_turn() -> None:
    for size, front in (((0.3, 0.3, 0.3), "unknown"), ((0.3, 0.28, 0.3), "unknown")):
        block = obj("mug", CASES["turned"], size=size)
        said = {**block.attributes, "front": front}
        with pytest.raises(Unanswerable):
            handling(table(msgspec.structs.replace(block, attributes=said)), 0, (0, FRAMES - 1))


def test_a_turn_on_the_spot_has_no_place_in_an_order_of_moves() -> None:
    moves = (way((0, 0, 0), (0.3, 0, 0), 80, 110), way((0, 1, 0), (0.3, 1, 0), 5, 30))
    spin = way((0, 2, 0), (0, 2, 0), 45, 65, turn_rad=1.0)
    view = table(obj("a", moves[0]), obj("b", moves[1], noun="bowl"), obj("c", spin, noun="box"))
    with pytest.raises(Unanswerable):
        moved_order(view, [at(view, name) for name in "abc"], (0, FRAMES - 1))


def test_nothing_is_put_down_beside_what_it_stood_beside_at_first() -> None:
    start = obj("mug", way((0, 0, 0), (0.0, 0.12, 0), 20, 80))
    view = table(start, obj("box", (0.25, 0.1, 0), noun="box"), obj("bowl", (0.4, 0.8, 0), noun="bowl"))
    try:
        ratio = ends_beside(view, at(view, "mug"), 60).truth.ratio
    except Unanswerable:
        ratio = 0.0
    assert ratio < 1


def test_a_cabinet_is_no_false_option_beside_a_television_stand() -> None:
    assert taken_for("cabinet", "TV stand")
    assert not taken_for("cabinet", "cabinet")
    assert not taken_for("cabinet", "sofa")


def test_cars_are_not_counted_beside_what_some_people_call_a_car() -> None:
    cars = obj("one", (0, 2.0, 0), noun="car"), obj("two", (0, -2.0, 0), noun="car")
    assert how_many(room(*cars), 0, "car").value == "2"
    with pytest.raises(Unanswerable):
        how_many(room(*cars, obj("three", (3, 0, 0), noun="pickup truck")), 0, "car")


def test_what_hardly_leaves_its_place_has_none_in_an_order_of_moves() -> None:
    far, other = way((0, 0, 0), (0.3, 0, 0), 80, 110), way((0, 1, 0), (0.3, 1, 0), 5, 30)
    for gone, size, told in ((0.1, (0.1, 0.1, 0.1), True), (0.1, (0.2, 0.2, 0.1), False)):
        third = obj("c", way((0, 2, 0), (gone, 2, 0), 45, 65), noun="box", size=size)
        view = table(obj("a", far), obj("b", other, noun="bowl"), third)
        who = at(view, "a"), at(view, "b"), at(view, "c")
        if told:
            assert moved_order(view, who, (0, FRAMES - 1)).value == "2 3 1"
        else:
            with pytest.raises(Unanswerable):
                moved_order(view, who, (0, FRAMES - 1))


@pytest.mark.parametrize(("off_deg", "faces"), [(20.0, True), (33.0, False)])
def test_who_looks_well_beside_something_does_not_face_it(off_deg: float, faces: bool) -> None:
    chair = obj("chair", [pose((-1.0, 0, 0), upright(math.radians(off_deg)))], noun="chair", size=BOX)
    view = room(chair)
    found = dealing(view, at(view, "chair"), at(view, "table"), 0)
    assert found.value == "front"
    assert (found.truth.ratio >= 1) == faces
