"""The published rules, their faults included: one case for each object that they do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fathom.records import Question
from tests.extractors import EXTRACTORS, OPEN


def mark(extractor: str, text: str, answer: str) -> tuple[str | None, str, float]:
    asked = Question(id="q", task="t", text="?", answer=answer)
    rule = EXTRACTORS[extractor]
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
def test_pulsecheck457_official(text: str, answer: str, picked: str, how: str, value: float) -> None:
    assert mark("pulsecheck457-official", text, answer) == (picked, how, value)
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
def test_lmms_eval_without_options(text: str, answer: str, picked: str, how: str, value: float) -> None:
    assert mark("lmms-eval", text, answer) == (picked, how, value)


def test_the_extractors_disagree_where_they_are_known_to() -> None:
    values = {
        name: [mark(name, text, answer)[2] for text, answer in cases]
        for name in OPEN
        for cases in [
            [("{'Answer': 'school bus'}", "double bus"), ('{"Answer": 3}', "3"), ("Answer: yes", "1")]
        ]
    }
    assert values == {
        "fathom": [0, 1, 0],
        "pulsecheck457-official": [1, 0, 0],
        "vlmevalkit": [1, 0, 0],
        "lmms-eval": [0, 1, 1],
    }


SPEEDS = ("0.11 m/s", "0.44m/s", "0.25 m/s", "1.0 m/s", "2.5 m/s")
PAIR = ("lamp", "cup")


def letter(extractor: str, text: str, choices: tuple[str, ...] = SPEEDS) -> tuple[str | None, str]:
    asked = Question(id="q", task="t", text="?", answer=choices[0], choices=choices)
    reading = EXTRACTORS[extractor].read(asked, text)
    return None if reading.picked is None else "ABCDE"[choices.index(reading.picked)], reading.how


@pytest.mark.parametrize(
    ("extractor", "text", "picked", "how"),
    [
        ("4d-bench-official", "Not (B). It is (C).", "B", "brackets"),  # the first, whatever is said of it
        ("4d-bench-official", "A man can be observed", "A", "alone"),
        ("4d-bench-official", "A man, so (D)", "D", "brackets"),
        ("4d-bench-official", "answer: B", "B", "alone"),
        ("4d-bench-official", "**B**", None, "none"),
        ("4d-bench-official", "(b)", None, "none"),
        ("4d-bench-official", "(E)", None, "none"),
        ("4d-bench-official-letter", "A man, so (D)", "A", "alone"),
        ("seed-bench-official", " B ", "B", "letter"),
        ("seed-bench-official", "b", "B", "letter"),
        ("seed-bench-official", "(B)", None, "none"),
        ("seed-bench-official", "", None, "none"),
        ("sti-bench-official", "(b)", "B", "brackets"),
        ("sti-bench-official", "Ans='C'", "C", "ans="),
        ("sti-bench-official", "Answer: between 1 and 2", "B", "answer:"),
        ("sti-bench-official", "The option chosen: D", "C", "option"),
        ("sti-bench-official", "I say b is correct", "B", "is correct"),
        ("sti-bench-official", "C.", "C", "end of line"),
        ("sti-bench-official", "I take E", "E", "last character"),
        ("sti-bench-official", "B. 0.44m/s", None, "none"),
        ("sti-bench-official", "A 0.3m", None, "none"),
        ("sti-bench-official", "", None, "none"),
        ("vlmevalkit", "B", "B", "sole letter"),
        ("vlmevalkit", "(B) 0.44m/s", "B", "sole letter"),
        ("vlmevalkit", "The answer is clearly D", "D", "sole letter"),
        ("vlmevalkit", "My answer is clearly option number four", "C", "answer is"),
        ("vlmevalkit", "answer is definitely A, and it is not at all B", "D", "answer is"),
        ("vlmevalkit", "It moves at 0.44M/S there", "B", "option's words"),
        ("vlmevalkit", "B is what I take, for reasons of my own and no other " * 2, None, "none"),
        ("vlmevalkit", "Cannot determine the answer", None, "refused"),
        ("vlmevalkit", "Failed to obtain answer via API B", None, "refused"),
        ("vlmevalkit", "Z", None, "refused"),
        ("3dsrbench-official", "The answer is clearly D", "D", "sole letter"),
        ("lmms-eval", "B. 0.44m/s", "B", "first character"),
        ("lmms-eval", "Because", "B", "first character"),
        ("lmms-eval", "The answer is B", None, "first character: no such option"),
        ("lmms-eval", "(B)", None, "none"),
        ("lmms-eval", "", None, "none"),
        ("lmms-eval-3dsrbench", "A car is nearer, so B", "A", "label"),
        ("lmms-eval-3dsrbench", "Here a car is nearer. Answer: B", "B", "answer"),
        ("lmms-eval-3dsrbench", "The answer is Definitely B", "D", "the answer is"),
        ("lmms-eval-3dsrbench", "Answer Cannot be given", "C", "answer"),
        ("lmms-eval-3dsrbench", "nearer (B)", "B", "brackets"),
        ("lmms-eval-3dsrbench", "nearer, B by a bit", "B", "alone"),
        ("lmms-eval-3dsrbench", "", None, "none"),
    ],
)
def test_published_rules_read_letters_with_all_their_faults(
    extractor: str, text: str, picked: str | None, how: str
) -> None:
    assert letter(extractor, text) == (picked, how)


def test_a_letter_that_no_option_has_is_not_picked() -> None:
    assert letter("4d-bench-official", "(C)", PAIR) == (None, "brackets: no such option")
    assert letter("lmms-eval-3dsrbench", "D", PAIR) == (None, "letter: no such option")
    assert letter("vlmevalkit", "answer is dim, the cup", ("the lamp", "the cup")) == ("B", "option's words")


def test_every_published_extraction_of_4d_bench_is_reproduced(samples_folder: Path) -> None:
    lines = (samples_folder / "model-outputs" / "4d-bench.jsonl").read_text().splitlines()
    asked = Question(id="q", task="t", text="?", answer="1", choices=("1", "2", "3", "4"))
    rows = [json.loads(line) for line in lines]
    extracted = [EXTRACTORS["4d-bench-official"].read(asked, row["output"]).picked for row in rows]
    assert len(rows) == 539
    assert [int(e or -1) for e in extracted] == [row["official_choice"] for row in rows]


def test_the_published_accuracy_of_gpt_4v_on_seed_bench_is_reproduced(samples_folder: Path) -> None:
    text = (samples_folder / "seed-bench" / "GPT-4V.json").read_text()
    rows = [json.loads(line.rstrip(", ")) for line in text.splitlines() if line.strip()]
    # Eight ids stand twice; the leaderboard's number is that of the later line.
    by_id = {row["question_id"]: row for row in rows}
    letters = ("A", "B", "C", "D")
    extractor = EXTRACTORS["seed-bench-official"]
    right: dict[str, list[float]] = {"image": [], "video": []}
    for name, row in by_id.items():
        answer = row["gt_answer"].strip()
        asked = Question(id=name, task="t", text="?", answer=answer, choices=letters)
        kind = "video" if name.startswith("v") else "image"
        right[kind].append(extractor.value(asked, extractor.read(asked, row["prediction"])))
    assert (len(rows), len(by_id)) == (17_997, 17_989)
    assert [round(100 * sum(r) / len(r), 2) for r in right.values()] == [69.07, 60.50]
    assert round(100 * sum(map(sum, right.values())) / len(by_id), 2) == 67.28
