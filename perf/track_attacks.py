"""Whether options of a built STI-Bench tell the answer to who sees no picture: attacks by foreign features.

    python perf/track_attacks.py DATASET/questions.jsonl [MORE.jsonl …] [--draws 20] [--trees 200]

Nothing of the build is used here: texts are read by a pattern, and every option becomes a row of what can be
counted in the five (places by size and by every number, gaps, digits, signs, the question's numbers). A
random forest and extra trees learn, five folds by video, which option is right; they are judged against the
same with answers drawn anew among the options, and with the places of the answers dealt anew. "Turned round"
is who takes the option that is liked least: where each place is right equally often, what is seen less in the
other folds is right more often in this one. With several files (other seeds) their means are told too, with
the standard error over the files. At the end all files are pooled, task by task, with intervals of 95 %
clustered by video; files of one set (`66-3.0.jsonl`, `66-3.1.jsonl`) are questions on the same videos.

With --together forests learn from all files as well, whatever the set: who has seen many builds. And of each
video of which a pose of the camera is asked and how far or how fast it goes, the pose and the way are picked
that go together best, at one pace.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import GroupKFold

Floats = NDArray[np.float64]
Row = dict[str, Any]

FIVE, FOLDS, MOST_NUMBERS = 5, 5, 8
WAYS = frozenset(f"camera_{form}" for form in ("moved", "path", "average_speed", "velocity", "speed"))
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")
GUESSERS = {
    "forest": lambda trees, seed: RandomForestClassifier(trees, min_samples_leaf=3, random_state=seed),
    "extra trees": lambda trees, seed: ExtraTreesClassifier(trees, min_samples_leaf=3, random_state=seed),
}


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, those to the right below 0."""
    sign = -1.0 if text.endswith("to the right") else 1.0
    return [sign * float(x.replace("−", "-")) for x in _NUMBER.findall(text)]


def table(questions: Sequence[Row]) -> Floats:
    """Return (n, 5, k) what can be counted of each option of each question."""
    tasks = sorted({(q["task"], q["tags"].get("setting", "")) for q in questions})
    forms = sorted({q["tags"].get("form", "") for q in questions})
    out = []
    for q in questions:
        said = [numbers(c) for c in q["choices"]]
        width = min(map(len, said))
        values = np.zeros((FIVE, MOST_NUMBERS))
        values[:, : min(width, MOST_NUMBERS)] = [s[: min(width, MOST_NUMBERS)] for s in said]
        ranks = values.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable").astype(float)
        ranks[:, np.ptp(values, axis=0) == 0] = -1
        spread = np.where(values.std(axis=0) > 0, values.std(axis=0), 1.0)
        whole = (values - values.mean(axis=0)) / spread
        apart = np.linalg.norm(whole[:, None] - whole[None], axis=-1) + 1e9 * np.eye(FIVE)
        one = np.sort(values[:, 0])
        gaps = np.diff(one) / max(np.ptp(one), 1e-9)
        asked = (numbers(q["text"]) + [0.0] * 4)[:4]
        first = [abs(v) for v in values[:, 0]]
        leading = [int(f"{v:e}"[0]) for v in first]
        last = [(re.sub(r"\D", "", c) or "0")[-1] for c in q["choices"]]
        for k in range(FIVE):
            text = q["choices"][k]
            out.append([
                *values[k], *ranks[k], *whole[k], *(np.log(abs(values[k]) + 1e-3)), apart[k].min(),
                np.linalg.norm(whole[k]), *np.sort(apart[k])[:4], one[0], one[2], one[4], *gaps,
                leading[k], float(last[k]), len(text), sum(x.isdigit() for x in text), text.count("−"),
                values[k, 0] / (abs(asked[0]) + 1e-3), values[k, 0] / (abs(asked[1] - asked[0]) + 1e-3),
                *asked, k, tasks.index((q["task"], q["tags"].get("setting", ""))),
                forms.index(q["tags"].get("form", "")), sum(map(ord, text[:12])) % 97,
            ])  # fmt: skip
    return np.array(out, dtype=np.float64).reshape(len(questions), FIVE, -1)


def guessed(
    rows: Floats, right: NDArray[np.intp], videos: Sequence[str], name: str, trees: int, seed: int
) -> Floats:
    """Return (2, n) whether each answer was guessed by what the other folds taught: the option that is liked
    most, and the one that is liked least.
    """
    hit = np.zeros((2, len(rows)))
    splits = GroupKFold(FOLDS, shuffle=True, random_state=seed).split(rows, groups=videos)
    for taught, tested in splits:
        truth = np.eye(FIVE)[right[taught]].ravel()
        model = GUESSERS[name](trees, seed).fit(rows[taught].reshape(-1, rows.shape[2]), truth)
        liked = model.predict_proba(rows[tested].reshape(-1, rows.shape[2]))[:, 1].reshape(-1, FIVE)
        # Where trees like several equally, the first letter is no better than another.
        liked += 1e-9 * np.random.default_rng(seed).random(liked.shape)
        hit[:, tested] = [liked.argmax(axis=1) == right[tested], liked.argmin(axis=1) == right[tested]]
    return hit


def by_rank(questions: Sequence[Row]) -> tuple[float, dict[str, list[int]]]:
    """Return how often whoever knows which place by size is most often right, and how often each is, by task
    and setting: of numbers alone.
    """
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for q in questions:
        said = [numbers(c) for c in q["choices"]]
        if any(len(s) != 1 for s in said):
            continue
        order = sorted(s[0] for s in said)
        counts[f"{q['task']} {q['tags'].get('setting', '')}"][order.index(numbers(q["answer"])[0])] += 1
    total = sum(c.total() for c in counts.values())
    best = sum(max(c.values()) for c in counts.values())
    return best / max(total, 1), {k: [c[r] for r in range(FIVE)] for k, c in sorted(counts.items())}


def drawn_anew(questions: Sequence[Row], g: np.random.Generator) -> NDArray[np.intp]:
    """Return any other right options (n,)."""
    return g.integers(FIVE, size=len(questions))


def dealt_anew(questions: Sequence[Row], g: np.random.Generator) -> NDArray[np.intp]:
    """Return other right options (n,): of single numbers with the same places by size in each task and
    setting, dealt anew, else any. Nothing can be learnt from these but that places are dealt evenly.
    """
    right = g.integers(FIVE, size=len(questions))
    cells: dict[tuple[str, str], list[tuple[int, NDArray[np.intp], int]]] = defaultdict(list)
    for k, q in enumerate(questions):
        said = [numbers(c) for c in q["choices"]]
        if all(len(s) == 1 for s in said):
            order = np.argsort([s[0] for s in said], kind="stable")
            place = int(np.flatnonzero(order == q["choices"].index(q["answer"]))[0])
            cells[q["task"], q["tags"].get("setting", "")].append((k, order, place))
    for found in cells.values():
        for (k, order, _), j in zip(found, g.permutation(len(found)), strict=True):
            right[k] = order[found[int(j)][2]]
    return right


Told = dict[tuple[str, str], list[tuple[str, float, float]]]
"""By task and guesser, of each question its video, and whether it was guessed, and the other way round."""


def questions_in(path: Path) -> list[Row]:
    """Return the questions of a file that have five options."""
    every = [json.loads(line) for line in path.read_text().splitlines()]
    return [q for q in every if len(q.get("choices", ())) == FIVE]


def video_of(path: Path, question: Row) -> str:
    """Return the video of a question, by the set of its file: what comes before the first dot."""
    return f"{path.name.partition('.')[0]} {question['scene']}"


def attacked(path: Path, draws: int, trees: int, times: int, told_of: Told) -> dict[str, float]:
    """Print what is guessed of a file's questions, and return it; `told_of` gets what is guessed of each."""
    asked = questions_in(path)
    rows, videos = table(asked), [q["scene"] for q in asked]
    right = np.array([q["choices"].index(q["answer"]) for q in asked])
    found: dict[str, float] = {}
    g = np.random.default_rng(0)
    print(f"{path}: {len(asked)} questions on {len(set(videos))} videos")
    for name in GUESSERS:
        hits, turned = np.mean([guessed(rows, right, videos, name, trees, s) for s in range(times)], axis=0)
        found[name], found[f"{name}, turned round"] = 100 * float(hits.mean()), 100 * float(turned.mean())
        told = ""
        for words, redrawn in (("answers drawn anew", drawn_anew), ("places dealt anew", dealt_anew)):
            null = [
                100 * guessed(rows, redrawn(asked, g), videos, name, trees, s)[0].mean() for s in range(draws)
            ]
            told += f"; {words} {np.mean(null):.1f} ± {np.std(null):.1f}" if null else ""
        print(f"  {name}: {found[name]:.1f} %, turned round {100 * turned.mean():.1f} %{told}")
        cells: dict[str, list[float]] = defaultdict(list)
        for q, hit, other in zip(asked, hits, turned, strict=True):
            cells[f"{q['task']} {q['tags'].get('setting', '')}"].append(hit)
            for task in (q["task"], "all"):
                told_of[task, name].append((video_of(path, q), hit, other))
        worst = sorted(cells.items(), key=lambda c: -sum(c[1]) / len(c[1]))[:4]
        print("    most: " + "; ".join(f"{k} {100 * np.mean(v):.0f} % of {len(v)}" for k, v in worst))
    share, counts = by_rank(asked)
    found["best rank known"] = 100 * share
    even = sum(-(-sum(c) // FIVE) for c in counts.values()) / max(sum(map(sum, counts.values())), 1)
    print(f"  whoever knows the rank that is right most often in each task and setting: {100 * share:.1f} % "
          f"(at least {100 * even:.1f} % of so many)")  # fmt: skip
    for cell, ranks in counts.items():
        print(f"    {cell}: {ranks}")
    return found


def learnt_together(paths: Sequence[Path], trees: int) -> Told:
    """Return what is guessed of all files by who learns from all of them, but of other videos alone."""
    told_of: Told = defaultdict(list)
    asked = [(video_of(path, q), q) for path in paths for q in questions_in(path)]
    for task in sorted({q["task"] for _, q in asked}):
        own = [(video, q) for video, q in asked if q["task"] == task]
        videos, questions = [video for video, _ in own], [q for _, q in own]
        right = np.array([q["choices"].index(q["answer"]) for q in questions])
        rows = table(questions)
        for name in GUESSERS:
            hits, turned = guessed(rows, right, videos, name, trees, 0)
            told_of[task, name] = [*zip(videos, hits.tolist(), turned.tolist(), strict=True)]
    return told_of


def at_one_pace(paths: Sequence[Path]) -> None:
    """Print how often a pose, and a way or speed of the camera in the same video, are right that go together
    best: the way from the start ÷ its time is nearest to the other's pace.
    """
    hits: list[tuple[bool, bool]] = []
    for path in paths:
        by_video: dict[str, list[Row]] = defaultdict(list)
        for q in questions_in(path):
            by_video[q["scene"]].append(q)
        for own in by_video.values():
            poses = [q for q in own if q["task"] == "pose_estimation"]
            ways = [q for q in own if q["tags"].get("form") in WAYS]
            for pose, way in product(poses, ways):
                apart = np.abs(np.log(paces_of(pose)[:, None] / paces_of(way)))
                i, j = np.unravel_index(int(apart.argmin()), apart.shape)
                both = (pose, int(i)), (way, int(j))
                one, other = (q["choices"][k] == q["answer"] for q, k in both)
                hits.append((one, other))
    if hits:
        one, other = 100 * np.mean(hits, axis=0)
        print(f"at one pace: of {len(hits)} poses beside ways {one:.1f} % of poses and {other:.1f} % of ways "
              f"right (one standard error {40 / np.sqrt(len(hits)):.1f})")  # fmt: skip


def paces_of(question: Row) -> Floats:
    """Return (5,) at what pace a camera would be carried by each option, in metres a second."""
    said = np.abs([numbers(c) for c in question["choices"]])
    times, unit = numbers(question["text"]), question["tags"]["unit"]
    if question["task"] == "pose_estimation":
        return np.asarray(np.linalg.norm(said[:, :3], axis=1) / times[0])
    metres = said[:, 0] * (0.01 if unit.startswith("cm") else 1.0)
    return np.asarray(metres if unit.endswith("/s") else metres / abs(times[1] - times[0]))


def within(videos: Sequence[str], values: Floats) -> float:
    """Return half of the 95 % interval of a mean (n,) of questions on videos, in points."""
    sums: dict[str, float] = defaultdict(float)
    for video, off in zip(videos, values - values.mean(), strict=True):
        sums[video] += off
    count = max(len(sums), 2)
    clustered = sum(v * v for v in sums.values()) * count / (count - 1)
    # No task has less spread than guessing has: few questions that are all alike tell nothing.
    return 196.0 * float(np.sqrt(max(clustered, 0.16 * len(values)))) / len(values)


def pooled(told_of: Told) -> None:
    """Print what is guessed of all files together, task by task."""
    for (task, name), rows in sorted(told_of.items()):
        videos = [v for v, _, _ in rows]
        shares = []
        for k, what in ((1, ""), (2, "turned round ")):
            values = np.array([row[k] for row in rows])
            shares.append(f"{what}{100 * values.mean():.1f} ± {within(videos, values):.1f} %")
        print(f"{task:<26}{name:<13}{' '.join(shares)} of {len(rows)}")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("files", type=Path, nargs="+")
    words.add_argument("--draws", type=int, default=20, help="how often answers are drawn anew")
    words.add_argument("--trees", type=int, default=200)
    words.add_argument("--times", type=int, default=3, help="how many forests of each kind guess")
    words.add_argument("--together", action="store_true", help="learn from all files as well")
    given = words.parse_args()
    told_of: Told = defaultdict(list)
    found = [attacked(f, given.draws, given.trees, given.times, told_of) for f in given.files]
    if len(found) > 1:
        for name in found[0]:
            values = [f[name] for f in found]
            error = np.std(values, ddof=1) / np.sqrt(len(values))
            print(f"{name}: mean {np.mean(values):.1f} ± {error:.1f} % of {len(values)} files, from "
                  f"{min(values):.1f} to {max(values):.1f}")  # fmt: skip
    print("all files together, 95 % intervals clustered by video (20 is chance)")
    pooled(told_of)
    if given.together:
        print("learnt from all files together")
        pooled(learnt_together(given.files, given.trees))
        at_one_pace(given.files)


if __name__ == "__main__":
    main()
