"""What is put into a room so that it can be asked about: where it stands, and that the picture shows it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import msgspec
import numpy as np
import pytest

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.street.catalogue import BUILT_IN
from fathom.programs.operators.handling import start_gaps_m
from fathom.programs.operators.people import heads_for, held_by, right_beside
from fathom.programs.operators.pictured import carried_by, foot_m, how_many, in_the_way
from fathom.programs.synonyms import confused
from fathom.programs.views.video import VideoView, video_view
from fathom.questions.balancing.choices import with_options
from fathom.questions.choice_candidate import ChoiceCandidate, DrawnOption
from fathom.questions.sampling.choice_pools import ON_THE_FLOOR
from fathom.records import Camera, Environment, Scene
from fathom.scenes.boards import Word, read_from
from fathom.scenes.estimated_views import rectangle_px
from fathom.scenes.people import Somebody, add_people
from fathom.scenes.person_kinds import told
from fathom.scenes.pictured_streets import draw_pictured_street
from fathom.scenes.room_boards import word_in_view
from fathom.scenes.room_contents import begin, fill
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.several_alike import add_several, surfaces_of
from fathom.scenes.several_outside import several_in_view
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import Indoor, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from tests.dimensions.conftest import Seen

SEEDS = range(3)


def room(seed: int, *nouns: str) -> RoomLayout:
    """Return a room in which some objects stand against its walls."""
    g = np.random.default_rng(seed)
    layout = RoomLayout(room_for(g, "living room", Indoor(bent=0.0), 1.2), g, furniture_assets(None))
    for noun in nouns:
        assert layout.against_wall((noun,)) is not None
    return layout


def camera_of(layout: RoomLayout, target: Stand, away_m: float = 2.6) -> Camera:
    """Return a camera that looks at an object from before it."""
    eye = np.append(target.ahead(away_m), 1.5)
    pose = routes.looking(eye[None], np.append(target.place_m[:2], 0.5)[None], np.zeros(1))
    return cameras.pinhole(640, 480, math.radians(75), pose)


def seen_from(layout: RoomLayout, camera: Camera) -> VideoView:
    scene = Scene(
        id="room", generator="room", version="1", seed="0",
        objects=tuple(told(room_objects(layout, {}, False))),
        cameras=(camera,),
        environment=Environment(name="indoors", ground="none"),
        times_s=(0.0,),
        source={"setting": "indoor", "video": "room", "room": "living room"},
    )  # fmt: skip
    return video_view(scene)


def who(layout: RoomLayout, view: VideoView, stand: Stand) -> int:
    return view.index(f"thing{next(k for k, s in enumerate(layout.stands) if s is stand)}")


@pytest.mark.parametrize("way", ["walks", "stands", "carries", "holds"])
def test_what_somebody_has_to_do_with_is_what_they_were_put_to(way: str) -> None:
    placed = 0
    for seed in SEEDS:
        layout = room(seed, "armchair", "dresser", "fan")
        picture = RoomPicture(layout)
        layout.most = 20
        add_people(picture, [Somebody("woman", way)])
        if not picture.groups:
            continue
        ((somebody, other),) = picture.groups
        view = seen_from(layout, camera_of(layout, layout.stands[0]))
        act = {"walks": heads_for, "stands": right_beside, "carries": held_by, "holds": held_by}[way]
        found = act(view, who(layout, view, somebody), 0)
        assert found.truth.ratio >= 1
        assert view.index(str(found.value)) == who(layout, view, other)
        placed += 1
    assert placed >= len(SEEDS) - 1


def test_what_is_put_in_a_way_is_alone_in_it() -> None:
    placed = 0
    for seed in SEEDS:
        layout = room(seed, "armchair", "dresser", "fan")
        picture = RoomPicture(layout)
        begin(picture, [], 2)
        for one, other, block in picture.groups:
            view = seen_from(layout, camera_of(layout, layout.stands[0]))
            found = in_the_way(view, who(layout, view, one), who(layout, view, other), 0)
            assert found.truth.ratio >= 1
            assert view.index(str(found.value)) == who(layout, view, block)
            placed += 1
    assert placed >= 2


def test_what_is_put_alone_on_something_is_in_the_picture() -> None:
    placed = 0
    for seed in SEEDS:
        layout = room(seed, "armchair", "dresser", "fan")
        picture = RoomPicture(layout)
        picture.look(camera_of(layout, layout.stands[1]))
        fill(picture)
        view = seen_from(layout, camera_of(layout, layout.stands[1]))
        for under in picture.bearers:
            upper = next(group[1] for group in picture.groups if group[0] is under and len(group) == 2)
            assert (
                carried_by(view, who(layout, view, under), 0).value == view.objects[who(layout, view, upper)]
            )
            assert picture.sees(upper)
            placed += 1
    assert placed >= 2


def test_what_would_hide_what_is_to_be_seen_is_not_put_there() -> None:
    layout = room(0, "dresser")
    (dresser,) = layout.stands
    picture = RoomPicture(layout)
    picture.look(camera_of(layout, dresser))
    wardrobe = layout.drawn(("wardrobe",))
    before = partial(layout.put, wardrobe, dresser.ahead(1.1), dresser.heading_rad)
    picture.keep(dresser)
    assert picture.added(before) is None
    assert layout.stands == [dresser]
    picture.groups.clear()
    assert picture.added(before) is not None
    assert not picture.sees(dresser)


def test_what_is_half_out_of_the_picture_keeps_nothing_out_of_the_room() -> None:
    layout = room(1, "dresser", "wardrobe")
    dresser, wardrobe = layout.stands
    picture = RoomPicture(layout)
    picture.look(camera_of(layout, dresser))
    picture.keep(wardrobe)
    assert not picture.sees(wardrobe)
    assert picture.added(partial(layout.on_top, ("teapot",), dresser)) is not None


def test_several_of_a_noun_are_all_clear_in_the_picture_and_are_as_many_as_are_counted() -> None:
    numbers = Counter[int]()
    for seed in SEEDS:
        layout = room(seed, "coffee table", "armchair")
        picture = RoomPicture(layout)
        camera = camera_of(layout, layout.stands[0], 1.9)
        picture.look(camera)
        assert surfaces_of(picture) == layout.stands[:1]
        add_several(picture)
        view = seen_from(layout, camera)
        for group in picture.groups:
            noun = group[0].asset.noun
            assert how_many(view, 0, noun).value == str(len(group))
            assert all(picture.shows_all_of(s) for s in group)
            around = [rectangle_px(s, camera) for s in group]
            for one, other in combinations(around, 2):
                assert (np.maximum(one[:2] - other[2:], other[:2] - one[2:]) > 0).any()
            numbers[len(group)] += 1
    assert max(numbers) >= 5
    assert len(numbers) >= 4


def test_what_a_room_keeps_free_is_its_own() -> None:
    layout = room(0, "dresser")
    layout.keep_free(layout.stands[0].box)
    other = replace(layout, stands=[])
    other.keep_free(layout.door_boxes[0])
    assert len(layout.kept_free) == 1
    assert len(other.kept_free) == 2
    assert not other.free(layout.stands[0].box, 0.0)


def test_what_is_false_stands_on_the_floor_where_the_answer_does(seen: Sequence[Seen]) -> None:
    found = 0
    for one in seen:
        for c in (c for c in one.candidates if c.template.quantity in ON_THE_FLOOR):
            there = [o.value for o in c.pool if not o.value.startswith("none:")]
            assert all(foot_m(one.view, one.view.index(value), 0) < 0.1 for value in there)
            assert all(
                o.text.removeprefix("the ") not in one.view.names for o in c.pool if o.value not in there
            )
            found += len(there)
    assert found


def test_the_smallest_of_four_numbers_is_right_as_often_as_the_largest(seen: Sequence[Seen]) -> None:
    real = next(c for s in seen for c in s.candidates if c.template.quantity == "how_many")
    sides = {int(o.value): o.side for o in real.pool}
    assert all(side == (-1 if n < int(real.answer.value) else 1) for n, side in sides.items())
    taken = [_counted(real, k, 1 + k % 7) for k in range(84)]
    ranks = _ranks(taken)
    assert max(ranks.values()) - min(ranks.values()) <= 1
    assert len(ranks) == 4
    shown = Counter(o.text for s in with_options(taken, "tests") for o in s.options)
    assert max(shown.values()) - min(shown.values()) <= 4


def _counted(real: ChoiceCandidate, k: int, number: int) -> ChoiceCandidate:
    """Return a question whose answer is a number from 1 to 7."""
    pool = tuple(DrawnOption(f"{k}-{n}", str(n), -1 if n < number else 1) for n in range(1, 8) if n != number)
    return replace(real, scene=f"made{k}", answer=DrawnOption(f"{k}-{number}", str(number)), pool=pool)


def test_a_poster_hangs_where_the_camera_reads_it() -> None:
    word = Word("GOLD", "sans bold")
    hung = 0
    for seed in SEEDS:
        layout = room(seed, "dresser")
        camera = camera_of(layout, layout.stands[0])
        found = word_in_view(layout.g, layout, None, word, camera)
        if found is not None:
            board, poster = found
            assert read_from(board, word, camera).all()
            assert poster is not None
            assert layout.beside_all(poster.box, 0.0)
            hung += 1
    assert hung


def test_the_sides_of_a_predictions_options_say_to_what_it_is_nearer_at_first(seen: Sequence[Seen]) -> None:
    sides = Counter[int]()
    for one in seen:
        for c in (c for c in one.candidates if c.template.quantity == "ends_beside"):
            gaps = start_gaps_m(one.view, one.view.index(c.objects[0]))
            own = gaps[one.view.index(c.answer.value)]
            for option in c.pool:
                nearer = gaps[one.view.index(option.value)] < own
                assert option.side == (-1 if nearer else 1)
                sides[option.side] += 1
    assert sides[-1]
    assert sides[1]


def test_of_four_objects_the_nearest_at_first_is_right_as_often_as_the_others(seen: Sequence[Seen]) -> None:
    real = next(c for s in seen for c in s.candidates if c.template.quantity == "ends_beside")
    g = np.random.default_rng(0)
    taken = [_made(real, k, int(g.integers(3, 8))) for k in range(80)]
    ranks = _ranks(taken)
    assert max(ranks.values()) - min(ranks.values()) <= 1
    assert len(ranks) == 4
    unknown = [replace(c, pool=tuple(replace(o, side=0) for o in c.pool)) for c in taken]
    assert max(_ranks(unknown, taken).values()) > 30


def _made(real: ChoiceCandidate, k: int, nearer: int) -> ChoiceCandidate:
    """Return a prediction with eight false options, of which so many are nearer at first."""
    pool = tuple(DrawnOption(f"{k}-{j}", f"the thing {j}", -1 if j < nearer else 1) for j in range(8))
    return replace(real, scene=f"made{k}", answer=DrawnOption(f"{k}", f"the answer {k % 9}"), pool=pool)


def _ranks(taken: Sequence[ChoiceCandidate], known: Sequence[ChoiceCandidate] = ()) -> Counter[int]:
    """Return how often the right option is the nearest at first of four, the second, the third, the last."""
    sides = {o.value: o.side for c in known or taken for o in c.pool}
    chosen = with_options(taken, "tests")
    return Counter(sum(sides.get(o.value, 0) < 0 for o in s.options) for s in chosen)


def test_what_is_counted_on_a_street_is_seen_whole_and_is_called_by_one_noun(seen: Sequence[Seen]) -> None:
    found = 0
    for one in (s for s in seen if s.scene.source["setting"] == "outdoor"):
        put = [k for k, o in enumerate(one.scene.objects) if o.id.startswith("several")]
        found += len(put)
        assert len({one.view.names[k] for k in put}) <= 1
        least = 0.6 if any(one.view.names[k] in ("car", "tree", "parking sign") for k in put) else 0.9
        assert all(one.visibility.shares[k, 0] > least for k in put)
    assert found


@pytest.mark.parametrize(("kind", "index"), [("sedan", 0), ("parking sign", 8)])
def test_what_is_counted_at_a_kerb_is_all_there_is_of_it(kind: str, index: int) -> None:
    street = draw_pictured_street(index, "s7")
    objects = [o for o in street.objects if not o.id.startswith("several")]
    (camera,), noun = street.cameras, BUILT_IN.asset(kind).noun
    found = several_in_view(np.random.default_rng(1), objects, camera, BUILT_IN, (kind,) * 3)
    alike = [o for o in found if o.category != "structure" and confused(noun, o.attributes["name"])]
    assert len(alike) >= 2
    assert all(o.id.startswith("several") for o in alike)
    gone = [o for o in objects if o not in found]
    assert all(o.attributes["name"] not in ("pedestrian", "building", "street") for o in gone)
    view = video_view(msgspec.structs.replace(street, objects=found))
    assert how_many(view, 0, noun).value == str(len(alike))
