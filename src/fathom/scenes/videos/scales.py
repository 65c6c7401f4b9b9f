"""The scales at which worlds are made for videos, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fathom.assets.libraries import Library, joined_library
from fathom.assets.model import Model
from fathom.records import InputError, Scene
from fathom.scenes.videos import desktop, indoor, outdoor
from fathom.scenes.videos.audit import DESKTOP, INDOOR, OUTDOOR, MotionLimits


def _nothing(scene: Scene, frame: int | None, library: Library | None) -> dict[str, Model]:
    return {}


@dataclass(frozen=True)
class Scale:
    """How worlds of one scale are made.

    folders : where a collection of assets has the models for it
    settings : what is drawn from, a frozen dataclass
    draw : world from (index, seed, settings, library)
    models : the models of a scene's objects, by id, from (scene, frame, library)
    limits : what is possible there
    swinging : of objects of which parts swing, the models by id, from (scene, frame, library); without a
        frame every part reaches as far as it ever does
    """

    folders: tuple[str, ...]
    settings: Any
    draw: Callable[[int, str, Any, Library | None], Scene]
    models: Callable[[Scene, int, Library | None], dict[str, Model]]
    limits: MotionLimits
    swinging: Callable[[Scene, int | None, Library | None], dict[str, Model]] = _nothing


SCALES: Mapping[str, Scale] = {
    "desktop": Scale(("tabletop",), desktop.Desktop(), desktop.draw_desktop, desktop.models_at, DESKTOP),
    "indoor": Scale(("indoor",), indoor.Indoor(), indoor.draw_indoor, indoor.models_at, INDOOR),
    "outdoor": Scale(
        ("street", "vehicles"),
        outdoor.Outdoor(),
        outdoor.draw_outdoor,
        outdoor.models_at,
        OUTDOOR,
        outdoor.walking_at,
    ),
}
"""Every scale, in the order in which a build goes through them."""


def libraries_in(assets: Path | None) -> dict[str, Library | None]:
    """Return the library of each scale: that of its folder in `assets`, None where only built-in objects are.

    Raises InputError where the folder holds none of them, AssetError where one cannot be used.
    """
    if assets is None:
        return dict.fromkeys(SCALES)
    found = {
        name: joined_library([assets / f for f in scale.folders if (assets / f).is_dir()])
        for name, scale in SCALES.items()
    }
    if not any(found.values()):
        wanted = ", ".join(f"{f}/" for scale in SCALES.values() for f in scale.folders)
        there = "it holds none" if assets.is_dir() else "there is no such folder"
        raise InputError(
            f"{assets}: expected folders of models ({wanted}), and {there}; name another folder, "
            "or leave --assets out for the built-in objects"
        )
    return found
