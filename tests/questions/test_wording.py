"""Descriptions and sentences in good English, whoever is speaking."""

from __future__ import annotations

import re
from functools import cache

import pytest

from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.benchmarks.pulsecheck457.tasks import AMOUNTS, TASKS, VOCABULARY, WORDINGS, templates
from fathom.english import article, plural
from fathom.programs.values import Scenes
from fathom.questions.template_files import check_templates
from fathom.questions.templates import Template
from fathom.questions.wording import described
from fathom.records import InputError, Question
from tests.questions.asked import make_questions
from tests.questions.synthetic import UNIT, random_scene


@cache
def questions() -> list[Question]:
    return make_questions([random_scene("english", k) for k in range(40)], recipe("english"))[0]


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("bus", "buses"),
        ("school bus", "school buses"),
        ("suv", "suvs"),
        ("tandem bike", "tandem bikes"),
        ("object", "objects"),
        ("lorry", "lorries"),
        ("toy", "toys"),
        ("police woman", "police women"),
    ],
)
def test_plurals(one: str, many: str) -> None:
    assert plural(one) == many


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("suv", "an"),
        ("utility bike", "a"),
        ("airliner", "an"),
        ("articulated bus", "an"),
        ("large suv", "a"),
        ("object", "an"),
    ],
)
def test_articles_follow_the_sound(words: str, wanted: str) -> None:
    assert article(words) == wanted


def test_descriptions_put_size_before_color_before_shape() -> None:
    assert described(("large", "red", "suv")) == "large red suv"
    assert described(("", "blue", ""), many=True) == "blue objects"


def test_every_question_is_one_clean_sentence() -> None:
    for q in questions():
        assert q.text[0].isupper() and q.text.endswith("?") and q.text.count("?") == 1
        assert not re.search(r"  |[{}_]| ,|\b(\w+) \1\b", q.text), q.text
        assert not re.search(r"\ba [aeio]|\ba suv|\ban utility|buss\b|buss |busess", q.text), q.text
        assert "other other" not in q.text


def test_nothing_is_compared_by_than_with_another_than_in_it() -> None:
    told = [q for q in questions() if q.program[-1].op in ("greater_than", "less_than", "equal_integer")]
    assert told
    for q in told:
        assert not re.search(r"\b(more|fewer|as many)\b.*\b(than|as)\b", q.text), q.text
    for t in templates():
        for text in t.texts:
            assert "{r}" not in text or not re.search(r"\bthan\b", text), text


def test_questions_say_whose_left_is_meant() -> None:
    for q in questions():
        if q.task == "L3_2d_spatial":
            assert "camera" in q.text
        if q.task == "L5_6d_spatial":
            assert "each object" in q.text and re.search("half of the ground|the ground into halves", q.text)
        if re.search(r"\b(left|right)\b(?! angle)", q.text):
            assert re.search("camera|picture|each object", q.text), q.text


def test_wordings_of_both_tasks_differ_where_the_rules_are_ours() -> None:
    ours = WORDINGS["fathom"].phrases
    assert ours["", "relate"] != ours["", "relate_own"]
    theirs = WORDINGS["paper"].phrases
    assert theirs["", "relate"] == theirs["", "relate_own"]


def test_templates_fit_together_and_every_task_has_some() -> None:
    check_templates(templates())
    assert {t.task for t in templates()} == set(TASKS) == set(AMOUNTS)


def test_families_are_as_many_as_the_papers() -> None:
    counts = {task: sum(t.task == task and t.rules != ("fathom",) for t in templates()) for task in TASKS}
    assert counts["L1_single"] == 5 and counts["L2_objects"] == 23
    assert counts["L3_2d_spatial"] == counts["L5_6d_spatial"] == 37
    assert counts["L4_occ"] == 9 and counts["L4_pose"] == 13 and counts["L5_collision"] == 5


@pytest.mark.parametrize(
    ("program", "texts", "says"),
    [
        ("count filter:$A scene", ("how many {B.pl} are there?",), "names"),
        ("count filter:$A scene scene", ("how many {A.pl}?",), "left over"),
        ("count filter:$A", ("how many {A.pl}?",), "ends too early"),
        ("query_color unique filter:$A scene", ("how many {A.pl}?",), "asks"),
    ],
)
def test_a_template_that_does_not_fit_together_is_refused(
    program: str, texts: tuple[str, ...], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        check_templates(
            [
                Template(
                    id="t", task="L1_single", scenes=Scenes.STILL, asks="count", program=program, texts=texts
                )
            ]
        )


def test_the_vocabulary_knows_what_covers_what() -> None:
    assert VOCABULARY.covers(("", "", "bus"), ("", "red", "school bus"))
    assert not VOCABULARY.covers(("", "", "school bus"), ("", "", "bus"))
    assert VOCABULARY.covers(("", "", ""), ("large", "", ""))
    assert VOCABULARY.ruled_out("shape", ("", "", "suv"), ("", "", "")) == {"suv"}
    assert VOCABULARY.ruled_out("shape", ("", "red", "suv"), ("", "", "")) == frozenset()
    assert VOCABULARY.ruled_out("shape", ("", "red", "suv"), ("", "red", "")) == {"suv"}
    assert len(VOCABULARY.shapes) == len(UNIT) == 21
