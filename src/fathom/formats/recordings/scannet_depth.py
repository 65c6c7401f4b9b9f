"""Whether a scan's poses, depth pictures and mesh are of one room: points must stay where they are."""

from __future__ import annotations

import io
import warnings
import zlib

import numpy as np
from numpy.typing import NDArray

from fathom.formats.import_findings import ImportFindings
from fathom.formats.recordings.checks import Mask, inverse
from fathom.formats.recordings.recordings import Place, stored_bytes
from fathom.formats.recordings.scannet_streams import ScanFrame, Stream
from fathom.geometry.poses import Array
from fathom.records import InputError

FRAMES = 8
POINTS = 20_000
FEW = 25
"""Fewer points of the mesh in a picture say nothing."""

AGREES = 0.5
DISAGREES = 0.25


def against_depth(
    stream: Stream,
    shots: list[ScanFrame],
    camera_to_world: Array,
    good: Mask,
    mesh_m: Array,
    where: str,
    findings: ImportFindings,
) -> None:
    """Check on a few frames that the mesh lies where the depth pictures show it.

    Raises InputError where it does so only with the poses inverted.
    """
    known = np.flatnonzero(good)
    chosen = known[np.linspace(0, len(known) - 1, min(FRAMES, len(known))).astype(int)]
    matrix, mesh = stream.depth_intrinsic, mesh_m[:: max(1, len(mesh_m) // POINTS)]
    depths = {int(i): _depth_m(stream, shots[i].depth) for i in chosen if shots[i].depth}
    seen = [(i, d) for i, d in depths.items() if d is not None]
    if matrix is None or not np.isfinite(matrix).all() or not len(mesh) or not seen:
        findings.note("no depth or no mesh to hold the poses against", where)
        return
    poses, pictures = camera_to_world[[i for i, _ in seen]], [d for _, d in seen]
    given = _agreement(inverse(poses), matrix, pictures, mesh)
    if given is not None and given > DISAGREES:
        return
    inverted = _agreement(poses, matrix, pictures, mesh)
    if inverted is not None and inverted >= AGREES:
        raise InputError(
            f"{where}: poses are inverted: the mesh agrees with {inverted:.0%} of the depth when they are "
            "read as world-to-camera, as camera-to-world with hardly any; invert them, or set poses to "
            "world-to-camera"
        )
    findings.note("the depth pictures and the mesh do not agree: poses may be wrong", where)


def _agreement(to_camera: Array, matrix: Array, depths: list[Array], mesh_m: Array) -> float | None:
    """Return the share of mesh points that lie on the surface seen, of those on it and those before it.

    None where too few are in sight. Points behind the surface are hidden, which is no disagreement.
    """
    shares = []
    for pose, depth in zip(to_camera, depths, strict=True):
        local = mesh_m @ pose[:3, :3].T + pose[:3, 3]
        local = local[local[:, 2] > 0.2]
        x = matrix[0, 0] * local[:, 0] / local[:, 2] + matrix[0, 2] + 0.5
        y = matrix[1, 1] * local[:, 1] / local[:, 2] + matrix[1, 2] + 0.5
        inside = (x >= 0) & (x < depth.shape[1]) & (y >= 0) & (y < depth.shape[0])
        z = local[inside, 2]
        surface = depth[y[inside].astype(int), x[inside].astype(int)]
        z, surface = z[surface > 0], surface[surface > 0]
        near = np.maximum(0.08, 0.04 * surface)
        on, before = np.abs(z - surface) <= near, z < surface - near
        if on.sum() + before.sum() >= FEW:
            shares.append(float(on.sum() / (on.sum() + before.sum())))
        elif inside.sum() >= FEW:
            shares.append(0.0)
    return float(np.median(shares)) if shares else None


def _depth_m(stream: Stream, place: Place | None) -> Array | None:
    """Return a depth picture in metres, 0 where nothing was measured; None where it cannot be read."""
    if place is None:
        return None
    try:
        steps = _steps(stream, stored_bytes(place))
    except InputError:
        return None
    return None if steps is None else steps.astype(np.float64) * stream.depth_unit_m


def _steps(stream: Stream, data: bytes) -> NDArray[np.uint16] | None:
    width, height = stream.depth_size
    if stream.depth_form == "png":
        return _png(data, stream.depth_size)
    if stream.depth_form == "zlib_ushort":
        try:
            data = zlib.decompressobj().decompress(data, 2 * width * height + 1)
        except zlib.error:
            return None
    if stream.depth_form == "occi_ushort" or len(data) != 2 * width * height:
        return None
    return np.frombuffer(data, dtype="<u2").reshape(height, width)


def _png(data: bytes, size: tuple[int, int]) -> NDArray[np.uint16] | None:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(data)) as picture:
                if picture.size != size or not picture.mode.startswith("I"):
                    return None
                return np.asarray(picture).astype(np.uint16)
    except (OSError, ValueError, SyntaxError, TypeError, Warning, zlib.error, Image.DecompressionBombError):
        return None
