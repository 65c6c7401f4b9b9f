"""Contact sheets of what stands in videos: each model once, with its name and its real size.

    python perf/packs.py tables rooms streets --out docs/pictures          # the built-in sets
    python perf/packs.py tabletop indoor --assets DIR --out docs/pictures

Writes one JPEG for each set, and prints how large they are; the arrow marks the front.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from fathom.assets.furniture.catalogue import FURNITURE, dressed, furniture_model
from fathom.assets.libraries import open_library
from fathom.assets.loading import unit_model
from fathom.assets.model import Model
from fathom.assets.street.catalogue import BUILT_IN, FRONTAGES, STREET, frontage
from fathom.assets.tabletop.catalogue import TABLETOP, tabletop_assets, tabletop_model
from fathom.assets.tabletop.catalogue import dressed as worn
from fathom.render.sheet import tile_of
from fathom.render.variants import Engine, engine

AZIMUTH, TILE, COLUMNS, LABEL = 35.0, 140, 9, 30
INK, FAINT = (28, 30, 33), (112, 117, 124)

Shown = tuple[str, Model, bool]
"""What a model is called, the model at its real size, and whether it has a front."""


def _tables(assets: Path | None) -> Iterator[Shown]:
    for asset in TABLETOP.values():
        model = tabletop_model(asset)
        color = asset.colors[len(asset.noun) % len(asset.colors)]
        yield asset.noun, worn(asset, model.extents, color), asset.has_front


def _rooms(assets: Path | None) -> Iterator[Shown]:
    for kind in FURNITURE.values():
        model = furniture_model(kind)
        color = kind.colors[len(kind.noun) % len(kind.colors)] if kind.colors else kind.color
        yield kind.noun, dressed(kind, model.extents, color, 1.0), kind.has_front


def _streets(assets: Path | None) -> Iterator[Shown]:
    for name, kind in STREET.items():
        model = BUILT_IN.model(name)
        color = kind.colors[len(name) % len(kind.colors)] if kind.colors else kind.color
        yield name, BUILT_IN.dressed(name, model.extents, color), kind.has_front
    for k, name in enumerate(FRONTAGES):
        yield name, frontage(name, (11.0, 14.0, 8.0 if name == "house" else 13.7), k), True


def _tabletop_pack(assets: Path | None) -> Iterator[Shown]:
    assert assets is not None, "tabletop needs --assets"
    for name, asset in tabletop_assets(open_library(assets / "tabletop")).items():
        if name not in TABLETOP:
            yield asset.noun, tabletop_model(asset), False


def _pack(folder: str) -> Callable[[Path | None], Iterator[Shown]]:
    def shown(assets: Path | None) -> Iterator[Shown]:
        assert assets is not None, f"{folder} needs --assets"
        library = open_library(assets / folder)
        for entry in library.assets:
            model = unit_model(entry)
            factor = entry.size_m / model.extents[0]
            parts = tuple(replace(p, vertices=p.vertices * factor) for p in model.parts)
            yield entry.subtype, replace(model, parts=parts), True

    return shown


SETS: dict[str, tuple[str, Callable[[Path | None], Iterator[Shown]], str]] = {
    "tables": ("The built-in objects for tables", _tables, "tabletop-built-in"),
    "rooms": ("The built-in furniture", _rooms, "indoor-furniture"),
    "streets": ("The built-in street set", _streets, "street-built-in"),
    "tabletop": ("market-tabletop", _tabletop_pack, "tabletop-pack"),
    "indoor": ("market-indoor", _pack("indoor"), "indoor-pack"),
    "street": ("market-street", _pack("street"), "street-pack"),
}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("sets", nargs="+", choices=list(SETS), help="which sets")
    words.add_argument("--assets", type=Path, help="where the folders of the packs are")
    words.add_argument("--out", type=Path, default=Path(), help="where the sheets go")
    given = words.parse_args()
    by = engine("mitsuba")
    for name in given.sets:
        title, shown, file = SETS[name]
        path = given.out / f"{file}.jpg"
        _sheet(title, list(shown(given.assets)), by).save(path, quality=82, optimize=True)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def _sheet(title: str, shown: list[Shown], by: Engine) -> Image.Image:
    high = int(0.75 * TILE)
    page = Image.new("RGB", (COLUMNS * TILE + 20, 46 + -(-len(shown) // COLUMNS) * (high + LABEL)), "white")
    draw = ImageDraw.Draw(page)
    small, large = ImageFont.load_default(10), ImageFont.load_default(15)
    draw.text((12, 10), f"{title}: length x width x height; the arrow marks the front", INK, large)
    for k, (name, model, front) in enumerate(shown):
        x, y = 10 + (k % COLUMNS) * TILE, 38 + (k // COLUMNS) * (high + LABEL)
        page.paste(Image.fromarray(tile_of(model, AZIMUTH, by, TILE, front, "draft")), (x, y))
        draw.text((x + 4, y + high), name, INK, small)
        size = " x ".join(f"{100 * e:.0f}" for e in model.extents)
        draw.text((x + 4, y + high + 12), f"{size} cm", FAINT, small)
    return page


if __name__ == "__main__":
    main()
