"""The built-in library: 21 vehicle subtypes in 5 classes, made by code, so that nothing needs downloading."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module

import numpy as np

from fathom.build.assets.kept import kept
from fathom.build.assets.model import Model, standing
from fathom.records import InputError

_HERE = "fathom.build.assets.vehicles"

LIBRARY: dict[str, tuple[str, str, float]] = {
    "suv": ("car", f"{_HERE}.cars:suv", 0.8736),
    "wagon": ("car", f"{_HERE}.cars:wagon", 0.8872),
    "minivan": ("car", f"{_HERE}.cars:minivan", 0.8603),
    "sedan": ("car", f"{_HERE}.cars:sedan", 0.8964),
    "truck": ("car", f"{_HERE}.cars:truck", 0.8906),
    "articulated": ("bus", f"{_HERE}.buses:articulated", 0.9718),
    "regular": ("bus", f"{_HERE}.buses:regular", 0.9299),
    "double": ("bus", f"{_HERE}.buses:double", 0.9290),
    "school": ("bus", f"{_HERE}.buses:school", 0.9491),
    "chopper": ("motorbike", f"{_HERE}.motorbikes:chopper", 0.8685),
    "dirtbike": ("motorbike", f"{_HERE}.motorbikes:dirtbike", 0.8293),
    "scooter": ("motorbike", f"{_HERE}.motorbikes:scooter", 0.7773),
    "cruiser": ("motorbike", f"{_HERE}.motorbikes:cruiser", 0.8444),
    "jet": ("aeroplane", f"{_HERE}.aeroplanes:jet", 0.7609),
    "fighter": ("aeroplane", f"{_HERE}.aeroplanes:fighter", 0.7543),
    "biplane": ("aeroplane", f"{_HERE}.aeroplanes:biplane", 0.7423),
    "airliner": ("aeroplane", f"{_HERE}.aeroplanes:airliner", 0.7261),
    "road": ("bicycle", f"{_HERE}.bicycles:road", 0.8583),
    "utility": ("bicycle", f"{_HERE}.bicycles:utility", 0.7973),
    "mountain": ("bicycle", f"{_HERE}.bicycles:mountain", 0.8162),
    "tandem": ("bicycle", f"{_HERE}.bicycles:tandem", 0.9121),
}
"""Subtype → class, the function that makes it, and the longer side of its footprint at unit size.

Ref: PulseCheck457 §3.2; the longer sides are those of the published unit models, in metres.
"""

VERSION = "1"
"""Raised whenever a built-in model changes shape."""


@cache
def built_in(subtype: str) -> Model:
    """Return the built-in model of `subtype` at unit size, standing over the origin, facing +x."""
    if subtype not in LIBRARY:
        raise InputError(f"{subtype!r}: no built-in model; there are {', '.join(LIBRARY)}")
    category, where, longest = LIBRARY[subtype]

    def make() -> Model:
        module, function = where.split(":")
        made: Model = getattr(import_module(module), function)()
        if (made.category, made.subtype) != (category, subtype):
            raise InputError(
                f"{where}: expected a {category}, {subtype}; it made a {made.category}, {made.subtype}"
            )
        return standing(made, longest)

    return kept(subtype, make)


def fingerprint(model: Model) -> str:
    """Return the SHA-256 of the model's shape, rounded to a micrometre, and of its material names."""
    h = hashlib.sha256()
    for p in model.parts:
        h.update(f"{p.name}:{p.material.name}:".encode())
        h.update(np.round(p.vertices * 1e6).astype("<i8").tobytes())
        h.update(p.faces.astype("<i4").tobytes())
    return h.hexdigest()
