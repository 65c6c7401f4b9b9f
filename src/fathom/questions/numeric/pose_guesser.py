"""Guessing poses from how cameras are usually carried, without looking.

usual pose    of simple rules the one that was right most often on other scenes of the same setting:
              stays at its height; turns as much as it goes aside, or leans; has gone so far, or turned so
              much, in so many seconds; is the nearest, the second nearest ... of the five
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.error_sampling import POINTS, Floats
from fathom.records import Question
from fathom.store.seeds import rng

FOLDS = 5
SHARES = np.linspace(0.04, 0.96, 24)
"""A rule that needs a rate is tried with so many of those that the options themselves have."""

_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")
PARTS = 6


def is_pose(question: Question) -> bool:
    """Return whether a question asks for the camera's pose, in angles, at a time."""
    steps = question.program or ()
    return bool(steps) and steps[-1].op == "camera_pose" and steps[0].op == "at" and all(
        len(_NUMBER.findall(c)) == PARTS for c in question.choices
    )  # fmt: skip


def usual_poses(questions: Sequence[Question], clusters: Sequence[str]) -> list[Floats]:
    """Return for each of the questions about poses how much each option is liked, (5,): by the rule that does
    best on questions of the same setting about other clusters.
    """
    numbers = np.array([[_numbers(c) for c in q.choices] for q in questions])
    times = np.array([float((q.program or ())[0].args[0]) for q in questions])
    right = np.array([q.choices.index(q.answer) for q in questions])
    settings = np.array([q.tags.get("setting", "") for q in questions])
    folds = _folds(clusters)
    out = [np.zeros(POINTS)] * len(questions)
    for setting in sorted(set(settings.tolist())):
        own = np.flatnonzero(settings == setting)
        scores = np.stack([*_rules(numbers[own], times[own])])
        best = scores >= scores.max(axis=2, keepdims=True) - 1e-9
        worth = best[:, np.arange(len(own)), right[own]] / best.sum(axis=2)
        for fold in np.unique(folds[own]):
            here = folds[own] == fold
            rule = int(worth[:, ~here].mean(axis=1).argmax()) if (~here).any() else 0
            for k in np.flatnonzero(here):
                out[own[k]] = scores[rule, k]
    return out


def _rules(numbers: Floats, times: Floats) -> Iterator[Floats]:
    """Yield how much each rule likes each of the options (n, 5)."""
    x, y, z, yaw, _, roll = np.moveaxis(numbers, 2, 0)
    far = np.linalg.norm(numbers[..., :3], axis=2)
    half = np.radians(np.clip(np.abs(yaw), 1e-3, 300.0)) / 2
    # As far along a bend as it takes to turn so much on the way there.
    bend = far * half / np.maximum(np.sin(half), 0.1)
    seconds = times[:, None]
    yield -np.abs(y)
    for told, by in (
        (yaw, x),
        (yaw, roll),
        (far, seconds),
        (bend, seconds),
        (z, seconds),
        (np.abs(yaw), seconds),
    ):
        rates = told / np.where(np.abs(by) > 1e-3, by, 1e-3)
        for rate in np.quantile(rates, SHARES):
            yield -np.abs(told - rate * by)
    for told in (far, np.abs(yaw), z):
        places = told.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        for k in range(POINTS):
            yield (places == k).astype(np.float64)


def _numbers(choice: str) -> list[float]:
    return [float(x.replace("−", "-")) for x in _NUMBER.findall(choice)]


def _folds(clusters: Sequence[str]) -> NDArray[np.intp]:
    """Return in which of the parts each cluster is left out."""
    names = sorted(set(clusters))
    order = rng("folds of scenes", *names[:1], len(names)).permutation(len(names))
    part = {name: int(order[i] % FOLDS) for i, name in enumerate(names)}
    return np.array([part[c] for c in clusters], dtype=np.intp)
