"""The next version of a dataset, as people decided in a review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from fathom.english import rounded
from fathom.pages.names import number_of
from fathom.records import InputError, Question, Record, Verdict
from fathom.review.results import Results, Rule, consensus
from fathom.review.tasks.verify import KEEP, edited, proposals, verdicts
from fathom.store.amending import amended
from fathom.store.datasets import Dataset, open_dataset
from fathom.store.files import read_jsonl

ROUNDS = "rounds.jsonl"
"""Of a dataset that was reviewed: a line for each round, the first one first."""


class ReviewRound(Record, frozen=True, kw_only=True):
    """What one round of review came to: questions judged, kept and changed, those that went by reason."""

    judged: int
    kept: int
    changed: int
    gone: Mapping[str, int]
    rule: str
    at: str

    def words(self, number: int) -> str:
        """Return it as a sentence, the round's number first."""
        share = f" ({rounded(100 * self.kept / self.judged)} %)" if self.judged else ""
        why = ", ".join(f"{n} {label}" for label, n in sorted(self.gone.items()))
        return f"round {number}, {self.at[:10]}: {self.kept} of {self.judged} kept{share}" + (
            f"; {why}" if why else ""
        )


def next_version(
    source: Path, results: Results, out: Path, rule: Rule, inputs: Mapping[str, str], edits: bool
) -> str:
    """Write the dataset at `source` to `out` without what people rejected; return in lines what went and why.

    Args:
        source: the dataset that was reviewed.
        results: what people said of its questions.
        out: the new dataset's folder.
        rule: how many have to agree on a label.
        inputs: hashes of what it is made from, kept in the manifest.
        edits: take questions over as people worded them, where one wording alone was proposed.

    Raises:
        InputError: nothing would be left, or no question was judged to the end.
    """
    dataset = open_dataset(source)
    judged = ((results.items[name].about[0], said) for name, said in results.labels.items() if said)
    decided = {question: consensus(said.values(), rule) for question, said in judged}
    if not decided:
        raise InputError(f"{source}: no question was judged to the end yet; there is nothing to apply")
    gone = {name: label for name, label in decided.items() if label and label != KEEP}
    questions, changed = _left(dataset, gone, results if edits else None)
    if not questions:
        raise InputError(f"{source}: every question was rejected; nothing would be left")
    path = dataset.path / "verdicts.jsonl"
    before = list(read_jsonl(path, Verdict)) if path.is_file() else []
    note = f"people reviewed {number_of(len(decided), 'question')}; {len(gone)} went by the rule {rule}"
    path = dataset.path / ROUNDS
    rounds = list(read_jsonl(path, ReviewRound)) if path.is_file() else []
    rounds.append(
        ReviewRound(
            judged=len(decided),
            kept=len(decided) - len(gone),
            changed=changed,
            gone=Counter(gone.values()),
            rule=rule,
            at=max((e.at for e in results.entries), default=""),
        )
    )
    lines: dict[str, Sequence[Record]] = {"verdicts.jsonl": [*before, *verdicts(results)], ROUNDS: rounds}
    amended(dataset, out, questions, note, inputs, lines)
    words = [
        f"{out}: {number_of(len(questions), 'question')}; {len(gone)} went, {changed} changed",
        *(f"  {name}: {label}" for name, label in sorted(gone.items())),
        *(found.words(k) for k, found in enumerate(rounds, 1)),
    ]
    if undecided := sorted(name for name, label in decided.items() if not label):
        words.append(f"not agreed on, and kept: {', '.join(undecided)}")
    if begun := sorted(results.items[name].about[0] for name, said in results.labels.items() if not said):
        words.append(f"not judged to the end, and kept: {', '.join(begun)}")
    return "\n".join(words)


def _left(dataset: Dataset, gone: Mapping[str, str], worded: Results | None) -> tuple[list[Question], int]:
    """Return the questions that stay, and how many of them have another wording now."""
    proposed = proposals(worded) if worded else []
    counts = Counter(str(p["question"]) for p in proposed)
    single = {str(p["question"]): p for p in proposed if counts[str(p["question"])] == 1}
    questions, changed = [], 0
    for question in dataset.questions():
        new = edited(question, single[question.id]) if question.id in single else question
        if new != question:
            questions.append(new)
            changed += 1
        elif question.id not in gone:
            questions.append(question)
    return questions, changed
