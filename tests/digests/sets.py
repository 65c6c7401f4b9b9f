"""The sets whose digests are recorded: small ones that `make test` builds, large ones for perf/digests.py."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom import api
from tests.digests.content import Digests, question_digest, scene_digest
from tests.tracks_questions.worlds import projected

BESIDE = Path(__file__).resolve().parents[3] / "shared"


@dataclass(frozen=True)
class Recorded:
    """A build without pictures; `shared` is the folder of third-party models that it takes, "" for none."""

    name: str
    benchmark: str
    scenes: int
    seed: str = "digests"
    settings: Mapping[str, str] = field(default_factory=dict)
    shared: str = ""

    def assets(self) -> Path | None:
        """Return the folder of models, None for the built-in ones."""
        root = Path(os.environ.get("FATHOM_ASSETS", BESIDE / "assets"))
        return root / self.shared if self.shared else None


_QUICK_FILM = {"stage": "props", "views": "6", "frames": "24", "size_px": "192"}
_QUICK_ALONE = {**_QUICK_FILM, "stage": "alone"}
_QUICK_VIDEO = {
    "desktop.seconds": "3",
    "desktop.fps": "10",
    "indoor.seconds": "6",
    "indoor.fps": "5",
    "outdoor.seconds": "6",
    "outdoor.fps": "5",
}

SMALL = (
    Recorded("pulsecheck457-fathom", "pulsecheck457", 4),
    Recorded("pulsecheck457-paper", "pulsecheck457", 3, settings={"rules": "paper"}),
    Recorded("4d-bench", "4d-bench", 2, settings=_QUICK_FILM),
    Recorded("4d-bench-alone", "4d-bench", 2, settings=_QUICK_ALONE),
    Recorded("sti-bench", "sti-bench", 3, settings=_QUICK_VIDEO),
    Recorded("3dsrbench", "3dsrbench", 3, settings={"streets": "0.34"}),
    Recorded("seed-bench", "seed-bench", 8, settings={"table.fps": "3"}),
)

LARGE = (
    Recorded("pulsecheck457-fathom", "pulsecheck457", 200),
    Recorded("pulsecheck457-paper", "pulsecheck457", 200, settings={"rules": "paper"}),
    Recorded("4d-bench", "4d-bench", 20, settings=_QUICK_FILM),
    Recorded("4d-bench-shared", "4d-bench", 12, settings=_QUICK_FILM, shared="animated"),
    Recorded("4d-bench-alone", "4d-bench", 20, settings=_QUICK_ALONE),
    Recorded("sti-bench", "sti-bench", 30, settings=_QUICK_VIDEO),
    Recorded("3dsrbench", "3dsrbench", 40),
    Recorded("seed-bench", "seed-bench", 40),
)


def built(wanted: Recorded, out: Path, workers: int = 1) -> Path:
    """Build a set in `out`, or carry on where a build there stopped, and return its folder."""
    api.build_dataset(
        wanted.benchmark,
        out,
        scenes=wanted.scenes,
        seed=wanted.seed,
        assets=wanted.assets(),
        renderer="none",
        settings=wanted.settings,
        workers=workers,
    )
    return out


def asked_of_boxes(seed: str = "digests") -> Digests:
    """Return the digests of what videos are asked where the frames show boxes: many questions in seconds."""
    from fathom.benchmarks.stibench.construction import questions as recipe_for
    from fathom.questions.balancing.video import chosen
    from fathom.questions.mix import wanted_of
    from fathom.questions.sampling.video import drafted
    from fathom.questions.writing.video import written
    from fathom.scenes.videos.desktop import draw_desktop
    from fathom.scenes.videos.indoor import draw_indoor
    from fathom.scenes.videos.outdoor import draw_outdoor

    drawn = ((draw_desktop, 8), (draw_indoor, 6), (draw_outdoor, 4))
    scenes = [draw(k, seed) for draw, count in drawn for k in range(count)]
    recipe = recipe_for(seed)
    drafts = [d for s in scenes for d in drafted(s, projected(s), recipe)]
    questions = written(chosen(drafts, wanted_of(recipe.mix, scenes), recipe).selected, recipe)
    return {
        "questions": {q.id: question_digest(q) for q in questions},
        "scenes": {s.id: scene_digest(s) for s in scenes},
    }
