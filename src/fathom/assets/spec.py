"""What a catalogue says of an asset: one record for all worlds, read by one reader (`catalogue.py`)."""

from __future__ import annotations

from typing import Self

import msgspec

from fathom.assets.sizes import Growth
from fathom.records import Record

PERSON = "person"
"""The category of people."""

BUILT_IN = "built-in"
"""The pack that scenes name for every asset that comes with the project."""

NOT_IN_FILES = ("folder", "pack")
"""The fields that the reader fills in."""


class AssetSpec(Record, frozen=True, kw_only=True):
    """What is known of one model: its file, what it is called, how large it is, and what scenes do with it.

    What it is
    file : its GLB or glTF file, from the catalogue's folder (of built-in ones, from the folder of all packs)
    category, subtype : words that questions can use; several assets may be of one subtype
    name : what scenes call it; without one, the file's name without its ending
    noun, plural : what questions on videos and animated scenes call it; without a noun, its subtype

    How the file is turned and how large that is
    size_m : the real length from front to back, in meters; 0 where `box_m` says it or nobody does
    box_m : the exact length, width and height at its usual size, meters; zeros where they are not exact
    front, up : axes of the file ("+z", "-x" …)
    body_materials : the materials that may take another color, none where the color must stay
    recolourable : whether a part of it takes a body color

    What scenes do with it
    has_front : whether anybody would say which side is its front
    named_parts : of parts that have a name each the word, and what the file calls it
    varies : how sizes differ (`sizes.py`), nothing where the size is fixed
    carries : how much of its flat top something can stand on, 0 where nothing can: the share of its length
        and of its width; of a prop, the radius as a share of its longest extent
    seat : of what people sit on, how high that is, how far behind its middle its back begins, and how far
        ahead it ends; of somebody who sits on a seat, how high that is, how far behind the middle they reach,
        and how far ahead the calves begin; in meters at its usual size, zeros for none
    hands : of somebody who pushes, between which heights the palms are, and how far they are from the middle
        to either side; in meters at its usual size, zeros for none
    palm : of somebody who holds something, where the upper side of the open hand is: ahead of the middle, to
        the left, and how high; in meters at its usual size, zeros for none
    lies : whether it is somebody who lies, and is nowhere but on a bed
    base : how much of its length and width touches what it stands on
    stem : width and height of the part below, where what spreads above is wider, and how far before the
        middle it is, all in meters at its usual size; zeros for none
    palette : the colors by their names (`palette.py`); without one, the catalogue's
    colors : those in which it comes; "" among them leaves it as it is made; none: it always stays so
    color : what anybody would call its color where it is not painted; "" where nobody could say
    color_told : whether its paint is what anybody would call its color
    plays : the asset whose part it can play, and `times` how often it then counts
    stride_m, stride_clip : how far it goes with two steps at its usual size, and the clip, a second long,
        that shows them; 0 and "" where nothing of it swings
    places : where a prop can be: on the ground, on a head, in a hand, on a back, under a belly
    relative_size : the longest extent of a prop, as a share of the longest side of who is beside it
    opening : how wide a prop is where it sits on a head or a back, as a share of its longest extent; of a
        screen, how high one sees into it from ahead, as a share of its height

    Where it comes from
    sha256 : the hash of the file; `shape` that of the model's vertices in micrometres, which scenes keep
    triangles : how many there are of it
    license, note : under which terms it may be used; what else is to be known
    reviewed : whether somebody looked
    folder, pack : the folder that its catalogue lies in ("" of built-in ones) and the catalogue's name; no
        keys of the file
    """

    file: str
    category: str
    subtype: str = ""
    name: str = ""
    noun: str = ""
    plural: str = ""
    size_m: float = 0.0
    box_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    front: str = "+z"
    up: str = "+y"
    body_materials: tuple[str, ...] = ()
    recolourable: bool = False
    has_front: bool = True
    named_parts: tuple[tuple[str, str], ...] = ()
    varies: tuple[Growth, ...] = ()
    carries: float = 0.0
    seat: tuple[float, float, float] = (0.0, 0.0, 0.0)
    hands: tuple[float, float, float] = (0.0, 0.0, 0.0)
    palm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    lies: bool = False
    base: float = 1.0
    stem: tuple[float, float, float] = (0.0, 0.0, 0.0)
    palette: str = ""
    colors: tuple[str, ...] = ()
    color: str = ""
    color_told: bool = True
    plays: str = ""
    times: int = 1
    stride_m: float = 0.0
    stride_clip: str = ""
    places: tuple[str, ...] = ()
    relative_size: float = 0.0
    opening: float = 0.0
    sha256: str = ""
    shape: str = ""
    triangles: int = 0
    license: str = ""
    note: str = ""
    reviewed: bool = False
    folder: str = ""
    pack: str = ""

    @property
    def built_in(self) -> bool:
        """Whether it comes with the project."""
        return not self.folder

    @property
    def asset(self) -> str:
        """What scenes call it together with where it comes from."""
        return f"{BUILT_IN if self.built_in else self.pack}:{self.name}"

    @property
    def source(self) -> AssetSpec:
        """What of an entry its file is read by: other worlds say other words of the same model."""
        return AssetSpec(
            file=self.file,
            category=self.category,
            subtype=self.subtype,
            name=self.name,
            front=self.front,
            up=self.up,
            body_materials=self.body_materials,
            folder=self.folder,
        )

    @property
    def longest_m(self) -> float:
        """The longer side of its footprint."""
        return max(self.box_m[:2])

    @property
    def needs_another(self) -> bool:
        """Whether it is nowhere by itself: somebody on a seat or a bed, or who pushes or holds something."""
        deed = self.lies or self.hands[0] > 0 or self.palm[2] > 0
        return deed or (self.category == PERSON and self.seat[0] > 0)

    @property
    def as_long_as_wide(self) -> bool:
        """Whether it is as long as wide at every size, so that nobody would see it turn."""
        return any(g.axes == "xy" for g in self.varies)

    def completed(self, folder: str, pack: str, palette: str) -> Self:
        """Return the entry with what it leaves unsaid: its names, its palette, and where it lies."""
        name = self.name or self.file.rsplit(".", 1)[0]
        subtype = self.subtype or name
        found: Self = msgspec.structs.replace(
            self,
            name=name,
            subtype=subtype,
            noun=self.noun or subtype,
            palette=self.palette or palette,
            recolourable=self.recolourable or bool(self.body_materials),
            folder=folder,
            pack=pack,
        )
        return found


class Catalogue(Record, frozen=True, kw_only=True):
    """The models of a folder, in a fixed order.

    palette : the colors that they come in (`palette.py`)
    files : file → its SHA-256; `refused` others → why they cannot be used
    """

    name: str
    models: tuple[AssetSpec, ...]
    palette: str = "bodies"
    source: str = ""
    license: str = ""
    files: dict[str, str] = {}
    refused: dict[str, str] = {}
