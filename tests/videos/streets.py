"""What several tests ask of a street's scenes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from fathom.geometry.poses import Array
from fathom.records import Scene, SceneObject


def moving(scene: Scene) -> list[SceneObject]:
    return [t for t in scene.objects if len(t.poses) > 1]


def drivers(scene: Scene) -> list[SceneObject]:
    return [t for t in moving(scene) if t.category != "pedestrian"]


def track(obj: SceneObject) -> tuple[Array, Array]:
    """Return the places (F, 2) and the headings (F,), without jumps."""
    rows = np.array([(*p.position_m, *p.rotation_wxyz) for p in obj.poses])
    return rows[:, :2], np.unwrap(2 * np.arctan2(rows[:, 6], rows[:, 3]))


def speeds(obj: SceneObject) -> Array:
    places, _ = track(obj)
    return np.asarray(np.linalg.norm(np.diff(places, axis=0), axis=1) * 30)


def assets_folder() -> Path:
    named = os.environ.get("FATHOM_ASSETS", "")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "assets"
    if not (folder / "street").is_dir():
        pytest.skip("needs shared models: set FATHOM_ASSETS to their folder")
    return folder
