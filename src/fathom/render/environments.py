"""Which environments there are, and which one a scene gets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from fathom.records import AssetError, Environment, InputError, UnfitError
from fathom.render.balance import fit_light, legibility
from fathom.render.panorama import shrunk
from fathom.render.probes import SUFFIXES, read_probe, stamp
from fathom.render.sky import SKIES
from fathom.store.files import sha256_file
from fathom.store.seeds import Name, rng

SKY_GROUNDS = ("asphalt", "concrete", "setts", "grass", "sand", "gravel", "earth")

LEGIBLE = 0.25
"""Light under which a body colour is not at least so much itself (see `legibility`) is refused."""


def environments(folder: Path | None = None, say: Callable[[str], None] | None = None) -> list[Environment]:
    """Return the environments to choose from: the probes of a folder by name, or the built-in skies.

    A probe under whose light the body colours cannot be told apart is left out, and one sentence about it
    goes to `say`, which is standard error when not given.

    Raises InputError where the folder is missing or holds no probes, AssetError where a file is not a
    usable probe, UnfitError where every probe was left out.
    """
    if folder is None:
        return [Environment(name=f"sky:{name}", ground=g) for name in SKIES for g in SKY_GROUNDS]
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of light probes (.hdr or .exr), but there is none")
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)
    if not files:
        raise InputError(f"{folder}: expected light probes (.hdr or .exr), but it holds none")
    fit = []
    for path in files:
        sha256 = sha256_file(path)
        value, lost = _legibility(path, sha256, stamp(path))
        if value < LEGIBLE:
            (say or _to_standard_error)(
                f"{path.name}: left out, because {lost} cannot be told from other colors in its light "
                f"({value:.2f}, at least {LEGIBLE} is needed)."
            )
            continue
        fit.append(Environment(name=path.name, sha256=sha256, ground="probe"))
    if not fit:
        raise UnfitError(
            f"{folder}: colors cannot be told apart under any of its {len(files)} probes; add others"
        )
    return fit


def drawn(among: list[Environment], seed: Name, *names: Name) -> Environment:
    """Return one of the environments, drawn and turned as these names say."""
    if not among:
        raise AssetError("an environment is to be drawn, but there is none to draw from; add a light probe")
    g = rng(seed, "environment", *names)
    picked = among[int(g.integers(len(among)))]
    angles = np.round(g.uniform(0, 2 * np.pi, 2), 4)
    return Environment(
        name=picked.name,
        sha256=picked.sha256,
        rotation_rad=float(angles[0]),
        ground=picked.ground,
        detail={"ground_angle_rad": float(angles[1])},
    )


@lru_cache(maxsize=1024)
def _legibility(path: Path, sha256: str, written: tuple[int, int]) -> tuple[float, str]:
    light, _ = fit_light(shrunk(read_probe(path, sha256), 128))
    return legibility(shrunk(light, 64))


def _to_standard_error(word: str) -> None:
    sys.stderr.write(word + "\n")
