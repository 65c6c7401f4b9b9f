"""What people said of a run's wrong answers: the file of their labels, and the share of each label.

    labels.jsonl    a line an answer and reviewer, as `fathom review RUN --task errors --export` writes it

A sample is drawn evenly from tasks and kinds of scene. `weight` is how many wrong answers of the run one
stands for; shares are over these. An answer that several people labelled still counts once.

Ref: STI-Bench §4.3, Figure 7.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np

from fathom.pages.charts import Cell
from fathom.records import ErrorLabel, InputError
from fathom.stats.intervals import clustered_wilson
from fathom.store.lines import read_numbered


class ErrorLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One wrong answer, and what one person said of it; `label` is empty where nobody has said anything."""

    question: str
    model: str
    task: str
    setting: str
    cluster: str
    weight: float
    text: str
    choices: list[str]
    answer: str
    picked: str
    reasoning: str
    span_s: list[float] = []
    label: str = ""
    reviewer: str = ""
    note: str = ""


@dataclass(frozen=True)
class Labelled:
    """What people said: each label's share of all wrong answers, by task and over all (task "").

    `labels` are those among which they chose, in the order in which they are shown.
    `agreement` is the share of pairs of reviewers of one answer who say the same, None without such pairs.
    """

    labels: Sequence[ErrorLabel]
    shares: Mapping[tuple[str, str], Cell]
    counts: Mapping[str, int]
    labelled: int
    unlabelled: int
    reviewers: tuple[str, ...]
    agreement: float | None


def read_labels(paths: Sequence[Path], labels: Sequence[ErrorLabel]) -> list[ErrorLine]:
    """Return the lines of one or more reviewers.

    Raises InputError with file and line for a label that there is not, and for files about different models.
    """
    names = [label.name for label in labels]
    found = []
    for path in paths:
        if not path.is_file():
            raise InputError(f"--labels {path}: expected labels that a review exported; there is no file")
        for number, line in read_numbered(path, ErrorLine):
            line.label = line.label.strip().casefold()
            if line.label and line.label not in names:
                raise InputError(
                    f"{path}:{number}: expected a label of {', '.join(names)}, found {line.label!r}; "
                    "correct it"
                )
            line.reviewer = line.reviewer.strip() or path.stem
            found.append(line)
    models = sorted({line.model for line in found})
    if len(models) > 1:
        raise InputError(f"--labels: are about {' and '.join(models)}; give the files of one model")
    return found


def shares_of(lines: Sequence[ErrorLine], labels: Sequence[ErrorLabel]) -> Labelled:
    """Return the share of every label, each with its 95 % interval clustered by scene.

    Raises InputError where nothing has a label yet.
    """
    of: defaultdict[str, list[ErrorLine]] = defaultdict(list)
    for line in lines:
        of[line.question].append(line)
    said = {name: [x for x in some if x.label] for name, some in of.items()}
    done = {name: some for name, some in said.items() if some}
    if not done:
        raise InputError("--labels: no line has a label yet; label some answers, and export the review again")
    names = [label.name for label in labels]
    shares: dict[tuple[str, str], Cell] = {}
    for task in ("", *dict.fromkeys(line.task for line in lines)):
        part = [some for some in done.values() if task in ("", some[0].task)]
        if part:
            shares |= {(task, label): cell for label, cell in _cells(part, names).items()}
    pairs = [a.label == b.label for some in done.values() for a, b in combinations(some, 2)]
    return Labelled(
        labels=labels,
        shares=shares,
        counts={label: sum(x.label == label for some in done.values() for x in some) for label in names},
        labelled=len(done),
        unlabelled=len(of) - len(done),
        reviewers=tuple(sorted({x.reviewer for some in done.values() for x in some})),
        agreement=sum(pairs) / len(pairs) if pairs else None,
    )


def _cells(answers: Sequence[Sequence[ErrorLine]], labels: Sequence[str]) -> dict[str, Cell]:
    """Return the weighted share of each label over answers, each of which one or more reviewers labelled.

    The interval is Wilson's, clustered by scene, of weights that are 1 in the mean.
    """
    scenes = sorted({some[0].cluster for some in answers})
    sums, sizes = np.zeros((len(labels), len(scenes))), np.zeros(len(scenes))
    mean = float(np.mean([some[0].weight for some in answers]))
    for some in answers:
        at = scenes.index(some[0].cluster)
        for line in some:
            sums[labels.index(line.label), at] += line.weight / mean / len(some)
        sizes[at] += some[0].weight / mean
    if len(scenes) < 2:
        low, high = np.zeros(len(labels)), np.ones(len(labels))
    else:
        low, high, _, _ = clustered_wilson(sums, sizes)
    values = sums.sum(axis=1) / sizes.sum()
    ends = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return {label: Cell(*cell, len(answers)) for label, cell in zip(labels, ends, strict=True)}
