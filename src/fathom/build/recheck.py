"""A dataset proved again: its files, every answer in both derivations, and the blind stress test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from fathom.build.pipeline import identity
from fathom.build.truth.evidence import witnesses
from fathom.build.truth.files import read_truth
from fathom.build.truth.second import derive
from fathom.pages.tables import Table, as_text, per_cent
from fathom.programs.engine import run
from fathom.programs.facts import facts_of
from fathom.programs.rules import rules_named
from fathom.records import DataError, Media, Question
from fathom.stats.blind import stress_test
from fathom.store.datasets import MEDIA, SCENES, TRUTH_FOLDER, Dataset
from fathom.store.files import read_jsonl

Progress = Callable[[str, int, int, str], None]


def recheck(dataset: Dataset, blind: bool, progress: Progress) -> tuple[str, bool]:
    """Return in words what was found, and whether all of it is well.

    Raises DataError for a file that was changed or does not validate.
    """
    dataset.verify()
    questions = list(dataset.questions())
    _check_identity(dataset, questions)
    for media in read_jsonl(dataset.path / MEDIA, Media):
        dataset.media_bytes(media.id)
    counts, wrong = _derived(dataset, questions, progress)
    columns = ("agree", "disagree", "cannot decide", "no scene to derive from")
    tasks = sorted({q.task for q in questions})
    text = as_text(
        Table(
            title=f"{dataset.path}: {len(questions)} questions, every file as it was made",
            columns=("task and derivation", *columns),
            rows=tuple(
                (f"{task}, {which}", *(str(counts[task, which, c]) for c in columns))
                for task in tasks
                for which in ("from the scene", "from the pixels")
            ),
            notes=tuple(wrong[:20]),
        )
    )
    passed = not wrong
    if blind:
        result = stress_test(questions)
        passed = passed and result.passed
        rows = tuple(
            (f.folds, per_cent(f.accuracy, 2), per_cent(f.chance, 2), f.verdict.replace("above", "ABOVE"))
            for f in result.folds
        )
        text += "\n" + as_text(
            Table(
                title="Blind stress test",
                columns=("held out", "guessed, %", "chance, %", ""),
                rows=rows,
            )
        )
    return text, passed


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
            counts[q.task, which, "no scene to derive from"] += 1
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
