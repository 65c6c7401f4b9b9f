"""CPU seconds of a PulseCheck457 scene without pictures, stage by stage, and of a whole build of them.

    python perf/scenes.py [--scenes 30] [--rules paper]

Stages are measured one scene after the other in one process, after as many scenes as have met every model;
the whole build begins with none, in a process of its own, with one worker. What it imports is printed too.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from fathom.assets.libraries import built_in_library
from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.ground_truth.files import write_truth
from fathom.ground_truth.trace import trace
from fathom.media.outlines import outlines_of
from fathom.questions.making import offer
from fathom.records import Environment, Question
from fathom.scenes.placed_models import models_of
from fathom.scenes.scatter import draw_scene
from fathom.scenes.scatter_settings import Scatter
from fathom.stats.blind import stress_test
from fathom.store.files import read_jsonl

MEETING = 16
"""In so many scenes nearly every model of the library is met, in both sizes."""

BUILD = """
import sys
from pathlib import Path
from fathom import api
api.build_dataset("pulsecheck457", Path(sys.argv[1]), scenes=int(sys.argv[2]), seed="perf",
                  settings={"rules": sys.argv[3]}, renderer="none", workers=1)
"""


def stages(scenes: int, rules: str) -> dict[str, float]:
    """Return CPU seconds a scene of each stage."""
    library, light = built_in_library(), Environment(name="sky:clear-noon", ground="asphalt")
    spent: dict[str, float] = defaultdict(float)
    with tempfile.TemporaryDirectory() as folder:
        for k in range(MEETING + scenes):
            if k == MEETING:
                spent.clear()
            clock = [time.process_time()]
            scene = draw_scene(k, "perf", library, Scatter(), lambda _: light)
            clock.append(time.process_time())
            truth = trace(scene, models_of(scene, library))
            clock.append(time.process_time())
            write_truth(Path(folder) / "truth.npz", truth)
            clock.append(time.process_time())
            outlines_of(truth.ids, tuple(t.id for t in scene.objects), scene.id)
            clock.append(time.process_time())
            offer(scene, recipe("perf", rules))
            clock.append(time.process_time())
            names = ("world", "truth", "truth written", "outlines", "questions drafted, no jitter test")
            for name, begun, ended in zip(names, clock, clock[1:], strict=False):
                spent[name] += (ended - begun) / scenes
    return dict(spent)


def children_s() -> float:
    """CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def whole(scenes: int, rules: str) -> dict[str, float]:
    """Return CPU seconds of imports and of a build as its own process, and of its blind stress test."""
    begun = children_s()
    subprocess.run(
        [sys.executable, "-c", "import fathom.datasets.pipeline, fathom.datasets.generators.stills"],
        check=True,
    )
    imported = children_s()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "dataset"
        subprocess.run([sys.executable, "-c", BUILD, str(out), str(scenes), rules], check=True)
        built = children_s()
        questions = list(read_jsonl(out / "questions.jsonl", Question))
    stress_test(questions[:120])
    start = time.process_time()
    stress_test(questions)
    return {
        "imports, once": imported - begun,
        f"blind stress test of {len(questions)} questions, a scene": (time.process_time() - start) / scenes,
        "whole build, a scene": (built - imported) / scenes,
    }


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--scenes", type=int, default=30)
    words.add_argument("--rules", default="fathom")
    given = words.parse_args()
    print(f"{'CPU seconds, ' + str(given.scenes) + ' scenes':<52}")
    for name, value in {**stages(given.scenes, given.rules), **whole(given.scenes, given.rules)}.items():
        print(f"{name:<52}{value:>8.3f}", flush=True)


if __name__ == "__main__":
    main()
