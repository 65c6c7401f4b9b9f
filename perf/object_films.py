"""What films of the object alone look like, measured: how large it is, how clips join, whether feet slide.

    python perf/object_films.py [FOLDER] [--films N] [--seed S]

FOLDER holds reviewed animated models; without it the built-in ones are filmed. Of each film: the longest
side of the object's box, as a share of the picture's, where it is largest; the largest turn of a joint from a
frame to the next, in degrees, where one clip goes over to another and elsewhere; the least share of an act's
motion that the protocol's frames show; and how far what stands slides, in heights of the actor a second, on
the spot and as filmed.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary, open_animated_library
from fathom.geometry.cameras import project
from fathom.geometry.poses import pose_at, to_world
from fathom.pages.tables import Table, as_text
from fathom.records import Scene, SceneObject
from fathom.scenes.actions import PlannedAction
from fathom.scenes.animated_assets import built_in_animated, hovers
from fathom.scenes.animated_scenes import draft_of, draw_animated_scene
from fathom.scenes.footing import footing
from fathom.scenes.scene_at_time import Staging, clip_time, models_at


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--films", type=int, default=0, help="how many; 0: one of each model")
    parser.add_argument("--seed", default="0")
    args = parser.parse_args()
    library = open_animated_library(args.folder) if args.folder else built_in_animated()
    staging, rows, slides = Staging(), [], []
    for k in range(args.films or len(library.assets)):
        draft = draft_of(k, args.seed, library, staging)
        scene = draw_animated_scene(k, args.seed, library, staging)
        joined, usual = turns(scene.objects[0], draft.asset)
        own = [slide(a, draft.asset) for a in draft.acts if a.way and not hovers(draft.asset)]
        slides += own
        shown = min(a.shown for a in draft.acts)
        ways = " ".join(f"{a.clip.verb or a.clip.name}{'→' * bool(a.way)}" for a in draft.acts)
        row = (draft.asset.name, ways, share_of_picture(scene, library), joined, usual, shown)
        rows.append(row)
        print(*row[:2], *(f"{v:.2f}" for v in row[2:]), *(f"{a:.2f}>{b:.2f}" for a, b in own), flush=True)
    print(as_text(summary(rows, slides)))


def summary(
    rows: list[tuple[str, str, float, float, float, float]], slides: list[tuple[float, float]]
) -> Table:
    """Return the numbers of all films together."""
    boxes, joins, usual, shown = (np.array([r[k] for r in rows]) for k in (2, 3, 4, 5))
    before, after = (np.array([s[k] for s in slides]) for k in (0, 1))
    found = [
        ("films", f"{len(rows)}"),
        ("box at its largest, least and most", f"{boxes.min():.3f} {boxes.max():.3f}"),
        ("box at its largest within 0.5 and 0.8", f"{np.mean((boxes >= 0.5) & (boxes <= 0.8)):.1%}"),
        (
            "largest turn of a joint where clips join, degrees, median and most",
            f"{np.median(joins):.1f} {joins.max():.1f}",
        ),
        ("largest turn elsewhere, degrees, median and most", f"{np.median(usual):.1f} {usual.max():.1f}"),
        ("acts that go on feet or wheels", f"{len(slides)}"),
        ("slides on the spot, heights a second, mean", f"{before.mean():.3f}" if slides else "–"),
        ("slides as filmed, mean", f"{after.mean():.3f}" if slides else "–"),
        ("least share of an act that is shown", f"{shown.min():.2f}"),
        ("films whose every act is shown to 60 %", f"{np.mean(shown >= 0.6):.1%}"),
    ]
    return Table("Films of the object alone", ("what", "found"), tuple(found))


def share_of_picture(scene: Scene, library: AnimatedLibrary) -> float:
    """Return the longest side of the box around all objects at its largest, as a share of the picture's."""
    most = 0.0
    for frame in range(len(scene.times_s)):
        models = models_at(scene, library, frame)
        points = [
            to_world(pose_at(o.poses, frame), np.concatenate([p.vertices for p in models[o.id].parts]))
            for o in scene.objects
            if o.id in models  # what comes later is not there yet
        ]
        every = np.concatenate(points)
        for camera in scene.cameras:
            seen = project(camera, every)[0]
            most = max(most, float(np.ptp(seen, axis=0).max()) / camera.width)
    return most


def turns(actor: SceneObject, asset: AnimatedAsset) -> tuple[float, float]:
    """Return the largest turn in degrees of a joint from frame to frame where clips join, and elsewhere."""
    fps = 12.0
    frames = round(actor.animations[-1].end_s * fps)
    joins = {round(a.start_s * fps) - k for a in actor.animations[1:] for k in range(1, 5)}
    poses = []
    for k in range(frames):
        clip, time_s, towards = clip_time(asset, actor.animations, k / fps)
        poses.append(asset.moving.joints_over(clip, np.array([time_s]), towards).rotation_xyzw[0])
    found: dict[bool, float] = {True: 0.0, False: 0.0}
    for k, (one, other) in enumerate(pairwise(poses)):
        cosine = np.abs(np.einsum("nk,nk->n", one, other)).clip(0, 1)
        found[k in joins] = max(found[k in joins], float(np.degrees(2 * np.arccos(cosine)).max()))
    return found[True], found[False]


def slide(act: PlannedAction, asset: AnimatedAsset) -> tuple[float, float]:
    """Return how far what stands slides in an act on the spot, and as it is filmed, in heights a second."""
    ground = footing(asset, act.clip.name, act.clip.start_s, act.clip.end_s)
    each = float(ground.times_s[1] - ground.times_s[0]) / abs(act.rate) * asset.extents_m[2]
    return ground.slides / each, ground.slid / each


if __name__ == "__main__":
    main()
