"""Wrong answers for people to say why they are wrong: a sample of a run, its file, and what they said.

    WORK/errors.jsonl   a line an answer; `label` and `reviewer` are to be filled in
    WORK/errors.html    the same as a page, on which labels are chosen with a click and saved as such a file

The sample is stratified by task and kind of scene: each has as many as the others where it has so many wrong
answers, so that rare kinds are looked at as well. `weight` is how many wrong answers of the run one stands
for; shares are over these. A second reviewer fills in a file of their own; an answer still counts once.

Ref: STI-Bench §4.3, Figure 7.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np

from fathom.extraction.numeric_answers import is_measured
from fathom.pages.charts import Cell
from fathom.records import ErrorLabel, InputError, Question, Response, SampleScore
from fathom.stats.intervals import clustered_wilson
from fathom.store.files import write_bytes
from fathom.store.lines import read_numbered
from fathom.store.seeds import rng

FILE, PAGE = "errors.jsonl", "errors.html"


class ErrorLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One wrong answer; what people fill in stands there empty."""

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


def sample_errors(
    questions: Sequence[Question],
    sample_scores: Sequence[SampleScore],
    responses: Mapping[str, Response],
    setting_of: Callable[[Question], str],
    model: str,
    wanted: int,
    seed: str,
) -> list[ErrorLine]:
    """Return about `wanted` wrong answers that were read, evenly from each task and kind of scene.

    What was refused, failed or could not be read is no error of reasoning and is left out, and so are
    captions and numbers, which are neither right nor wrong. Raises InputError where there is no wrong answer.
    """
    of = {q.id: q for q in questions}
    first: dict[str, SampleScore] = {}
    for sample_score in sample_scores:
        first.setdefault(sample_score.question, sample_score)
    strata: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, sample_score in sorted(first.items()):
        if (
            sample_score.status == "ok"
            and sample_score.picked is not None
            and sample_score.value < 1
            and _is_judged(of[name])
        ):
            strata[of[name].task, setting_of(of[name])].append(name)
    if not strata:
        raise InputError(f"{model}: has no wrong answer that was read; there is nothing to label")
    shares = _shared_out({key: len(names) for key, names in strata.items()}, wanted)
    lines = []
    for (task, setting), names in sorted(strata.items()):
        order = rng(seed, "errors to label", model, task, setting).permutation(len(names))
        for k in order[: shares[task, setting]]:
            weight = len(names) / shares[task, setting]
            lines.append(
                _line(of[names[k]], first[names[k]], responses.get(names[k]), setting, model, weight)
            )
    return lines


def _is_judged(question: Question) -> bool:
    return not question.references and not is_measured(question)


def _shared_out(sizes: Mapping[tuple[str, str], int], wanted: int) -> dict[tuple[str, str], int]:
    """Return how many of each stratum are taken: as many of each as it has, filled up evenly."""
    taken = dict.fromkeys(sizes, 0)
    left = min(wanted, sum(sizes.values()))
    while left:
        open_ones = [key for key in sorted(sizes) if taken[key] < sizes[key]]
        for key in open_ones[:left] if left < len(open_ones) else open_ones:
            taken[key] += 1
            left -= 1
    return taken


def _line(
    question: Question,
    sample_score: SampleScore,
    response: Response | None,
    setting: str,
    model: str,
    weight: float,
) -> ErrorLine:
    return ErrorLine(
        question=question.id,
        model=model,
        task=question.task,
        setting=setting,
        cluster=question.groups.cluster or question.scene or question.id,
        weight=round(weight, 6),
        text=question.text,
        choices=list(question.choices),
        answer=question.answer,
        picked=sample_score.picked or "",
        reasoning=response.text if response else "",
        span_s=list(question.span_s or ()),
    )


def write_errors(path: Path, lines: Sequence[ErrorLine]) -> Path:
    """Write a sample of wrong answers. Raises InputError where people have labelled the file already."""
    if path.exists():
        done = sum(bool(line.label) for _, line in read_numbered(path, ErrorLine))
        if done:
            raise InputError(
                f"{path}: holds {done} labels already; read them with --labels, or give another folder "
                "with --out"
            )
    encoder = msgspec.json.Encoder()
    write_bytes(path, b"".join(encoder.encode(line) + b"\n" for line in lines))
    return path


def read_labels(paths: Sequence[Path], labels: Sequence[ErrorLabel]) -> list[ErrorLine]:
    """Return the lines of one or more reviewers.

    Raises InputError with file and line for a label that there is not, and for files about different models.
    """
    names = [label.name for label in labels]
    found = []
    for path in paths:
        if not path.is_file():
            raise InputError(f"--labels {path}: expected a file that the page saved, but there is none")
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
        raise InputError("--labels: no line has a label yet; fill in `label`, or save the page's labels")
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
