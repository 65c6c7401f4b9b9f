"""The built-in library: 21 vehicle subtypes in 5 classes, so that nothing needs downloading."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from fathom.assets.builtin import AssetSpec, built_in_model, catalogue
from fathom.assets.model import Model
from fathom.records import InputError

LIBRARY: Mapping[str, AssetSpec] = catalogue("vehicles")
"""Subtype → what the catalogue says of it.

Ref: PulseCheck457 §3.2; the longer sides of the footprints are those of the published unit models, in metres.
"""

VERSION = "1"
"""Raised whenever a built-in model changes shape."""


def built_in(subtype: str) -> Model:
    """Return the built-in model of `subtype` at unit size, standing over the origin, facing +x."""
    if subtype not in LIBRARY:
        raise InputError(f"{subtype!r}: no built-in model; there are {', '.join(LIBRARY)}")
    return built_in_model("vehicles", subtype)


def fingerprint(model: Model) -> str:
    """Return the SHA-256 of the model's shape, rounded to a micrometre, and of its material names."""
    h = hashlib.sha256()
    for p in model.parts:
        h.update(f"{p.name}:{p.material.name}:".encode())
        h.update(np.round(p.vertices * 1e6).astype("<i8").tobytes())
        h.update(p.faces.astype("<i4").tobytes())
    return h.hexdigest()
