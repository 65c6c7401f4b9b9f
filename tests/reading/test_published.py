"""The published rules, their faults included: one case for each thing that they do."""

from __future__ import annotations

import pytest

from fathom.reading import POLICIES
from fathom.records import Question


def mark(policy: str, text: str, answer: str) -> tuple[str | None, str, float]:
    asked = Question(id="q", task="t", text="?", answer=answer)
    rule = POLICIES[policy]
    reading = rule.read(asked, text)
    return reading.picked, reading.how, rule.value(asked, reading)


@pytest.mark.parametrize(
    ("text", "answer", "picked", "how", "value"),
    [
        ("{'Reasoning': 'x', 'Answer': 'sedan'}", "sedan", "sedan", "single quotes", 1.0),
        ('{"Reasoning": "x", "Answer": "Sedan"}', "sedan", "Sedan", "double quotes", 1.0),
        ("{'Answer': 3}", "3", "3", "digit", 1.0),
        ("{'Answer': 10}", "10", "1", "digit", 0.0),  # one digit only
        ('{"Answer": 3}', "3", '{"Answer": 3}', "format error", 0.0),  # not after a double quote
        ("{'Answer': 'driver's bus'}", "bus", "driver", "single quotes", 0.0),  # cut at the apostrophe
        ("{'Answer': 'red'} {'Answer': 'blue'}", "blue", "red", "single quotes", 0.0),  # the first one
        ("{\"Answer\": \"red\"} {'Answer': 'blue'}", "blue", "blue", "single quotes", 1.0),  # order of rules
        ("Sedan", "sedan", "Sedan", "format error", 1.0),  # the whole text is the answer
        ("The answer is sedan", "sedan", "The answer is sedan", "format error", 0.0),
        ("{'Answer': 'None'}", "no", "None", "single quotes", 1.0),
        ("{'Answer': '0'}", "no", "0", "single quotes", 1.0),
        ("{'Answer': '7'}", "yes", "7", "single quotes", 1.0),
        ("{'Answer': '10'}", "yes", "10", "single quotes", 0.0),
        ("{'Answer': 'Three'}", "3", "Three", "single quotes", 1.0),
        ("{'Answer': 'school bus'}", "double bus", "school bus", "single quotes", 1.0),  # any bus
        ("{'Answer': 'bus'}", "double bus", "bus", "single quotes", 1.0),
        ("{'Answer': 'truck'}", "sedan", "truck", "single quotes", 1.0),
        ("{'Answer': 'double-decker bus'}", "double bus", "double-decker bus", "single quotes", 0.0),
        ("{'Answer': 'jet'}", "sedan", "jet", "single quotes", 0.0),
        ("", "no", "", "format error", 0.0),
    ],
)
def test_vlmevalkit(text: str, answer: str, picked: str, how: str, value: float) -> None:
    assert mark("vlmevalkit", text, answer) == (picked, how, value)


@pytest.mark.parametrize(
    ("text", "answer", "picked", "how", "value"),
    [
        ("{'Reasoning': 'x', 'Answer': 'Sedan'}", "sedan", "Sedan", "quotes", 1.0),
        ('{"Answer": "road bike"}', "road bike", "road bike", "quotes", 1.0),
        ("Answer: road bike", "road bike", "road", "first word", 0.0),  # the first word only
        ('{"Answer": 10}', "10", "10", "first word", 1.0),
        ("{'Answer': 'driver's bus'}", "bus", "driver", "quotes", 0.0),
        ("{'Answer': 'yes'}", "1", "yes", "quotes", 1.0),  # yes is one
        ("{'Answer': '1'}", "yes", "1", "quotes", 1.0),
        ("{'Answer': '0'}", "no", "0", "quotes", 1.0),
        ("{'Answer': 'False'}", "0", "False", "quotes", 1.0),
        ("{'Answer': '2'}", "yes", "2", "quotes", 0.0),
        ("{'Answer': '03'}", "3", "03", "quotes", 1.0),
        ("{'Answer': 'school bus'}", "double bus", "school bus", "quotes", 0.0),  # no leniency
        ("{'Answer': 'red'} {'Answer': 'blue'}", "blue", "red", "quotes", 0.0),
        ("  Sedan ", "sedan", "Sedan", "whole text", 1.0),
        ("{'Answer': '²'}", "2", "²", "quotes", 0.0),
    ],
)
def test_lmms_eval(text: str, answer: str, picked: str, how: str, value: float) -> None:
    assert mark("lmms-eval", text, answer) == (picked, how, value)


def test_the_three_policies_disagree_where_they_are_known_to() -> None:
    values = {
        name: [mark(name, text, answer)[2] for text, answer in cases]
        for name in POLICIES
        for cases in [
            [("{'Answer': 'school bus'}", "double bus"), ('{"Answer": 3}', "3"), ("Answer: yes", "1")]
        ]
    }
    assert values == {"fathom": [0, 1, 0], "vlmevalkit": [1, 0, 0], "lmms-eval": [0, 1, 1]}
