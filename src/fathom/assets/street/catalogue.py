"""What stands and goes in streets: the built-in assets, those that can play their part, models of any size.

size = BUILT_IN.size(generator, "street lamp")
model = BUILT_IN.dressed("street lamp", size, "")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import numpy as np

from fathom.assets.catalogue import catalogue
from fathom.assets.libraries import Library
from fathom.assets.loading import built_in_parts, built_in_parts_at, shape_hash
from fathom.assets.model import Model, fingerprint, painted, stretched, stretched_to
from fathom.assets.palette import PALETTES
from fathom.assets.sizes import drawn_size
from fathom.assets.spec import AssetSpec
from fathom.assets.street.buildings import building, house
from fathom.assets.street.stand_ins import real_parts, stand_ins
from fathom.records import InputError

Size = tuple[float, float, float]

STREET: Mapping[str, AssetSpec] = catalogue("street")
"""Every built-in asset of streets by its name."""

FRONTAGES = ("building", "shops", "house")
"""What lines streets: models of any size, numbered."""


@dataclass(frozen=True, eq=False)
class StreetAssets:
    """Assets to draw from by their names in streets: `parts_played` names for a built-in asset all those that
    can stand in for it, as often as they count.
    """

    assets: Mapping[str, AssetSpec]
    parts_played: Mapping[str, tuple[str, ...]]
    _models: dict[str, Model] = field(default_factory=dict)

    def pick(self, g: np.random.Generator, role: str) -> str:
        """Return one of the assets that can play the part of a built-in one."""
        names = self.parts_played.get(role, (role,))
        return names[int(g.integers(len(names)))] if len(names) > 1 else names[0]

    def asset(self, name: str) -> AssetSpec:
        """Return an asset. Raises InputError where there is none of that name."""
        if name not in self.assets:
            raise InputError(f"{name!r}: no such object for streets; there are {', '.join(self.assets)}")
        return self.assets[name]

    def category(self, name: str) -> str:
        """Return the class that an asset counts as: that of the asset whose part it plays."""
        spec = self.asset(name)
        return STREET[spec.plays].category if spec.plays in STREET else spec.plays or spec.category

    def model(self, name: str) -> Model:
        """Return an object at its usual size, standing over the origin, in no particular colour."""
        if name not in self._models:
            spec = self.asset(name)
            made = built_in_parts("street", name) if spec.built_in else real_parts(spec)
            model = stood(Model(name=name, category=self.category(name), subtype=name, parts=made))
            factor = spec.size_m / model.extents[0] if spec.size_m else 1.0
            parts = tuple(replace(p, vertices=p.vertices * factor) for p in model.parts)
            self._models[name] = replace(model, parts=parts)
        return self._models[name]

    def size(self, g: np.random.Generator, name: str) -> Size:
        """Return length, width and height, drawn continuously about the usual ones; micrometres are kept."""
        return drawn_size(g, self.model(name).extents, self.asset(name).varies)

    def color(self, g: np.random.Generator, name: str) -> str:
        """Return a nameable colour in which a kind comes, "" where it has none."""
        spec = self.asset(name)
        return spec.colors[int(g.integers(len(spec.colors)))] if spec.colors else spec.color

    def stem(self, name: str, size_m: Size) -> tuple[float, float, float] | None:
        """Return the width, the height and the place before the middle of what an object stands on."""
        wide, high, before = self.asset(name).stem
        if not wide:
            return None
        x, _, z = (s / u for s, u in zip(size_m, self.model(name).extents, strict=True))
        return round(wide * x, 4), round(high * z, 4), round(before * x, 4)

    def dressed(self, name: str, size_m: Size, color: str) -> Model:
        """Return an object of a size in a nameable colour ("" leaves it as it is made)."""
        return _painted(stretched_to(self.model(name), size_m), self.asset(name), color)

    def walking(self, name: str, size_m: Size, color: str, gone_m: float) -> Model:
        """Return an object `dressed`, its limbs as they are after a way, where it has any that swing."""
        spec = self.asset(name)
        if not spec.stride_m:
            return self.dressed(name, size_m, color)
        usual = self.model(name)
        factors = np.asarray(size_m, dtype=np.float64) / usual.extents
        phase = gone_m / (spec.stride_m * float(factors[0])) % 1.0
        posed = replace(usual, parts=built_in_parts_at("street", name, spec.stride_clip, phase))
        return _painted(stretched(posed, factors), spec, color)

    def sha256(self, name: str) -> str:
        """Return the SHA-256 of an object's shape at its usual size; of a frontage, of a usual one."""
        return _frontage_hash(name) if name in FRONTAGES else shape_hash(self.asset(name))


def _painted(model: Model, spec: AssetSpec, color: str) -> Model:
    return painted(model, PALETTES[spec.palette][color]) if color and color in spec.colors else model


def _played(assets: Mapping[str, AssetSpec]) -> dict[str, tuple[str, ...]]:
    """Return, for each built-in asset that others stand in for, the names of all, itself first."""
    found: dict[str, tuple[str, ...]] = {}
    for name, spec in assets.items():
        if spec.plays:
            itself = (spec.plays,) * (STREET[spec.plays].times if spec.plays in STREET else 1)
            found[spec.plays] = (*found.get(spec.plays, itself), *[name] * spec.times)
    return found


BUILT_IN = StreetAssets(STREET, _played(STREET))
"""The built-in street set alone."""


@lru_cache(maxsize=8)
def street_assets(library: Library | None = None) -> StreetAssets:
    """Return the built-in street set, and what a library has for streets besides.

    Raises AssetError where the library holds nothing for streets, or a model of which nobody said how large
    it is.
    """
    if library is None:
        return BUILT_IN
    assets = {**STREET, **dict(stand_ins(library))}
    return StreetAssets(assets, _played(assets))


@cache
def _frontage_hash(name: str) -> str:
    return fingerprint(frontage(name, (11.0, 14.0, 11.0), 0))


def frontage(name: str, size_m: Size, number: int) -> Model:
    """Return a building of a size; its number draws its colours, windows and doors."""
    model = house(size_m, number) if name == "house" else building(size_m, number, name == "shops")
    return stretched_to(stood(model), size_m)


def stood(model: Model) -> Model:
    """Return the model over the origin, on the ground."""
    points = np.concatenate([p.vertices for p in model.parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return replace(model, parts=tuple(replace(p, vertices=p.vertices - shift) for p in model.parts))
