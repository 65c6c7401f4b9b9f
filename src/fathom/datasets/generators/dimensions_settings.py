"""What can be set of pictures of rooms and streets, and of videos of tables and of people who act."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fathom.scenes.acting.rooms import ActedRooms
from fathom.scenes.pictured_rooms import PicturedRooms
from fathom.scenes.pictured_streets import PicturedStreets
from fathom.scenes.videos.desktop import Desktop


@dataclass(frozen=True)
class DimensionSettings:
    """What decides pictures of rooms and streets, and videos of tables and of people who act.

    shares : every dimension as often (even), or as often as in the paper
    film_quality : the quality of videos: draft, preview or final
    further : up to so many times as many worlds are drawn besides where questions are lacking
    room : what rooms are drawn from
    street : what streets are drawn from
    table : what tables, and what is done on them, are drawn from
    acted : what rooms in which somebody acts are drawn from
    """

    shares: Literal["even", "paper"] = "even"
    film_quality: str = "preview"
    further: float = 0.5
    room: PicturedRooms = field(default_factory=PicturedRooms)
    street: PicturedStreets = field(default_factory=PicturedStreets)
    table: Desktop = field(
        default_factory=lambda: Desktop(
            seconds=12.0,
            fps=6.0,
            fewest=8,
            most=10,
            fewest_moved=6,
            most_moved=6,
            again=False,
            moves=(*["brought"] * 8, *["shoved"] * 4, *["lifted"] * 2, "slid", "turned"),
            sweep_deg=(5.0, 25.0),
        )
    )
    acted: ActedRooms = field(default_factory=ActedRooms)
