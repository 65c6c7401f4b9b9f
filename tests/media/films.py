"""Videos whose frames can be told apart, made with the codecs that are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

CODINGS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "h264": ("a.mp4", "libx264", {"g": "25", "bf": "3"}),
    "h264 with open groups": ("b.mkv", "libx264", {"g": "12", "x264-params": "open-gop=1:bframes=3"}),
    "h264 renewed bit by bit": ("c.mp4", "libx264", {"x264-params": "intra-refresh=1:keyint=25"}),
    "h264 in a transport stream": ("d.ts", "libx264", {"g": "25"}),
    "hevc": ("e.mp4", "libx265", {"x265-params": "log-level=none:keyint=20"}),
    "vp9": ("f.webm", "libvpx-vp9", {"g": "20", "deadline": "realtime", "cpu-used": "8"}),
    "mpeg4": ("g.mp4", "mpeg4", {"g": "12", "bf": "2"}),
    "mpeg4 without time stamps": ("h.avi", "mpeg4", {"g": "12", "bf": "2"}),
    "mpeg2 that cannot be sought in": ("i.mpg", "mpeg2video", {"g": "12"}),
    "single pictures": ("j.mov", "mjpeg", {}),
    "gif": ("k.gif", "gif", {}),
}
PIXELS = {"mjpeg": "yuvj420p", "gif": "rgb8"}


def frame(number: int, width: int = 96, height: int = 64) -> Picture:
    """Return a plain colour with a white square that moves."""
    made = np.empty((height, width, 3), np.uint8)
    made[:] = (number * 37 % 256, number * 91 % 256, number * 53 % 256)
    left = number * 3 % (width - 16)
    made[16:32, left : left + 16] = 255
    return made


def write_film(
    path: Path,
    codec: str,
    options: Mapping[str, str] | None = None,
    *,
    frames: Sequence[Picture] | int = 60,
    pixels: str = "",
    matrix: int = 0,
    range_: int = 0,
    turned: int = 0,
    times: Sequence[int] = (),
    rate: int = 30,
) -> Path:
    """Write a video and return its path.

    `matrix` and `range_` mark the colours and are what they are written in (0: unmarked, BT.601 limited);
    `times` are time stamps in units of a thirtieth of a second where frames do not follow evenly.
    """
    pictures = [frame(k) for k in range(frames)] if isinstance(frames, int) else frames
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=rate)
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = pixels or PIXELS.get(codec, "yuv420p")
        stream.options = dict(options or {})
        if matrix:
            stream.codec_context.colorspace = matrix
        if range_:
            stream.codec_context.color_range = range_
        if turned:
            stream.set_display_rotation(turned)
        for k, picture in enumerate(pictures):
            made = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(
                format=stream.pix_fmt,
                dst_colorspace=matrix or 5,
                src_color_range=2,
                dst_color_range=range_ or 1,
            )
            made.pts, made.time_base = (times[k] if times else k), Fraction(1, rate)
            for packet in stream.encode(made):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)
    return path


def coded(folder: Path, name: str) -> Path:
    """Return the video of one coding, 60 frames, written where it is not there yet."""
    file, codec, options = CODINGS[name]
    path = folder / file
    return path if path.exists() else write_film(path, codec, options)
