"""Films in which one thing is done once, twice or three times."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.records import InputError
from fathom.scenes.actions import SHOWN
from fathom.scenes.animated_scenes import draft_of
from fathom.scenes.clip_motion import clip_poses
from fathom.scenes.designs import SceneDraft
from fathom.scenes.repeated_acts import BACK, FAR, TIMES
from fathom.scenes.scene_at_time import Staging

OFTEN = Staging(views=4, repeats=1.0)


@pytest.fixture(scope="module")
def often(library: AnimatedLibrary) -> tuple[SceneDraft, ...]:
    return tuple(draft_of(k, "again", library, OFTEN) for k in range(24))


def counted(draft: SceneDraft) -> Counter[str]:
    """How many times each thing is done that plays once."""
    return Counter(a.clip.verb for a in draft.acts if not a.loop)


def test_one_thing_is_done_once_twice_or_three_times(often: tuple[SceneDraft, ...]) -> None:
    most = Counter(max(counted(d).values(), default=0) for d in often)
    assert set(TIMES) <= set(most)
    assert all(n <= max(TIMES) for n in most)


def test_each_time_shows_how_it_stands_and_how_far_it_gets(often: tuple[SceneDraft, ...]) -> None:
    checked = 0
    for draft in often:
        again = {v for v, n in counted(draft).items() if n > 1}
        for act in (a for a in draft.acts if a.clip.verb in again):
            poses = clip_poses(draft.asset, act.clip)
            times = [min(act.time_s(f, OFTEN.fps), act.clip.end_s - 1e-6) for f in range(*act.span)]
            points = poses.at(np.maximum(times, act.clip.start_s).tolist())
            away = np.linalg.norm(points - points[0], axis=2).mean(axis=1)
            first, second = (f - act.span[0] for f in OFTEN.sampled_frames if f in range(*act.span))
            assert first == 0 and away[second] >= FAR * away.max() and act.shown >= SHOWN
            assert away[-4] <= BACK * away.max()
            checked += 1
    assert checked > 6


def test_other_films_show_nothing_twice(library: AnimatedLibrary) -> None:
    for k in range(12):
        draft = draft_of(k, "again", library, replace(OFTEN, repeats=0.0))
        assert max(Counter(a.clip.verb for a in draft.acts).values()) == 1
        among = draft_of(k, "again", library, replace(OFTEN, stage="props"))
        assert max(Counter(a.clip.verb for a in among.acts).values()) == 1


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_how_often_something_is_repeated_is_a_share(share: float) -> None:
    with pytest.raises(InputError, match=r"repeats=.*expected 0 to 1"):
        Staging(repeats=share)
