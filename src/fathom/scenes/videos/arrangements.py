"""What stands in a living room, a bedroom, a study, a dining room and a kitchen, and how.

Each arrangement fills a Layout as far as there is room, what matters most first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from fathom.scenes.videos.furnishing_rooms import GAP_M, Laid, RoomLayout, Stand
from fathom.scenes.videos.rooms import BLOCKS, Side

TRINKETS = ("vase", "book", "mug", "bowl", "candle", "alarm clock", "teapot", "cactus", "biscuit tin",
            "photo camera", "bottle", "rubber duck", "toy house")  # fmt: skip
"""Small objects that stand on furniture, by their nouns."""

TABLES = ("dining table", "round table")
LAMPS = ("table lamp",)


def _dye(layout: RoomLayout) -> str:
    return list(BLOCKS)[int(layout.g.integers(len(BLOCKS)))]


def _chance(layout: RoomLayout, share: float) -> bool:
    return bool(layout.g.random() < share)


def living(layout: RoomLayout) -> bool:
    """Put a television on its stand, a sofa that faces it, a table between them, and what goes with a sofa.

    Like all arrangements, return whether what makes the room what it is found room.
    """
    g = layout.g
    sofa = None
    for _ in range(8):
        stand = layout.against_wall(("TV stand",))
        shows = layout.on_top(("television",), stand, facing=True)
        sofa = _sofa_facing(layout, stand) if stand is not None and shows is not None else None
        if sofa is not None:
            _around_sofa(layout, sofa)
            if _chance(layout, 0.5):
                layout.on_top(TRINKETS, stand)
            break
        layout.stands.clear()
    layout.against_wall(("bookshelf", "cabinet", "shelf"))
    if g.random() < 0.6:
        layout.against_wall(("potted plant", "potted tree"), corner=True)
    return sofa is not None


def _sofa_facing(layout: RoomLayout, stand: Stand) -> Stand | None:
    """Return a sofa that looks at what stands before it, from where one would look."""
    sofa = layout.drawn(("sofa",))
    if sofa is None:
        return None
    for far in layout.g.uniform(1.75, 3.4, 14):
        ahead = stand.size_m[0] / 2 + far + sofa.size_m[0] / 2
        spot = layout.put(
            sofa, stand.ahead(ahead, float(layout.g.uniform(-0.25, 0.25))), stand.heading_rad + math.pi
        )
        if spot is not None:
            return spot
    return None


def _around_sofa(layout: RoomLayout, sofa: Stand) -> None:
    g = layout.g
    table = layout.drawn(("coffee table",))
    if table is not None:
        gap = float(g.uniform(0.38, 0.5))
        at = sofa.ahead(sofa.size_m[0] / 2 + gap + table.size_m[0] / 2)
        rug = (table.size_m[0] + 2 * (gap - 0.1), table.size_m[1] + float(g.uniform(0.5, 0.9)))
        on = -2 if _chance(layout, 0.7) and layout.spread_rug(at, sofa.heading_rad, rug, _dye(layout)) else -1
        table = layout.put(table, at, sofa.heading_rad, on)
        if table is not None:
            for _ in range(int(g.integers(1, 3))):
                layout.on_top(TRINKETS, table)
    side = 1.0 if _chance(layout, 0.5) else -1.0
    _beside(layout, sofa, ("floor lamp",), side)
    end = _beside(layout, sofa, ("side table",), -side)
    layout.on_top(LAMPS if _chance(layout, 0.6) else TRINKETS, end)
    if table is not None:
        _armchair(layout, table, sofa)
    if _chance(layout, 0.35):
        layout.somewhere(("pouf", "floor cushion"))


def _beside(
    layout: RoomLayout, host: Stand, names: Sequence[str], side: float, gap_m: float = 0.08
) -> Stand | None:
    """Return an object put at the left (1) or right (−1) of another, its back as far back."""
    obj = layout.drawn(names)
    if obj is None:
        return None
    back = -host.size_m[0] / 2 + obj.size_m[0] / 2 + 0.01
    aside = side * (host.size_m[1] / 2 + gap_m + obj.size_m[1] / 2)
    return layout.put(obj, host.ahead(back, aside), host.heading_rad)


def _armchair(layout: RoomLayout, table: Stand, sofa: Stand) -> None:
    """Put an armchair at an end of the table, turned to it."""
    chair = layout.drawn(("armchair",))
    if chair is None:
        return
    for _ in range(10):
        way = sofa.heading_rad + float(layout.g.uniform(0.9, 1.7)) * (1 if _chance(layout, 0.5) else -1)
        far = table.size_m[1] / 2 + 0.45 + chair.size_m[0] / 2 + float(layout.g.uniform(0.0, 0.4))
        at = np.array(table.place_m[:2]) + far * np.array([math.cos(way), math.sin(way)])
        if layout.put(chair, at, way + math.pi + float(layout.g.uniform(-0.2, 0.2))) is not None:
            return


def bedroom(layout: RoomLayout) -> bool:
    """Put a bed with its head to a wall, stands beside it with lamps, and where clothes are kept."""
    bed = layout.against_wall(("bed", "single bed"))
    if bed is not None:
        order = (1.0, -1.0) if _chance(layout, 0.5) else (-1.0, 1.0)
        for k, side in enumerate(order):
            beside = _beside(layout, bed, ("nightstand",), side)
            layout.on_top(LAMPS if k == 0 or _chance(layout, 0.4) else TRINKETS, beside)
        if _chance(layout, 0.35):
            seat = layout.drawn(("bench",))
            if seat is not None:
                layout.put(seat, bed.ahead(bed.size_m[0] / 2 + 0.1 + seat.size_m[0] / 2), bed.heading_rad)
        elif _chance(layout, 0.6):
            layout.spread_rug(bed.ahead(bed.size_m[0] / 2 + 0.55), bed.heading_rad,
                              (0.9, float(layout.g.uniform(1.4, 1.9))), _dye(layout))  # fmt: skip
    layout.against_wall(("wardrobe",))
    dresser = layout.against_wall(("dresser",))
    layout.on_top(TRINKETS, dresser)
    if _chance(layout, 0.5):
        _desk(layout, small=True)
    if _chance(layout, 0.5):
        layout.against_wall(("armchair",), corner=True)
    layout.against_wall(("basket", "suitcase", "potted plant"), corner=True)
    return bed is not None


def _desk(layout: RoomLayout, small: bool = False) -> bool:
    desk = layout.against_wall(("desk",))
    if desk is None:
        return False
    layout.on_top(("monitor",), desk, facing=True)
    layout.on_top(("desk lamp", "table lamp"), desk)
    layout.on_top(TRINKETS, desk)
    seat = layout.drawn(("chair",) if small else ("office chair",))
    if seat is not None:
        far = desk.size_m[0] / 2 + seat.size_m[0] / 2 + float(layout.g.uniform(0.04, 0.25))
        turn = math.pi + float(layout.g.uniform(-0.3, 0.3))
        layout.put(seat, desk.ahead(far, float(layout.g.uniform(-0.3, 0.1))), desk.heading_rad + turn)
    if _chance(layout, 0.7):
        _beside(layout, desk, ("bin",), -1.0 if _chance(layout, 0.5) else 1.0, 0.1)
    return True


def study(layout: RoomLayout) -> bool:
    """Put a desk with a screen and a chair, books, and a place to read."""
    works = _desk(layout)
    for _ in range(int(layout.g.integers(1, 3))):
        layout.against_wall(("bookshelf",))
    chair = layout.against_wall(("armchair",), corner=True)
    if chair is not None:
        _beside(layout, chair, ("floor lamp",), 1.0) or _beside(layout, chair, ("floor lamp",), -1.0)
    shelf = layout.against_wall(("cabinet", "shelf", "dresser"))
    layout.on_top(TRINKETS, shelf)
    if _chance(layout, 0.6):
        layout.against_wall(("potted plant", "potted tree", "cardboard box"), corner=True)
    return works


def dining(layout: RoomLayout) -> bool:
    """Put a table with chairs round it, a lamp above it, and a sideboard."""
    table = _table_with_seats(layout, TABLES, ("chair",), 0.7)
    if table is not None and layout.room.height_m > 2.55:
        x, y, _ = table.place_m
        high = round(layout.room.height_m - 1.98, 3)
        _hang(layout, "pendant", x, y, (0.44, 0.44, high))
    board = layout.against_wall(("cabinet", "dresser"))
    layout.on_top(TRINKETS, board)
    layout.on_top((*LAMPS, *TRINKETS), board)
    layout.against_wall(("bookshelf", "shelf"))
    layout.against_wall(("potted plant", "potted tree"), corner=True)
    if _chance(layout, 0.5):
        layout.against_wall(("floor lamp",), corner=True)
    return sum(s.asset.noun == "chair" for s in layout.stands) >= 2


def _table_with_seats(
    layout: RoomLayout, tables: Sequence[str], seats: Sequence[str], wall_m: float
) -> Stand | None:
    """Return a table that stands free, with seats of one kind and colour that face it."""
    table = layout.somewhere(tables, turned=False, wall_m=wall_m)
    if table is None:
        return None
    g = layout.g
    seat = layout.drawn(seats)
    round_ = table.asset.noun == "round table"
    if seat is None:
        return table
    gap = seat.size_m[0] / 2 + float(g.uniform(0.04, 0.10))
    if round_:
        first = float(g.uniform(0, math.pi))
        count = int(g.integers(2, 5))
        ways = [(first + 2 * math.pi * k / count, table.size_m[0] / 2 + gap, 0.0) for k in range(count)]
    else:
        across = [-0.24, 0.24] if table.size_m[1] > 1.3 else [0.0]
        far = table.size_m[0] / 2 + gap
        ways = [(a, far, y * table.size_m[1]) for a in (0.0, math.pi) for y in across]
    for angle, far, aside in ways:
        away = far + float(g.uniform(0.0, 0.12))
        h = table.heading_rad + angle
        beside = (math.cos(h) * away - math.sin(h) * aside, math.sin(h) * away + math.cos(h) * aside)
        at = np.array(table.place_m[:2]) + np.array(beside)
        layout.put(seat, at, h + math.pi + float(g.uniform(-0.12, 0.12)))
    for _ in range(int(g.integers(1, 3))):
        layout.on_top(TRINKETS, table)
    return table


def kitchen(layout: RoomLayout) -> bool:
    """Put a row of cupboards, oven, sink and refrigerator along one wall, and a small table."""
    g = layout.g
    order = sorted(range(len(layout.room.sides)), key=lambda k: -_clear_length(layout.room.sides[k]))
    cooks = any(_row(layout, layout.room.sides[k]) for k in order[:2])
    _table_with_seats(layout, ("round table",), ("chair", "stool"), 0.5)
    layout.against_wall(("bin", "basket"), corner=True)
    layout.against_wall(("washing machine", "shelf", "cabinet"))
    if g.random() < 0.5:
        layout.against_wall(("potted plant",), corner=True)
    return cooks


def _clear_length(side: Side) -> float:
    return side.length_m - (1.2 if side.door is not None else 0.0)


def _row(layout: RoomLayout, side: Side) -> bool:
    """Return whether a row of at least three found room along a wall."""
    names = [["fridge"], ["kitchen cabinet"], ["oven"], ["sink"], ["kitchen cabinet"]]
    if _chance(layout, 0.5):
        names = names[::-1]
    row = [layout.drawn(n) for n in names]
    paint = next((s.color for s in row if s is not None and s.asset.noun == "kitchen cabinet"), "")
    along = float(layout.g.uniform(0.05, 0.3))
    if side.door is not None and side.door[0] < side.length_m / 2:
        along += side.door[1]
    found = 0
    for obj in row:
        if obj is None:
            continue
        own = replace(obj, color=paint) if obj.asset.noun in ("kitchen cabinet", "sink") else obj
        along += own.size_m[1] / 2 + GAP_M / 2 + 0.001
        spot = layout.put(own, side.at(along, own.size_m[0] / 2 + GAP_M), side.heading_rad)
        along += own.size_m[1] / 2 + GAP_M / 2 + 0.001
        found += spot is not None
        if spot is not None and spot.asset.carries and _chance(layout, 0.7):
            layout.on_top(TRINKETS, spot)
    return found >= 3


FILLERS = ("cardboard box", "basket", "suitcase", "potted plant", "potted tree", "bin", "fan", "coat rack",
           "pouf", "floor cushion", "stool", "shelf", "floor lamp")  # fmt: skip
"""What may stand in any room, by its nouns."""

ROOMS: dict[str, tuple[Callable[[RoomLayout], bool], tuple[float, float], tuple[str, ...]]] = {
    "living room": (living, (4.3, 6.2), ("oak", "walnut", "ash", "carpet")),
    "bedroom": (bedroom, (3.8, 5.2), ("oak", "walnut", "ash", "carpet")),
    "study": (study, (3.6, 4.8), ("oak", "walnut", "ash", "carpet", "slate")),
    "dining room": (dining, (4.0, 5.6), ("oak", "walnut", "ash", "tile", "slate")),
    "kitchen": (kitchen, (3.9, 5.4), ("tile", "slate", "ash")),
}
"""Kinds of rooms: what furnishes them, how long their sides are (metres), and their floors."""


def hang_pictures_and_lamp(layout: RoomLayout) -> None:
    """Add a lamp under the ceiling where none hangs yet, and pictures where walls are free."""
    if not any(r.what == "pendant" for r in layout.laid):
        x0, y0, x1, y1 = layout.room.plan[0]
        _hang(layout, "ceiling lamp", (x0 + x1) / 2, (y0 + y1) / 2, (0.46, 0.46, 0.09))
    for _ in range(int(layout.g.integers(1, 4))):
        _picture(layout)


def _hang(layout: RoomLayout, what: str, x: float, y: float, size: tuple[float, float, float]) -> None:
    z = layout.room.height_m - size[2]
    numbers = ",".join(f"{v:.6f}" for v in size)
    layout.laid.append(Laid(what, (x, y, z), 0.0, size, (f"size:{numbers}",)))


def places_on_walls(
    g: np.random.Generator, layout: RoomLayout, size_m: tuple[float, float, float], tries: int
) -> Iterator[tuple[Side, float, float]]:
    """Yield a wall, and x and y of a place on it beside windows and doors, up to so many times by chance."""
    half = size_m[1] / 2
    for _ in range(tries):
        side = layout.room.sides[int(g.integers(len(layout.room.sides)))]
        if side.length_m < size_m[1] + 0.4:
            continue
        along = float(g.uniform(half + 0.2, side.length_m - half - 0.2))
        spans = [*side.windows, *([side.door] if side.door else [])]
        if not any(a - 0.1 < along + half and along - half < b + 0.1 for a, b in spans):
            yield (side, *side.at(along, size_m[0] / 2 + 0.001))


def _picture(layout: RoomLayout) -> None:
    g = layout.g
    size = (0.03, round(float(g.uniform(0.4, 0.9)), 3), round(float(g.uniform(0.4, 0.75)), 3))
    for side, x, y in places_on_walls(g, layout, size, 10):
        edits = (f"size:{','.join(f'{v:.6f}' for v in size)}", f"dye:{_dye(layout)}",
                 f"name:{int(g.integers(10**6))}")  # fmt: skip
        new = Laid("painting", (x, y, float(g.uniform(1.25, 1.45))), side.heading_rad, size, edits)
        if layout.beside_all(new.box, 0.05):
            layout.laid.append(new)
            return
