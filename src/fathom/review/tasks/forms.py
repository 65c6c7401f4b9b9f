"""Forms: people write questions in the forms of a benchmark, naming in their own words what they are about.

Each picture is shown with each form. Who writes can see which questions still want a partner: the same
question about another picture, with another answer.

Ref: 3DSRBench §3.1, §3.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fathom.review.records import FormChoice, FormField, ReviewItem, ReviewStage, Values
from fathom.review.results import Results, ReviewTable
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import write_lines
from fathom.store.seeds import short_hash

NOTHING = "nothing to ask"
LETTERS = ("A", "B", "C")
FORM = "Form"

_STAGE = ReviewStage(
    name="write",
    title="Write a question",
    fields=(
        *(
            FormField(
                name=letter, kind="text", title=f"{letter} is", rows=1, needed=False, left_out="",
                placeholder="the cup on the shelf",
            )
            for letter in LETTERS
        ),
        FormField(name="picked", kind="option", title="The right answer", needed=False),
        FormField(
            name="skip", kind="choice", title="", needed=False,
            choices=(FormChoice(value=NOTHING, title="Nothing to ask here in this form", key="x"),),
        ),
        FormField(name="marks", kind="boxes", title="Mark what is meant, on the picture", needed=False),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every picture with every form; none where the benchmark has no forms."""
    seen: set[tuple[str, ...]] = set()
    for question in source.questions():
        if question.media in seen:
            continue
        seen.add(question.media)
        for form in source.forms:
            yield source.item(
                question, name=f"{','.join(question.media)} · {form.task}", group=form.task, title=form.title,
                text=form.text, options=form.options, about=question.media, offered=source.offered(question),
                without=tuple(letter for letter in LETTERS if letter not in form.letters),
            )  # fmt: skip


@dataclass(frozen=True)
class FormQuestion:
    """A question as somebody wrote it; `named` are the words for A, B and C."""

    item: ReviewItem
    person: str
    named: tuple[str, ...]
    answer: str
    marks: Sequence[Any] = ()

    @property
    def text(self) -> str:
        """The question in words."""
        return _filled(self.item.text, self.named)

    @property
    def options(self) -> tuple[str, ...]:
        """Its options in words."""
        return tuple(_filled(option, self.named) for option in self.item.options)

    @property
    def asked(self) -> tuple[str, ...]:
        """What is the same in a partner: the form, and what the words name."""
        return (self.item.group, *(" ".join(word.casefold().split()) for word in self.named))


def _filled(text: str, named: Sequence[str]) -> str:
    """Put words for the letters that stand alone."""
    words = dict(zip(LETTERS, named, strict=False))
    return " ".join(
        words.get(core, core) + part[len(core) :]
        for part in text.split(" ")
        if (core := part.rstrip(",.:?")) or part
    )


def questions_of(results: Results) -> list[FormQuestion]:
    """Return the questions that were written, in the order of the items."""
    return [
        FormQuestion(
            item,
            person,
            tuple(str(values[letter]).strip() for letter in LETTERS if letter in values),
            str(values["picked"]),
            values.get("marks") or (),
        )
        for name, item in results.items.items()
        for person, said in results.said.get(name, {}).items()
        if (values := said.get(_STAGE.name, {})).get("picked")
    ]


def alone(questions: Sequence[FormQuestion]) -> list[FormQuestion]:
    """Return the questions without a partner: the same words about another picture, another answer."""
    answers: dict[tuple[str, ...], set[tuple[tuple[str, ...], str]]] = {}
    for question in questions:
        answers.setdefault(question.asked, set()).add((question.item.about, question.answer))
    return [
        q
        for q in questions
        if not any(about != q.item.about and answer != q.answer for about, answer in answers[q.asked])
    ]


def partners(questions: Sequence[FormQuestion]) -> dict[int, str]:
    """Return what each pair of partners is called, by the places of its two questions; nobody has two
    partners, and who is written first has the first choice.
    """
    found: dict[int, str] = {}
    for k, one in enumerate(questions):
        for i, other in enumerate(questions[:k]):
            differ = other.item.about != one.item.about and other.answer != one.answer
            if i not in found and other.asked == one.asked and differ:
                found[i] = found[k] = short_hash("pair", _id(other), _id(one), length=8)
                break
    return found


def _id(question: FormQuestion) -> str:
    return short_hash(question.item.name, question.person, length=8)


def tables(results: Results) -> tuple[ReviewTable, ...]:
    """Return how evenly answers fall, by form and by person, and which questions want a partner."""
    written = questions_of(results)
    single = alone(written)
    wanting = Counter(q.item.group for q in single)
    by_form: dict[str, list[FormQuestion]] = {}
    by_person: dict[str, list[FormQuestion]] = {}
    for q in written:
        by_form.setdefault(q.item.group, []).append(q)
        by_person.setdefault(q.person, []).append(q)
    return (
        ReviewTable(
            "Balance by form",
            ("form", "questions", "answers", "without a partner"),
            tuple((form, len(of), _spread(of), wanting[form]) for form, of in by_form.items()),
        ),
        ReviewTable(
            "Balance by person",
            ("person", "questions", "first option", "forms"),
            tuple(
                (person, len(of), _first_share(of), len({q.item.group for q in of}))
                for person, of in by_person.items()
            ),
        ),
        ReviewTable(
            "Partners wanted: the same question about another picture, with another answer",
            ("question", "answer so far", "picture"),
            tuple((q.text, _filled(q.answer, q.named), ", ".join(q.item.about)) for q in single),
        ),
    )


def _spread(questions: Sequence[FormQuestion]) -> str:
    counts = Counter(q.answer for q in questions)
    return ", ".join(f"{option} {counts[option]}" for option in questions[0].item.options)


def _first_share(questions: Sequence[FormQuestion]) -> float:
    return sum(q.answer == q.item.options[0] for q in questions) / len(questions)


def wanted(results: Results, item: ReviewItem) -> list[str]:
    """Return the questions in an item's form that want a partner, of other pictures, as lines."""
    return [
        f"{q.text} So far: {_filled(q.answer, q.named)}."
        for q in alone(questions_of(results))
        if q.item.group == item.group and q.item.about != item.about
    ]


def _check(item: ReviewItem, values: Values) -> str:
    if "skip" in values:
        return ""
    if "picked" not in values:
        return f"choose the right answer, or say that there is {NOTHING}"
    letters = [letter for letter in LETTERS if letter not in item.without]
    if missing := next((letter for letter in letters if not values.get(letter)), ""):
        return f"say in words what {missing} is"
    if len({str(values[letter]).strip().casefold() for letter in letters}) < len(letters):
        return "name different objects"
    return ""


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    values = said.get(_STAGE.name, {})
    return "written" if values.get("picked") else NOTHING if values else ""


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write questions.jsonl as a table with the columns of multiple choice: index, question, A …, answer; two
    partners have the same pair.
    """
    rows, written = [], questions_of(results)
    paired = partners(written)
    for k, q in enumerate(written):
        options = q.options
        rows.append(
            {
                "index": _id(q), "pair": paired.get(k, ""), "question": q.text,
                **{"ABCDEFGH"[n]: option for n, option in enumerate(options)},
                "answer": "ABCDEFGH"[q.item.options.index(q.answer)], "category": q.item.group,
                "image_source": "photographs", "image_url": q.item.about[0], "writer": q.person,
                "marks": list(q.marks),
            }
        )  # fmt: skip
    return [write_lines(out / "questions.jsonl", rows)]


FORMS = ReviewTask(
    name="forms",
    title="Write questions",
    guidelines=(
        "Say in words what A, B and C are, so that everybody finds them; parts of objects are fine.",
        "The answer should take thinking about space: distances that are close, yet clear to everybody.",
        "Nothing should tell the answer without the picture.",
        "Write as many questions with each answer.",
        "Partners are wanted: the same question about another picture, where the answer is another.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    check=_check,
    group_title="form",
    tables=tables,
    wanted=wanted,
)
