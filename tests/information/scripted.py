"""Plain functions as writer, blind readers and people of questions about pictures."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable

import msgspec

from fathom.authoring.information.record import VisualInformation
from fathom.benchmarks.seedbench.authoring.review import AnnotationLine
from fathom.english import plural
from fathom.inference.models.function import QuestionView

COLORS = ("red", "blue", "green", "yellow", "white", "black", "brown", "gray", "orange", "purple")
ABSENT = ("submarine", "penguin", "piano", "volcano")
IDENTITY = "Which of these can be seen here?"
COUNT = "How many {} are there?"
COLOR = "What color does the {} have?"

_LISTED = re.compile(r"^- (.+?): \[[^\]]*\](?:: (.*))?$", re.MULTILINE)


def writer(question: QuestionView) -> str:
    """Write questions of the dimension in the request's name, from what the prompt tells of the picture."""
    head, _, described = question.prompt.partition("Attributes (class: box: attributes):")
    labels = [label for label, _ in _LISTED.findall(head.partition("Objects (class: box):")[2])]
    colors = {
        label: said for label, said in _LISTED.findall(described.partition("Regions")[0]) if said in COLORS
    }
    counts = Counter(labels)
    if question.id.endswith("instance_identity"):
        made = [_entry(IDENTITY, [labels[0], *ABSENT[:3]], labels[0])]
    elif question.id.endswith("instances_counting"):
        made = [_counted(label, n) for label, n in counts.items()][:2]
    else:
        alone = next(label for label in colors if counts[label] == 1)
        others = [c for c in COLORS if c != colors[alone]]
        made = [_entry(COLOR.format(alone), [colors[alone], *others[:3]], colors[alone])]
    return json.dumps({"questions": made})


def _counted(label: str, n: int) -> dict[str, object]:
    first = max(1, n - 1)
    return _entry(COUNT.format(plural(label)), [str(first + k) for k in range(4)], str(n))


def _entry(text: str, choices: list[str], answer: str) -> dict[str, object]:
    return {"question": text, "choices": choices, "answer": answer}


def reader(letter: str) -> Callable[[QuestionView], str]:
    """Return a reader that takes everything to be there once, and else says a letter of its own."""

    def guess(question: QuestionView) -> str:
        options = re.findall(r"^\(?([A-D])[).] *(.*)$", question.prompt, re.MULTILINE)
        once = next((k for k, text in options if text.strip() == "1"), "")
        return f"({once or letter})" if "How many" in question.prompt else f"({letter})"

    guess.__name__ = f"reader_{letter}"
    return guess


def looked(line: AnnotationLine, truth: VisualInformation) -> None:
    """Fill in a line as somebody would who sees the picture."""
    counts = Counter(i.label for i in truth.instances)
    if line.text == IDENTITY:
        right = [c for c in line.choices if c in counts]
    elif line.text.startswith("How many"):
        right = [str(n) for label, n in counts.items() if line.text == COUNT.format(plural(label))]
    else:
        right = [
            i.attributes.get("color", "")
            for i in truth.instances
            if line.text == COLOR.format(i.label) and counts[i.label] == 1
        ]
    right = [answer for answer in right if answer in line.choices]
    line.reviewer = "ana"
    line.decision = "keep" if len(right) == 1 else "reject"
    line.answer_given, line.reason = (right[0], "") if len(right) == 1 else ("", "cannot be answered")


def filled(data: bytes, truths: dict[str, VisualInformation]) -> bytes:
    """Return a review file with every line filled in; the name of a picture begins that of its questions."""
    lines = []
    for raw in data.splitlines():
        line = msgspec.json.decode(raw, type=AnnotationLine)
        looked(line, truths[line.picture.rpartition("/")[2].removesuffix(".png")])
        lines.append(msgspec.json.encode(line) + b"\n")
    return b"".join(lines)
