"""A short video, made once, and the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import fathom

__all__ = ["fathom", "video"]


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Twelve frames at 6 a second, 32 × 24 pixels."""
    av = pytest.importorskip("av", reason="PyAV is not installed")
    path = Path(tmp_path_factory.mktemp("video")) / "short.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=6)
        stream.width, stream.height, stream.pix_fmt = 32, 24, "yuv420p"
        for i in range(12):
            shade = np.full((24, 32, 3), 20 * i, dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        container.mux(stream.encode())
    return path.read_bytes()
