"""A benchmark of one bare wall with two words: ink on paper, and ink on a black screen that hides it."""

from __future__ import annotations

import math
from dataclasses import replace

import msgspec
import numpy as np

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.benchmarks.seedbench import BENCHMARK as SEED_BENCH
from fathom.benchmarks.seedbench import construction
from fathom.datasets.generators.dimensions import Dimensions, Plan
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.records import Environment, Scene
from fathom.scenes.boards import Word, WordPlace, ahead_of, lettering
from fathom.scenes.pictured_rooms import GENERATOR as ROOM
from fathom.scenes.room_boards import face_of
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.furnishing_rooms import Laid, RoomLayout
from fathom.scenes.videos.indoor import DAY, Indoor, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import Side, house_objects
from fathom.store.datasets import TRUTH_FOLDER

READ, UNREAD = "GOLD", "LAKE"
FONT = "sans bold"
HIGH_M, DEEP_M, FOOT_M, AWAY_M = 0.2, 0.02, 1.4, 2.2


class Planted(Dimensions):
    """One wall with two words."""

    makes = frozenset({ROOM})

    def draw(self, plan: Plan, index: int) -> Scene:
        """Return the wall; its words stand on papers beside one another."""
        g = np.random.default_rng(0)
        room = room_for(g, "living room", Indoor(bent=0.0), 1.0)
        layout = RoomLayout(room, g, furniture_assets(None))
        side = max((s for s in room.sides if s.door is None), key=lambda s: s.length_m - 9 * len(s.windows))
        paper = _paper(layout, side, side.length_m / 2 - 0.6, Word(READ, FONT))
        screen = _dark(layout, side, side.length_m / 2 + 0.6, Word(UNREAD, FONT))
        words = [
            msgspec.structs.replace(lettering(board, Word(said, FONT)), id=said)
            for board, said in ((paper, READ), (screen, UNREAD))
        ]
        things = (*house_objects(room, "living room", "0", *DAY), *room_objects(layout, {}, False))
        eye = np.append(side.at(side.length_m / 2, AWAY_M), 1.6)
        way = eye[:2] - AWAY_M * ahead_of(side.heading_rad)
        pose = routes.looking(eye[None], np.append(way, 1.6)[None], np.zeros(1))
        return Scene(
            id="wall",
            generator=ROOM,
            version="1",
            seed=str(plan.seed),
            objects=(*things, *words),
            cameras=(cameras.pinhole(320, 240, math.radians(75), pose),),
            environment=Environment(name="indoors", ground="none"),
            times_s=(0.0,),
            source={"setting": "indoor", "video": "wall", "room": "living room"},
            truth=f"{TRUTH_FOLDER}/wall.zip",
        )


def _paper(layout: RoomLayout, side: Side, along_m: float, word: Word) -> WordPlace:
    """Return where a word stands on a paper that is hung so far along a wall."""
    size = (DEEP_M, HIGH_M * word.aspect + 0.16, HIGH_M + 0.2)
    x, y = side.at(along_m, DEEP_M / 2 + 0.001)
    edits = (f"size:{','.join(f'{v:.6f}' for v in size)}",)
    layout.laid.append(Laid("poster", (float(x), float(y), FOOT_M), side.heading_rad, size, edits))
    front = np.array([x, y]) + ahead_of(side.heading_rad) * (DEEP_M / 2 + 0.002)
    return WordPlace(
        "poster", (float(front[0]), float(front[1]), FOOT_M + size[2] / 2), side.heading_rad, HIGH_M
    )


def _dark(layout: RoomLayout, side: Side, along_m: float, word: Word) -> WordPlace:
    """Return where a word stands in ink on the black screen of a television that hangs on a wall."""
    television = layout.drawn(("television",))
    assert television is not None
    x, y = side.at(along_m, television.size_m[0] / 2 + 0.001)
    place = (float(x), float(y), FOOT_M)
    layout.stands.append(replace(television, place_m=place, heading_rad=side.heading_rad))
    return replace(face_of(layout.stands[-1], word), on="box")


def recipe(seed: str, shares: str = "even") -> VideoQuestionRecipe:
    """Return what asks for both words."""
    own = construction.recipe(seed)
    forms = tuple(form for form in own.forms if form.task == "text_understanding")
    mix = replace(own.mix, questions_per_scene=2.0, shares={"text_understanding": 1.0})
    return replace(own, forms=forms, mix=mix)


GENERATOR = Planted()
HERE = "tests.dimensions.planted"
BENCHMARK = replace(SEED_BENCH, name="planted", generators={f"{HERE}:GENERATOR": f"{HERE}:recipe"})
