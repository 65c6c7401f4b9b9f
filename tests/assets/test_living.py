"""People and animals at a moment: of life size, on the ground, looking ahead, and known by that moment."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from fathom.assets.furniture.catalogue import INDOORS, furniture_hash, furniture_model, room_assets
from fathom.assets.furniture.living import FITS_M, Posed, living, living_in
from fathom.assets.libraries import Library
from fathom.assets.model import SWINGING

ANIMATED = Path(os.environ.get("FATHOM_ASSETS", Path(__file__).parents[3] / "shared" / "assets")) / "animated"


@pytest.mark.parametrize("name", [*living(), "built-in:seated woman", "built-in:seated man"])
def test_it_has_the_size_of_life_and_stands_over_the_origin(name: str) -> None:
    spec = {**living(), **INDOORS}[name]
    model = furniture_model(spec)
    points = np.concatenate([p.vertices for p in model.parts])
    low, high = points.min(axis=0), points.max(axis=0)
    assert low[2] == pytest.approx(0, abs=1e-6) and (low + high)[:2] == pytest.approx((0, 0), abs=1e-6)
    least, most = FITS_M[spec.category]
    assert least < max(high - low) < most
    assert not any(p.name.startswith(SWINGING) or p.material.emission for p in model.parts)


@pytest.mark.parametrize("name", ["standing woman", "walking man 0.1", "seated man"])
def test_people_look_ahead(name: str) -> None:
    parts = furniture_model({**living(), **INDOORS}[f"built-in:{name}"]).parts
    face, hair = (next(p.vertices for p in parts if p.name == n) for n in ("head", "hair"))
    assert face[:, 0].max() > hair[:, 0].max() and face[:, 0].mean() > hair[:, 0].mean()


def test_every_moment_has_a_shape_and_a_hash_of_its_own() -> None:
    found = living()
    assert len({furniture_hash(s) for s in found.values()}) == len(found)
    one, other = (found[f"built-in:walking man {k}"] for k in ("0.1", "0.35"))
    assert furniture_model(one).extents[0] > 1.2 * furniture_model(other).extents[0], (
        "legs apart, and together"
    )


@pytest.mark.skipif(not ANIMATED.is_dir(), reason=f"no folder {ANIMATED}")
def test_animals_of_a_folder_come_into_rooms_where_they_fit() -> None:
    found = living_in(ANIMATED)
    nouns = {s.noun for s in found}
    assert {"husky", "fox", "rat"} <= nouns and not {"horse", "whale", "tank", "bull"} & nouns
    room = room_assets(Library("mine", found))
    spec = room["mine:husky, idle"]
    assert isinstance(spec, Posed)
    model = furniture_model(spec)
    assert model.extents[0] == pytest.approx(spec.size_m, rel=1e-3) and model.extents[2] > 0.4
