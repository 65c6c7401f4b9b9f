"""Writing films: H.264 in MP4, as every browser plays it, with exactly the frames that were given."""

from __future__ import annotations

import os
import tempfile
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError, missing_extra

QUALITY = 14
"""The constant rate factor: at 14 a frame that is read back differs from what was given by a level or two."""

KEYFRAME_EVERY = 12
"""A frame is found fast where a keyframe is near."""

_BT709, _LIMITED, _FULL = 1, 1, 2


class FilmWriter:
    """A film that grows by a frame at a time, and is there when it is whole.

        with FilmWriter(path, fps=12, size=(512, 512)) as film:
            for pixels in frames:
                film.add(pixels)

    Frames are shown at a constant rate. Colours are marked as BT.709, and chroma is halved, because nothing
    else plays everywhere: sides must be even. Leaving the block with an error leaves nothing behind.

    Raises InputError where the file cannot be written, MissingExtraError without PyAV.
    """

    def __init__(self, path: Path, fps: float, size: tuple[int, int], quality: int = QUALITY) -> None:
        try:
            import av
        except ImportError as e:
            raise missing_extra("av", "video", "writing videos") from e
        width, height = size
        rate = Fraction(fps).limit_denominator(1001) if fps > 0 else Fraction(0)
        if rate <= 0 or width < 2 or height < 2 or width % 2 or height % 2:
            raise InputError(
                f"{path}: a film of {width} × {height} pixels at {fps:g} frames a second: expected even "
                "sides and a positive rate; correct the settings"
            )
        self.path, self.size, self.frames = path, size, 0
        self._rate = rate
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, self._part = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
            os.close(handle)
            self._container: Any = av.open(self._part, "w", format="mp4", options={"movflags": "+faststart"})
        except OSError as e:
            raise self._unwritten(e) from e
        stream: Any = self._container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = stream.codec_context.time_base = 1 / rate
        # One thread and a short look ahead: many films may be open at once, and bytes do not vary with cores.
        stream.codec_context.thread_count = 1
        stream.options = {
            "crf": str(quality), "preset": "medium", "g": str(KEYFRAME_EVERY), "bf": "2",
            "x264-params": "rc-lookahead=12:sync-lookahead=0:sliced-threads=0:threads=1",
        }  # fmt: skip
        context = stream.codec_context
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED
        self._stream = stream

    def add(self, pixels: NDArray[np.uint8]) -> None:
        """Append a frame, (height, width, 3) sRGB. Raises InputError where it has another size."""
        import av

        width, height = self.size
        if pixels.shape != (height, width, 3) or pixels.dtype != np.uint8:
            raise InputError(
                f"{self.path}: frame {self.frames} has shape {pixels.shape} of {pixels.dtype}: expected "
                f"({height}, {width}, 3) of uint8; render it at the film's size"
            )
        frame: Any = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24").reformat(
            format="yuv420p",
            dst_colorspace=_BT709,
            src_color_range=_FULL,
            dst_color_range=_LIMITED,
            threads=1,
        )
        frame.pts, frame.time_base = self.frames, 1 / self._rate
        frame.colorspace = frame.color_primaries = frame.color_trc = _BT709
        frame.color_range = _LIMITED
        self._encode(frame)
        self.frames += 1

    def __enter__(self) -> FilmWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
            else:
                self._container.close()
        finally:
            Path(self._part).unlink(missing_ok=True)

    def _finish(self) -> None:
        if not self.frames:
            self._container.close()
            raise InputError(f"{self.path}: a film needs at least one frame; give it some")
        self._encode(None)
        try:
            self._container.close()
            with Path(self._part).open("rb+") as f:
                os.fsync(f.fileno())
            Path(self._part).chmod(0o644)
            Path(self._part).replace(self.path)
        except OSError as e:
            raise self._unwritten(e) from e

    def _encode(self, frame: Any) -> None:
        try:
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
        except OSError as e:
            raise self._unwritten(e) from e

    def _unwritten(self, error: OSError) -> InputError:
        return InputError(
            f"{self.path}: could not be written ({error.strerror or error}); free some space or choose "
            "another folder, then start the same command again"
        )
