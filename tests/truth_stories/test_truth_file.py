"""The documented format of a film's truth: the reader in its document reads what is written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from fathom.ground_truth.cell_files import TruthCells, write_cells
from fathom.ground_truth.cells import DEPTH_STEP_M, POINTS, REST_STEP_M, cells_of
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.scene_at_time import model_at, models_at
from tests.truth_stories.yard import yard

DOC = Path(__file__).parents[2] / "docs/benchmarks/4d-bench-truth.md"
IMPORTS = "import json, sys, zipfile\nimport msgspec\nimport numpy as np\n"


def test_the_ten_lines_of_the_document_count_the_pixels_of_every_part(tmp_path: Path) -> None:
    scene, library = yard(), built_in_animated()
    stance = model_at(scene.objects[0], library, 0.0)
    assert stance is not None
    rest = {scene.objects[0].id: stance}
    made = [c for f in (0, 20) for c in cells_of(scene, models_at(scene, library, f), f, (0, 3), rest)]
    write_cells(tmp_path / "truth.npz", scene, made, POINTS)
    (lines,) = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    assert lines.count("\n") == 10 and (DEPTH_STEP_M, REST_STEP_M) == (2**-14, 2**-12)
    script = tmp_path / "reader.py"
    script.write_text(IMPORTS + lines, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, tmp_path / "truth.npz"], capture_output=True, text=True, check=True
    )
    told = {(view, frame): found for view, frame, found in map(json.loads, done.stdout.splitlines())}
    with TruthCells(tmp_path / "truth.npz") as cells:
        assert set(told) == set(cells.cells) and len(told) == 4
        for view, frame in cells.cells:
            cell, wanted = cells.read(view, frame), dict[str, int]()
            for k, name in enumerate(cells.objects):
                for p, count in enumerate(np.bincount(cell.part[cell.ids == k])):
                    key = f"{name}/{cell.parts[k][p]}"
                    wanted[key] = wanted.get(key, 0) + int(count)
            assert told[view, frame] == {key: n for key, n in wanted.items() if n}
