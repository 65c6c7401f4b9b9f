"""Compare: which of two captions, or of two descriptions, of the same object is better?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import write_table
from fathom.store.seeds import rng

FIRST, SECOND, SAME = "first", "second", "same"

_STAGE = ReviewStage(
    name="compare",
    title="Which is better?",
    fields=(
        FormField(
            name="better", kind="choice", title="Better",
            choices=(
                FormChoice(value=FIRST, title="The first", key="1"),
                FormChoice(value=SECOND, title="The second", key="2"),
                FormChoice(value=SAME, title="Equally good", key="3"),
            ),
        ),
        FormField(name="reason", kind="text", title="Why", needed=False),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every pair of captions of an object, which of the two stands first drawn by chance."""
    for question in source.questions():
        for a, b in combinations(range(len(question.references)), 2):
            name = f"{question.id} captions {a + 1} and {b + 1}"
            first, second = (b, a) if rng("0", "which caption stands first", name).random() < 0.5 else (a, b)
            yield source.item(
                question, name=name, text="", options=(), title="Two captions",
                facts={"First": question.references[first], "Second": question.references[second]},
                about=(f"{question.id}#{first + 1}", f"{question.id}#{second + 1}"),
            )  # fmt: skip


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return str(said.get("compare", {}).get("better", ""))


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write preferences.csv: the two captions, the person, and which is better ("" where they are alike)."""
    rows = []
    for name, by_person in results.labels.items():
        first, second = results.items[name].about
        better = {FIRST: first, SECOND: second, SAME: ""}
        rows += [(first, second, person, better[label]) for person, label in by_person.items()]
    return [write_table(out / "preferences.csv", ("first", "second", "person", "better"), rows)]


COMPARE = ReviewTask(
    name="compare",
    title="Compare captions",
    guidelines=("Choose the caption that is truer and says more of what can be seen.",),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
)


def described(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every two descriptions of an object that is marked, which stands first drawn by chance."""
    for pair in source.described():
        name = " and ".join(d.question.id for d in pair)
        turned = rng("0", "which description stands first", name).random() < 0.5
        first, second = pair[::-1] if turned else pair
        yield source.item(
            first.question, name=name, text="", options=(), title="Which words fit what is marked better?",
            facts={"First": first.question.text, "Second": second.question.text}, pictures=first.pictures,
            clips=first.clips, outlined={0: first.outlined} if first.outlined else {},
            about=(first.question.id, second.question.id), group="descriptions",
        )  # fmt: skip


DESCRIPTIONS = replace(
    COMPARE,
    name="descriptions",
    title="Compare descriptions",
    guidelines=(
        "Choose the words by which somebody else would find what is marked sooner, and nothing else.",
    ),
    items=described,
    source="work",
)
