"""Whether options of camera poses can be told apart without looking: attacks on fresh cameras, by setting.

    python perf/poses.py [--settings desktop indoor outdoor] [--cameras 240] [--drafts 4]

Worlds of built-in objects are drawn anew, and of each camera's poses up to 12 are asked for in each draft. A
row says how often an attack is right, in %, with its standard error by camera; chance is 20. Attacks that
have a rate, or learn, do so on four fifths of the cameras and are judged on the other. About 4 CPU minutes
a setting.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fathom.programs.operators.quantities import camera_poses
from fathom.programs.views.video import video_view
from fathom.questions.numeric.camera_poses import CameraPath, levelled_ways
from fathom.questions.numeric.error_sampling import POINTS
from fathom.questions.numeric.option_sets import five_on_way
from fathom.questions.numeric.vector_answers import Vector, pose
from fathom.records import Scene, UnfitError
from fathom.scenes.videos.desktop import draw_desktop
from fathom.scenes.videos.indoor import draw_indoor
from fathom.scenes.videos.outdoor import draw_outdoor
from fathom.store.seeds import rng

Floats = NDArray[np.float64]

WORLDS: dict[str, Callable[[int, str], Scene]] = {
    "desktop": draw_desktop,
    "indoor": draw_indoor,
    "outdoor": draw_outdoor,
}
SHOWN, FIRST, ASKED, FOLDS = 30, 5, 12, 5
STRAIGHT_DEG = 5.0
LEVEL = 0.03
"""So much of a level spread may be missing; else fewer are asked."""


@dataclass(frozen=True)
class Sample:
    """Questions: five poses each (n, 5, 6), which is right (n,), the time (n,), and whose camera (n,)."""

    poses: Floats
    right: NDArray[np.intp]
    times: Floats
    cameras: NDArray[np.intp]


def camera(setting: str, index: int) -> tuple[Floats, Floats] | None:
    """Return the poses (F, 6) of a fresh world's camera and their times; None where no world can be drawn."""
    try:
        tracks = video_view(WORLDS[setting](index, "fresh-cameras"))
    except UnfitError:
        return None
    return camera_poses(tracks), tracks.times_s - tracks.times_s[0]


def drafts(cameras: Sequence[tuple[Floats, Floats]], draft: int) -> list[tuple[int, CameraPath]]:
    """Return what could be asked: of each camera some of the frames that are shown."""
    found = []
    for k, (poses, times) in enumerate(cameras):
        shown = np.unique(np.linspace(0, len(poses) - 1, SHOWN).round().astype(int))[FIRST:]
        frames = rng("poses", draft, k).choice(shown, ASKED, replace=False)
        found += [(k, CameraPath(poses, times, int(f))) for f in frames]
    return found


def sampled(cameras: Sequence[tuple[Floats, Floats]], setting: str, count: int) -> Sample:
    """Return questions as builds choose and write them: those that go straight apart from the others."""
    vector, rows = pose(setting), []
    for draft in range(count):
        offered = drafts(cameras, draft)
        straight = [is_straight(way, vector) for _, way in offered]
        for name in (False, True):
            pool = [o for o, s in zip(offered, straight, strict=True) if s == name]
            share = 0.12 if name else 0.2
            if len(pool) > 100:
                rows += list(asked(pool, vector, share, setting, draft))
    poses, right, times, whose = zip(*rows, strict=True)
    return Sample(np.array(poses), np.array(right), np.array(times), np.array(whose))


def is_straight(way: CameraPath, vector: Vector) -> bool:
    """Return whether a pose is straight ahead of the first one."""
    aside, yaw = way.answer[0], way.answer[3]
    return bool(abs(yaw) < STRAIGHT_DEG and abs(aside) < 2 * vector.errors.least)


def asked(
    pool: Sequence[tuple[int, CameraPath]], vector: Vector, share: float, setting: str, draft: int
) -> Iterator[tuple[Floats, int, float, int]]:
    """Yield five poses, the place of the right one, the time and the camera, for a level share of a pool."""
    ways, count = [way for _, way in pool], int(share * len(pool))
    for _ in range(6):
        wants = [(vector.errors, k % POINTS) for k in range(count)]
        level = levelled_ways(ways, wants, vector, "perf", draft, alike=setting == "outdoor")
        if level.missing <= LEVEL:
            break
        count = int(0.7 * count)
    for i, k in enumerate(level.indices):
        if k < 0:
            continue
        way = level.ways[k]
        try:
            five = five_on_way(way, vector, "perf", draft, k, rates=level.rates, rank=i % POINTS)
        except UnfitError:
            continue
        yield np.array(five.numbers), five.index, float(way.times_s[way.frame]), pool[k][0]


def worth(scores: Floats, right: NDArray[np.intp]) -> Floats:
    """Return for each question how much the best-liked options (n, 5) are worth; ties are shared."""
    best = scores >= scores.max(axis=1, keepdims=True) - 1e-9
    return np.asarray(best[np.arange(len(right)), right] / best.sum(axis=1))


def fitted(rules: Sequence[Floats], sample: Sample, folds: NDArray[np.intp]) -> Floats:
    """Return what the rule is worth that did best on the other cameras."""
    gains = np.array([worth(rule, sample.right) for rule in rules])
    out = np.zeros(len(sample.right))
    for fold in range(FOLDS):
        out[folds == fold] = gains[gains[:, folds != fold].mean(axis=1).argmax()][folds == fold]
    return out


def attacks(sample: Sample, folds: NDArray[np.intp]) -> Iterator[tuple[str, Floats]]:
    """Yield every attack's name and what it is worth on each question."""
    x, y, z, yaw, _, roll = np.moveaxis(sample.poses, 2, 0)
    far = np.linalg.norm(sample.poses[..., :3], axis=2)
    half = np.maximum(np.radians(np.abs(yaw)) / 2, 1e-3)
    arc = far * half / np.maximum(np.sin(np.clip(half, 0, 3)), 0.05)
    seconds = np.broadcast_to(sample.times[:, None], x.shape)
    yield "stays at its height: least |y|", worth(-np.abs(y), sample.right)
    for name, told, by in (
        ("yaw nearest to k·x, fitted", yaw, x),
        ("yaw nearest to k·roll, fitted", yaw, roll),
        ("distance from the start nearest to k·t, fitted", far, seconds),
        ("z nearest to k·t, fitted", z, seconds),
        ("|x| nearest to k·t, fitted", np.abs(x), seconds),
        ("|yaw| nearest to k·t, fitted", np.abs(yaw), seconds),
        ("length of the arc from the start nearest to k·t, fitted", arc, seconds),
    ):
        rates = np.quantile(told / np.where(np.abs(by) > 1e-3, by, 1e-3), np.linspace(0.02, 0.98, 60))
        yield name, fitted([-np.abs(told - rate * by) for rate in rates], sample, folds)
    for name, told in (("k-th nearest to the start, fitted", far), ("k-th by |yaw|, fitted", np.abs(yaw))):
        place = told.argsort(axis=1).argsort(axis=1)
        yield name, fitted([(place == k).astype(float) for k in range(POINTS)], sample, folds)
    place, late = far.argsort(axis=1).argsort(axis=1), seconds >= np.median(sample.times)
    pairs = [np.where(late, place == b, place == a) for a in range(POINTS) for b in range(POINTS)]
    yield (
        "k-th nearest, another late than early, fitted",
        fitted([p.astype(float) for p in pairs], sample, folds),
    )
    middle, spread = np.median(sample.poses, axis=1, keepdims=True), sample.poses.std(axis=1, keepdims=True)
    off = np.abs(sample.poses - middle) / (spread + 1e-9)
    yield "middle value", worth(-off.sum(axis=2), sample.right)
    yield "extra trees: numbers, ranks, differences, each ÷ time", learnt(sample, folds, (far, arc, seconds))


def learnt(sample: Sample, folds: NDArray[np.intp], told: tuple[Floats, Floats, Floats]) -> Floats:
    """Return what trees are worth that have learnt which options of other cameras' questions are right."""
    from sklearn.ensemble import ExtraTreesClassifier

    far, arc, seconds = told
    poses = sample.poses
    x, z, yaw = poses[..., 0], poses[..., 2], poses[..., 3]
    from_mean = poses - poses.mean(axis=1, keepdims=True)
    gaps = np.sort(np.linalg.norm((poses[:, :, None] - poses[:, None])[..., :3], axis=-1), axis=-1)[..., 1:]
    singles = (far, arc, far / seconds, arc / seconds, x / seconds, z / seconds, yaw / seconds, seconds,
               yaw / np.where(np.abs(x) > 1e-3, x, 1e-3))  # fmt: skip
    cues = np.concatenate(
        [poses, poses.argsort(axis=1).argsort(axis=1), from_mean, gaps, np.stack(singles, axis=-1)], axis=-1
    )
    is_right = np.arange(POINTS) == sample.right[:, None]
    out = np.zeros(len(sample.right))
    for fold in range(FOLDS):
        here = folds == fold
        trees = ExtraTreesClassifier(150, min_samples_leaf=8, max_features=0.3, random_state=0)
        trees.fit(cues[~here].reshape(-1, cues.shape[-1]), is_right[~here].ravel())
        liked = trees.predict_proba(cues[here].reshape(-1, cues.shape[-1]))[:, 1].reshape(-1, POINTS)
        out[here] = worth(liked, sample.right[here])
    return out


def standard_error(found: Floats, cameras: NDArray[np.intp]) -> float:
    """Return the standard error of a mean whose values are alike within each camera."""
    off = found - found.mean()
    return float(np.sqrt(sum(off[cameras == k].sum() ** 2 for k in np.unique(cameras))) / len(found))


def main() -> None:
    """Print a table of the attacks for each setting."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("--settings", nargs="+", default=list(WORLDS), choices=list(WORLDS))
    words.add_argument("--cameras", type=int, default=240)
    words.add_argument("--drafts", type=int, default=4)
    given = words.parse_args()
    for setting in given.settings:
        started = time.process_time()
        with ProcessPoolExecutor(2) as pool:
            drawn = pool.map(partial(camera, setting), range(given.cameras), chunksize=4)
            cameras = [c for c in drawn if c is not None]
        sample = sampled(cameras, setting, given.drafts)
        folds = (sample.cameras * 7 + 3) % FOLDS
        spent = time.process_time() - started
        print(f"\n{setting}: {len(sample.right):,} questions of {len(cameras)} cameras ({spent:.0f} CPU s)")
        for name, found in attacks(sample, folds):
            error = standard_error(found, sample.cameras)
            print(f"  {name:<58}{100 * found.mean():6.1f} ({100 * error:.1f})")


if __name__ == "__main__":
    main()
