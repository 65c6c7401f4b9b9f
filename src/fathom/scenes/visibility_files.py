"""The file of what shows of a film: arrays in one file, whole or not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import DataError, Record
from fathom.store.arrays import read_arrays, write_arrays


class _Head(Record, frozen=True, kw_only=True):
    format: int
    scene: str
    objects: tuple[str, ...]
    parts: tuple[tuple[int, str], ...]
    limbs: tuple[tuple[int, str], ...]
    pieces: tuple[str, ...] = ()


_FORMAT = 1
_ARRAYS = (
    "frames", "times_s", "there", "px", "alone_px", "full_px", "hidden_px", "part_px", "limb_px", "boxes",
    "centres_m", "lows_m", "highs_m", "limb_centres_m", "actor_ups", "limb_lows_m", "piece_px",
)  # fmt: skip
_LATER = ("actor_ups", "limb_lows_m", "piece_px")
"""The arrays that are not in every file."""


def write_visibility_grid(path: Path, visibility: VisibilityGrid) -> None:
    """Write a play to one file, whole or not at all; the same play gives the same bytes."""
    head = _Head(
        format=_FORMAT,
        scene=visibility.scene,
        objects=visibility.objects,
        parts=visibility.parts,
        limbs=visibility.limbs,
        pieces=visibility.pieces,
    )
    write_arrays(path, head, {n: array for n in _ARRAYS if (array := getattr(visibility, n)) is not None})


def read_visibility_grid(path: Path) -> VisibilityGrid:
    """Return the play in a file. Raises DataError where it is missing, damaged or of another format."""
    head, arrays = read_arrays(path, _Head)
    v, g = arrays["px"].shape[:2] if "px" in arrays and arrays["px"].ndim == 3 else (0, 0)
    t, p, n, q = len(head.objects), len(head.parts), len(head.limbs), len(head.pieces)
    f = len(arrays.get("times_s", ()))
    shapes = dict(_shapes(v, g, t, p, n, f, q))
    names = [name for name in _ARRAYS if name in arrays or name not in _LATER]
    wrong = [name for name in names if name not in arrays or arrays[name].shape != shapes[name]]
    if head.format != _FORMAT or wrong:
        what = f"its {wrong[0]} does not fit" if wrong else f"it is in format {head.format}"
        raise DataError(f"{path}: not the play of a film ({what}); build the scene again")
    return VisibilityGrid(
        scene=head.scene,
        objects=head.objects,
        parts=head.parts,
        limbs=head.limbs,
        pieces=head.pieces,
        **{name: arrays[name] for name in names},
    )


def _shapes(v: int, g: int, t: int, p: int, n: int, f: int, q: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield from {"frames": (g,), "times_s": (f,), "there": (f, t), "boxes": (v, g, t, 4)}.items()
    yield from {
        "hidden_px": (v, g, t, t),
        "part_px": (v, g, p),
        "limb_px": (v, g, n),
        "piece_px": (v, g, q),
    }.items()
    yield from ((name, (v, g, t)) for name in ("px", "alone_px", "full_px"))
    yield from ((name, (f, t, 3)) for name in ("centres_m", "lows_m", "highs_m"))
    yield from {"limb_centres_m": (f, n, 3), "actor_ups": (f, 3), "limb_lows_m": (f, n)}.items()
