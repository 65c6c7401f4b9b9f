"""What the tests of cars and buses measure on a whole model."""

import numpy as np

from fathom.assets.loading import built_in_model
from fathom.assets.model import Model, Points
from fathom.assets.shapes import Shell, merged


def everything(model: Model) -> Shell:
    """Return all parts as one shell."""
    return merged(*((p.vertices, p.faces) for p in model.parts))


def middle(model: Model, name: str) -> Points:
    """Return the (3,) middle of a part's surface, in metres."""
    t = np.concatenate([p.vertices[p.faces] for p in model.parts if p.name == name])
    size = np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1)
    found: Points = size @ t.mean(axis=1) / size.sum()
    return found


def share_of_surface(model: Model, material: str) -> float:
    """Return the share of all surface, the hidden included, that is of a material."""
    sizes = {True: 0.0, False: 0.0}
    for p in model.parts:
        t = p.vertices[p.faces]
        cross = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
        sizes[p.material.name == material] += float(np.linalg.norm(cross, axis=1).sum())
    return sizes[True] / sum(sizes.values())


def vehicle(subtype: str) -> Model:
    """Return a built-in vehicle at unit size."""
    return built_in_model("vehicles", subtype)
