"""What 30 frames of a video cost, beside decoding it through.

    python perf/video.py [--seconds 60] [--frames 30]

The videos are made here: 720p at 30 frames a second, with moving shapes and grain, in three codings. Reading
through is measured with and without turning every frame into RGB.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import av
import numpy as np

from fathom.media.video import probe, read_frames

WIDTH, HEIGHT, FPS = 1280, 720, 30
CODINGS = {
    "H.264, keyframe every 250": ("libx264", {"preset": "veryfast", "g": "250"}, "a.mp4"),
    "H.264, keyframe every 30": ("libx264", {"preset": "veryfast", "g": "30"}, "b.mp4"),
    "MPEG-4, keyframe every 12": ("mpeg4", {"g": "12", "bf": "2", "b": "4M"}, "c.mp4"),
}


def make_video(path: Path, codec: str, options: dict[str, str], seconds: int) -> None:
    """Write a video in which everything moves."""
    generator = np.random.default_rng(0)
    grain = generator.integers(0, 20, (HEIGHT * 2, WIDTH * 2, 1), dtype=np.uint8)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    ground = np.stack([x * 160 // WIDTH, y * 160 // HEIGHT, (x + y) * 160 // (WIDTH + HEIGHT)], axis=-1)
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=FPS)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = options
        for k in range(seconds * FPS):
            dy, dx = generator.integers(0, HEIGHT), generator.integers(0, WIDTH)
            picture = ground.astype(np.uint8) + grain[dy : dy + HEIGHT, dx : dx + WIDTH]
            left = k * 7 % (WIDTH - 200)
            picture[200:400, left : left + 200] = (230, 60, 40)
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)


def decode_through(path: Path, to_rgb: bool) -> int:
    """Return how many frames the video has, found by decoding all of them."""
    count = 0
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            count += 1
            if to_rgb:
                frame.to_ndarray(format="rgb24")
    return count


def cpu_s(call: Callable[[], object]) -> float:
    """Return the CPU seconds that a call takes, those of its threads included."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--frames", type=int, default=30)
    arguments = parser.parse_args()
    print(f"| coding | MB | {arguments.frames} frames, CPU s | all, CPU s | all in RGB, CPU s | ratio |")
    print("|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (codec, options, file) in CODINGS.items():
            path = Path(folder) / file
            make_video(path, codec, options, arguments.seconds)
            count = probe(path).frames
            indices = np.linspace(0, count - 1, arguments.frames).round().astype(int).tolist()
            ours = cpu_s(partial(read_frames, path, indices))
            through = cpu_s(partial(decode_through, path, to_rgb=False))
            in_rgb = cpu_s(partial(decode_through, path, to_rgb=True))
            size = path.stat().st_size / 1e6
            print(
                f"| {name} | {size:.0f} | {ours:.2f} | {through:.2f} | {in_rgb:.2f} "
                f"| {ours / through:.2f} (RGB: {ours / in_rgb:.2f}) |",
                flush=True,
            )


if __name__ == "__main__":
    main()
