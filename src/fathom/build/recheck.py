"""A dataset proved again: its files, every answer in both derivations, and the blind stress test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from fathom.build.folders import identity
from fathom.build.truth.evidence import witnesses
from fathom.build.truth.files import read_truth
from fathom.build.truth.second import derive
from fathom.pages.tables import Table, as_text, per_cent
from fathom.programs.engine import run
from fathom.programs.facts import facts_of
from fathom.programs.rules import rules_named
from fathom.records import DataError, Media, Question, Verdict
from fathom.stats.blind import BlindResult, FoldResult, stress_test
from fathom.stats.pruning import VERSION, prune, wanted
from fathom.store.datasets import MEDIA, SCENES, TRUTH_FOLDER, Dataset, has_film
from fathom.store.files import read_jsonl, sha256_file, write_jsonl

NO_SCENE = "no scene to derive from"
VERDICTS = "verdicts.jsonl"
PRUNER = f"fathom check --prune, version {VERSION}"
"""Who rejects: what it said before is replaced, what others said stays."""

Progress = Callable[[str, int, int, str], None]


def recheck(dataset: Dataset, blind: bool, progress: Progress, prune_by: str = "") -> tuple[str, bool]:
    """Return in words what was found, and whether all of it is well.

    `prune_by` says how many of the most guessable questions are to be rejected (50, 10%): their verdicts are
    written. Raises DataError for a file that was changed or does not validate.
    """
    dataset.verify()
    questions = list(dataset.questions())
    _check_identity(dataset, questions)
    _check_media(dataset, progress)
    counts, wrong = _derived(dataset, questions, progress)
    title = f"{dataset.path}: {len(questions)} questions, every file as it was made"
    text = as_text(_derived_table(title, questions, counts, wrong))
    passed = not wrong
    if prune_by:
        found = _pruned(dataset, questions, prune_by, progress)
        return f"{text}\n{found}", passed
    if blind:
        result = stress_test(questions)
        passed = passed and result.passed
        text += "\n" + _blind_text(result)
    return text, passed


def _derived_table(
    title: str, questions: list[Question], counts: Counter[tuple[str, str, str]], wrong: list[str]
) -> Table:
    tasks = sorted({q.task for q in questions})
    if not any(q.program for q in questions):
        rows = tuple((task, str(counts[task, "from the scene", NO_SCENE])) for task in tasks)
        return Table(title, ("task", NO_SCENE), rows)
    columns = ("agree", "disagree", "cannot decide", NO_SCENE)
    return Table(
        title=title,
        columns=("task and derivation", *columns),
        rows=tuple(
            (f"{task}, {which}", *(str(counts[task, which, c]) for c in columns))
            for task in tasks
            for which in ("from the scene", "from the pixels")
        ),
        notes=tuple(wrong[:20]),
    )


def _blind_text(result: BlindResult) -> str:
    notes = []
    if not result.n:
        notes.append("no question has two or more possible answers to guess among")
    elif result.untested:
        notes.append(f"{result.untested:,} questions without options or possible answers were left out")
    return as_text(
        Table(
            title="Blind stress test",
            columns=("held out", "guessed, %", "chance, %", ""),
            rows=tuple(_blind_row(f) for f in result.folds),
            notes=tuple(notes),
        )
    )


def _blind_row(found: FoldResult) -> tuple[str, ...]:
    verdict = found.verdict.replace("above", "ABOVE")
    return (found.folds, per_cent(found.accuracy, 2), per_cent(found.chance, 2), verdict)


def _pruned(dataset: Dataset, questions: list[Question], text: str, progress: Progress) -> str:
    """Return what pruning did; the rejects stand in verdicts.jsonl, beside what others said before."""
    number = wanted(text, len(questions))
    found = prune(questions, number, progress=lambda done, total: progress("pruning", done, total, ""))
    path = dataset.path / VERDICTS
    kept = [v for v in read_jsonl(path, Verdict) if v.reviewer != PRUNER] if path.exists() else []
    verdicts = [
        Verdict(
            question=p.question,
            reviewer=PRUNER,
            decision="reject",
            reason=f"guessed blind: bias score {p.bias:+.3f} in round {p.round} of {found.rounds} (iterative "
            "pruning with a random forest on what is not visual, held out at random and by scene)",
        )
        for p in found.pruned
    ]
    write_jsonl(path, [*kept, *verdicts])
    after = {f.folds: f for f in found.after.folds}
    rows = tuple(
        (*_blind_row(f), per_cent(after[f.folds].accuracy, 2), per_cent(after[f.folds].chance, 2),
         after[f.folds].verdict.replace("above", "ABOVE"))
        for f in found.before.folds
        if f.folds in after
    )  # fmt: skip
    short = len(found.pruned) < number
    return as_text(
        Table(
            title=f"Blind stress test, before and after {len(found.pruned):,} of {len(questions):,} "
            f"questions are rejected in {found.rounds} rounds",
            columns=("held out", "guessed, %", "chance, %", "", "then, %", "chance, %", ""),
            rows=rows,
            notes=(
                *(("no other question is guessed better than by chance",) if short else ()),
                "questions that are left were chosen by the same forest: a new one will guess some of them",
                f"verdicts: {path}",
            ),
        )
    )


def _check_media(dataset: Dataset, progress: Progress) -> None:
    """Raise DataError where a medium is missing or was changed; files are read piece by piece."""
    listed = list(read_jsonl(dataset.path / MEDIA, Media))
    for done, media in enumerate(listed, 1):
        for number in media.stills:
            dataset.still_bytes(media.id, number)
        path = dataset.media_path(media)
        if has_film(media) and (not path.is_file() or sha256_file(path) != media.sha256):
            dataset.media_bytes(media.id)  # says which of the two it is
        progress("media", done, len(listed), "")


def _check_identity(dataset: Dataset, questions: list[Question]) -> None:
    """Raise DataError where a built dataset is no longer the one that its manifest names."""
    manifest = dataset.manifest
    if manifest.command != "build":
        return
    truth = {name: h for name, h in manifest.files.items() if name.startswith(f"{TRUTH_FOLDER}/")}
    found = identity(manifest.files.get(SCENES, ""), questions, truth)
    if found != manifest.identity:
        raise DataError(
            f"{dataset.path}: its scenes, truth and questions are not those of the dataset that the manifest "
            f"names ({manifest.identity[:12]}… expected, {found[:12]}… found); restore or rebuild the folder"
        )


def _derived(
    dataset: Dataset, questions: list[Question], progress: Progress
) -> tuple[Counter[tuple[str, str, str]], list[str]]:
    counts: Counter[tuple[str, str, str]] = Counter()
    wrong: list[str] = []
    by_scene: dict[str, list[Question]] = defaultdict(list)
    for q in questions:
        by_scene[q.scene if q.program else ""].append(q)
    for q in by_scene.pop("", []):
        for which in ("from the scene", "from the pixels"):
            counts[q.task, which, NO_SCENE] += 1
    for done, (name, asked) in enumerate(by_scene.items(), 1):
        scene = dataset.scene(name)
        rules = asked[0].source.removeprefix("rules=")
        facts = facts_of(scene, rules_named(rules))
        seen = witnesses(read_truth(dataset.truth_path(scene)))
        for q in asked:
            answers = {
                "from the scene": run(q.program, facts).answer or "",
                "from the pixels": derive(q.program, scene, seen, rules),
            }
            for which, answer in answers.items():
                verdict = "cannot decide" if answer is None else "agree" if answer == q.answer else "disagree"
                counts[q.task, which, verdict] += 1
                if verdict == "disagree":
                    wrong.append(f"{q.id}: the answer is {q.answer!r}, and {answer!r} {which}")
        progress("checking", done, len(by_scene), f"{len(wrong)} wrong" if wrong else "")
    return counts, wrong
