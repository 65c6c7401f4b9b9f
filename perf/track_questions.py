"""CPU seconds from videos with exact tracks to questions with five options: 2,000 of 300 videos.

    python perf/track_questions.py                     # 60 worlds on tables, and what 300 would take
    python perf/track_questions.py --worlds 300

Drawing the worlds and rendering their truth is not counted: what the frames show is made up from boxes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.tracks_questions.worlds import projected

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.questions.balancing.video import chosen
from fathom.questions.mix import wanted_of
from fathom.questions.sampling.video import drafted
from fathom.questions.writing.video import written
from fathom.scenes.videos.desktop import draw_desktop

ALL = 300


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--worlds", type=int, default=60, help="how many worlds are asked about")
    given = words.parse_args()
    scenes = [draw_desktop(k, "perf") for k in range(given.worlds)]
    visibility = {s.id: projected(s) for s in scenes}
    recipe = recipe_for("perf")
    start = time.process_time()
    drafts = [d for s in scenes for d in drafted(s, visibility[s.id], recipe)]
    drafting = time.process_time() - start
    questions = written(chosen(drafts, wanted_of(recipe.mix, scenes), recipe).selected, recipe)
    rest = time.process_time() - start - drafting
    offered = sum(bool(q.choices) for q in questions)
    print(f"worlds {given.worlds}, drafts {len(drafts)}, questions {offered}, without options "
          f"{len(questions) - offered}")  # fmt: skip
    print(f"drafting {drafting:.1f} CPU s, choosing and writing {rest:.1f} CPU s")
    print(f"{ALL} worlds: about {(drafting + rest) * ALL / given.worlds:.0f} CPU s (at most 60 wanted)")


if __name__ == "__main__":
    main()
