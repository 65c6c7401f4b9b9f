"""Datasets of each benchmark, imported from small files, to be exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fathom import api
from tests.importing import shapes


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset for each name in `EVERY`; shared: tests leave it as it is."""
    av = pytest.importorskip("av", reason="PyAV is not installed")
    folder = Path(tmp_path_factory.mktemp("exporting"))
    with av.open(str(folder / "film.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=6)
        stream.width, stream.height, stream.pix_fmt = 32, 24, "yuv420p"
        for i in range(12):
            shade = np.full((24, 32, 3), 20 * i, dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        container.mux(stream.encode())
    film = (folder / "film.mp4").read_bytes()
    made = {
        "4d-bench": shapes.fourd(folder / "from" / "4d", film),
        "4d-bench-captions": shapes.fourd_captions(folder / "from" / "4dc", film),
        "seed-bench": shapes.seed(folder / "from" / "seed", film),
        "seed-bench-2": shapes.seed2(folder / "from" / "seed2"),
        "pulsecheck457": shapes.spatial457(folder / "from" / "457"),
        "sti-bench": shapes.sti(folder / "from" / "sti", film),
        "3dsrbench": shapes.threed_kit(folder / "from" / "3d", circular=True),
    }
    for name, path in made.items():
        benchmark = name.removesuffix("-2").removesuffix("-captions")
        api.import_dataset(benchmark, path, folder / name)
    return folder
