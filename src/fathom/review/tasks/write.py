"""Write: people's own questions with options, about what is shown.

Ref: 4D-Bench §3.2; 3DSRBench §3.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.review.records import FormField, ReviewItem, ReviewStage, Values
from fathom.review.results import Results
from fathom.review.source import ReviewSource
from fathom.review.task import ReviewTask
from fathom.review.writing import write_lines

_STAGE = ReviewStage(
    name="write",
    title="Write a question",
    fields=(
        FormField(name="question", kind="text", title="Question", placeholder="to be answered by looking"),
        FormField(name="answer", kind="text", title="Right answer", rows=1),
        FormField(name="distractors", kind="lines", title="Wrong options, one a line", most=9),
        FormField(name="task", kind="choice", title="Task"),
        FormField(name="marks", kind="boxes", title="Mark what is meant, on the picture", needed=False),
        FormField(
            name="partner", kind="text", title="Where would the answer be another?", needed=False,
            placeholder="another picture or moment",
        ),
    ),
)  # fmt: skip


def items(source: ReviewSource) -> Iterator[ReviewItem]:
    """Yield every scene or picture once."""
    from fathom.review.records import FormChoice

    keys = "123456789"
    tasks = tuple(
        FormChoice(value=name, title=title, key=keys[k] if k < len(keys) else "")
        for k, (name, title) in enumerate(source.tasks.items())
    )
    seen: set[str] = set()
    for question in source.questions():
        name = question.scene or question.groups.cluster or ",".join(question.media)
        if name not in seen:
            seen.add(name)
            yield source.item(
                question, name=name, text="", options=(), title=name, about=question.media, choices=tasks,
                group="pictures",
            )  # fmt: skip


def _check(item: ReviewItem, values: Values) -> str:
    wrong = [str(t).strip() for t in values.get("distractors") or ()]
    options = [str(values.get("answer") or "").strip(), *wrong]
    if len(wrong) < 1:
        return "write at least one wrong option"
    if len({o.casefold() for o in options}) < len(options):
        return "write options that differ"
    return ""


def _label(said: Mapping[str, Mapping[str, Any]]) -> str:
    return "written" if said.get("write", {}).get("question") else ""


def write(results: Results, out: Path) -> Sequence[Path]:
    """Write questions.jsonl, which `fathom import jsonl` takes."""
    rows = []
    for name, by_person in results.said.items():
        for person, said in by_person.items():
            values = said.get("write", {})
            if not values:
                continue
            item = results.items[name]
            options = sorted(
                [str(values["answer"]).strip(), *(str(t).strip() for t in values["distractors"])]
            )
            row = {
                "id": f"{name} {person}", "question": values["question"], "options": options,
                "answer": str(values["answer"]).strip(), "task": values["task"], "images": list(item.about),
                "scene": name, "writer": person, "marks": values.get("marks") or [],
                "partner": values.get("partner") or "",
            }  # fmt: skip
            rows.append(row)
    return [write_lines(out / "questions.jsonl", rows)]


WRITE = ReviewTask(
    name="write",
    title="Write questions",
    guidelines=(
        "Ask about what can be seen, and only by looking: space, time, action, number, looks.",
        "Options should be of one kind and one length; exactly one is right.",
        "Do not ask what can be known without the picture.",
    ),
    stages=(_STAGE,),
    items=items,
    label=_label,
    write=write,
    check=_check,
    group_title="set",
)
