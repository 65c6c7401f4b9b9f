"""Videos: how many frames one has, and single frames by their number.

Frames are numbered from 0 in the order in which they are shown. Which packet holds which frame is found by
reading the container alone; then only what a wanted frame hangs on is decoded: from the keyframe before it,
without the frames on which nothing else hangs, and never the rest of the group.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fathom.media.images import MAX_PIXELS
from fathom.records import InputError, missing_extra

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

Picture = NDArray[np.uint8]

MISSING_AT_THE_END = 3
"""How many of the last frames that a container promises may turn out not to be there."""

_FORMATS = "mov,mp4,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,gif,asf,ogg,h264,hevc,ivf,m4v,apng,webp"
"""What is opened as a video; playlists, which point to other files and addresses, are not."""

_UNMARKED_MATRIX = 5
"""BT.601, which every reader in use takes where a video does not say how its colours are meant."""
_LIMITED, _FULL = 1, 2


@dataclass(frozen=True)
class VideoInfo:
    """What a video is: its frames as counted, frames a second on average, and size in pixels as shown.

    `steady` is false where the time between frames varies, so that a frame's number does not give its time.
    """

    frames: int
    fps: float
    width: int
    height: int
    steady: bool = True


@dataclass(frozen=True)
class _Index:
    """Where frames are: for each frame its time stamp, and the stamps of the keyframes.

    Stamps are in units of `tick_s` seconds. Where packets carry none that tell them apart, `stamps` counts
    them, and the video can only be read through.
    """

    stamps: tuple[int, ...]
    keyframes: tuple[int, ...]
    tick_s: float
    rate: float
    seekable: bool


def probe(path: Path) -> VideoInfo:
    """Return what the video at `path` is. Its frames are counted, and the first of them is decoded.

    Raises InputError where the file is no video or is damaged, MissingExtraError without PyAV.
    """
    index = _index(path)
    first = next(iter_frames(path, (0,)))[1]
    height, width = first.shape[:2]
    gaps = np.diff(np.array(index.stamps))
    # Containers round time stamps to their tick, so that even gaps may differ by one.
    steady = not index.seekable or not len(gaps) or int(gaps.max() - gaps.min()) <= 1
    return VideoInfo(len(index.stamps), _rate(index), width, height, steady)


def read_frames(
    path: Path, indices: Sequence[int], say: Callable[[str], None] = lambda text: None
) -> list[Picture]:
    """Return the frames of these numbers, each (height, width, 3) RGB, in the order asked for.

    A frame among the last that the container promises and does not hold is replaced by the one before it,
    and `say` is told. Raises InputError where a number is out of range or a frame cannot be decoded.
    """
    found = dict(iter_frames(path, indices, say))
    return [found[number] for number in indices]


def iter_frames(
    path: Path, indices: Sequence[int], say: Callable[[str], None] = lambda text: None
) -> Iterator[tuple[int, Picture]]:
    """Yield each number that is asked for with its frame, once, in increasing order.

    Raises what `read_frames` raises.
    """
    index = _index(path)
    count = len(index.stamps)
    wanted = sorted(set(indices))
    for number in wanted:
        if not 0 <= number < count + MISSING_AT_THE_END:
            raise InputError(
                f"{path}: expected a frame from 0 to {count - 1}, found {number}; ask for others, or import "
                "the video again"
            )
    last: tuple[int, Picture] | None = None
    for number, picture in _decoded(path, index, [min(n, count - 1) for n in wanted]):
        found = number
        if picture is None:
            if number < count - MISSING_AT_THE_END:
                raise InputError(
                    f"{path}: frame {number} of {count} cannot be decoded; the file is damaged, replace it"
                )
            found, picture = last or _last_before(path, index, number)
        last = (found, picture)
        for asked in (n for n in wanted if min(n, count - 1) == number):
            if asked != found:
                say(f"{path}: frame {asked} is not there, and frame {found} was taken in its place")
            yield asked, picture


def _last_before(path: Path, index: _Index, number: int) -> tuple[int, Picture]:
    """Return the last frame before `number` that can be decoded, with its number."""
    least = max(0, number - MISSING_AT_THE_END)
    there = [(n, p) for n, p in _decoded(path, index, list(range(least, number))) if p is not None]
    if not there:
        raise InputError(
            f"{path}: no frame from {least} to {number} can be decoded; the file is damaged, replace it"
        )
    return there[-1]


def _decoded(path: Path, index: _Index, wanted: list[int]) -> Iterator[tuple[int, Picture | None]]:
    """Yield each wanted frame in increasing order, None where it cannot be decoded."""
    wanted = sorted(set(wanted))
    if not index.seekable:
        yield from _read_through(path, wanted)
        return
    groups: dict[int, list[int]] = {}
    for number in wanted:
        at = bisect.bisect_right(index.keyframes, index.stamps[number]) - 1
        groups.setdefault(index.keyframes[max(at, 0)], []).append(number)
    with _opened(path) as (container, stream):
        for keyframe, numbers in groups.items():
            stamps = frozenset(index.stamps[number] for number in numbers)
            found = _group(path, container, stream, keyframe, stamps)
            if missing := stamps - found.keys():
                # A picture that is renewed bit by bit is whole only some way behind its keyframe.
                found |= _group(path, container, stream, index.keyframes[0], missing)
            yield from ((number, found.get(index.stamps[number])) for number in numbers)


def _group(
    path: Path, container: InputContainer, stream: VideoStream, keyframe: int, wanted: frozenset[int]
) -> dict[int, Picture]:
    """Return the wanted frames by time stamp, decoded from a keyframe to the last packet that is wanted."""
    context = stream.codec_context
    found: dict[int, Picture] = {}
    left = set(wanted)
    for packet in _packets_from(path, container, stream, keyframe):
        # Of what is not wanted, only what others hang on is decoded.
        context.skip_frame = "DEFAULT" if packet.pts in left else "NONREF"
        left.discard(packet.pts)
        found |= _decode_wanted(context, packet, wanted)
        if not left:
            break
    context.skip_frame = "DEFAULT"
    found |= _decode_wanted(context, None, wanted)
    context.flush_buffers()
    return found


def _decode_wanted(
    context: Any, packet: Packet[VideoStream] | None, wanted: frozenset[int]
) -> dict[int, Picture]:
    return {frame.pts: _rgb(frame) for frame in _decode(context, packet) if frame.pts in wanted}


def _packets_from(
    path: Path, container: InputContainer, stream: VideoStream, keyframe: int
) -> Iterator[Packet[VideoStream]]:
    """Yield packets from the keyframe on; read from the beginning where seeking does not find it."""
    from av.error import FFmpegError

    with suppress(FFmpegError):
        container.seek(keyframe, stream=stream, backward=True)
        packets = _demuxed(container, stream)
        for packet in packets:
            if packet.is_keyframe and packet.pts == keyframe:
                yield packet
                yield from packets
                return
            if packet.dts is not None and packet.dts > keyframe:
                break
    with _opened(path) as (again, same):
        packets = _demuxed(again, same)
        yield from dropwhile(lambda packet: not packet.is_keyframe or packet.pts != keyframe, packets)


def _read_through(path: Path, wanted: list[int]) -> Iterator[tuple[int, Picture | None]]:
    """Yield the wanted frames, counting what the decoder puts out from the beginning."""
    left = list(wanted)
    with _opened(path) as (container, stream):
        number = 0
        for packet in (*_demuxed(container, stream), None):
            for frame in _decode(stream.codec_context, packet):
                if left and number == left[0]:
                    yield left.pop(0), _rgb(frame)
                number += 1
            if not left:
                return
    yield from ((number, None) for number in left)


def _decode(context: Any, packet: Packet[VideoStream] | None) -> list[VideoFrame]:
    """Return the frames that a packet completes; a damaged packet completes none."""
    from av.error import FFmpegError

    try:
        return [frame for frame in context.decode(packet) if not frame.is_corrupt]
    except FFmpegError:
        return []


def _demuxed(container: InputContainer, stream: VideoStream) -> Iterator[Packet[VideoStream]]:
    """Yield the packets that hold frames; a file that breaks off ends there."""
    from av.error import FFmpegError

    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
        except FFmpegError:
            return
        if packet is None:
            return
        if packet.size and not packet.is_discard:
            yield packet


def _index(path: Path) -> _Index:
    """Return where the frames of a video are. Raises what `probe` raises."""
    try:
        stat = path.stat()
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror}); restore the file") from e
    return _index_of(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _index_of(path: Path, changed_ns: int, size: int) -> _Index:
    with _opened(path) as (container, stream):
        packets = [(packet.pts, bool(packet.is_keyframe)) for packet in _demuxed(container, stream)]
        tick = float(stream.time_base) if stream.time_base else 0.0
        rate = float(stream.average_rate or stream.guessed_rate or 0)
    if not packets:
        raise InputError(f"{path}: holds no frames; the file is empty or damaged, replace it")
    stamps = sorted(pts for pts, _ in packets if pts is not None)
    keyframes = tuple(sorted(pts for pts, key in packets if key and pts is not None))
    seekable = len(set(stamps)) == len(packets) and bool(keyframes) and keyframes[0] <= stamps[0]
    if not seekable:
        return _Index(tuple(range(len(packets))), (), 0.0, rate, seekable=False)
    return _Index(tuple(stamps), keyframes, tick, rate, seekable=True)


def _rate(index: _Index) -> float:
    """Return frames a second: what the container says, else what the time stamps come to."""
    span_s = (index.stamps[-1] - index.stamps[0]) * index.tick_s
    if index.rate > 0:
        return index.rate
    return (len(index.stamps) - 1) / span_s if span_s > 0 else 0.0


@contextmanager
def _opened(path: Path) -> Iterator[tuple[InputContainer, VideoStream]]:
    """Yield the container and its first video stream. Raises InputError where there is none."""
    try:
        import av
    except ImportError as e:
        raise missing_extra("av", "video", "reading videos") from e
    # Only this one file is ever opened, whatever it claims to point to.
    only = {"protocol_whitelist": "file", "format_whitelist": _FORMATS}
    try:
        container = av.open(f"file:{path}", container_options=only)
    except (av.error.FFmpegError, ValueError) as e:
        raise InputError(
            f"{path}: expected a video, found something that does not open as one ({_reason(e)}); replace it"
        ) from e
    with container:
        if not container.streams.video:
            raise InputError(f"{path}: expected a video, found a file without pictures; replace it")
        stream = container.streams.video[0]
        context = stream.codec_context
        if context is None or not 0 < context.width * context.height <= MAX_PIXELS:
            raise InputError(
                f"{path}: expected frames of at most {MAX_PIXELS:,} pixels in a known coding, found "
                f"{f'{context.width} × {context.height}' if context else 'an unknown one'}; convert the video"
            )
        # Several threads would decode frames ahead that nobody asked for.
        context.thread_type = "NONE"
        yield container, stream


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _rgb(frame: VideoFrame) -> Picture:
    """Return a frame as (height, width, 3) RGB, in the colours and the position in which it is shown."""
    full = frame.color_range == _FULL or frame.format.name.startswith("yuvj")
    unmarked = frame.colorspace in (0, 2, 3)  # RGB, unspecified, reserved
    picture = frame.to_ndarray(
        format="rgb24",
        src_colorspace=_UNMARKED_MATRIX if unmarked else frame.colorspace,
        src_color_range=_FULL if full else _LIMITED,
        dst_color_range=_FULL,
        threads=1,
    ).astype(np.uint8, copy=False)
    turns = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(picture, turns)) if turns else picture
