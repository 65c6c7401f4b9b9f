"""Two runs compared question by question: units, tasks, tables, JSON."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from fathom.pages.tables import as_text
from fathom.records import Groups, InputError, Question, SampleScore, Variant
from fathom.scoring.answers import gather
from fathom.scoring.compare import (
    as_json,
    compare_samples,
    comparison_table,
    paired_units,
    reading_sentence,
)
from fathom.scoring.groups import Grouping
from fathom.stats.clusters import cluster_of
from fathom.store.seeds import rng

TASKS = {"near": "What is nearer", "facing": "What faces what"}
ROTATIONS = ((0, 1), (1, 0))


def question(i: int, flipped: bool = False) -> Question:
    return Question(
        id=f"q{i:03d}{'-mirror' if flipped else ''}",
        task=list(TASKS)[i % 2],
        text="Which?",
        answer="lamp",
        choices=("lamp", "cup"),
        groups=Groups(cluster=f"picture {i // 4}", flip=f"f{i:03d}"),
    )


QUESTIONS = [question(i, flipped) for i in range(80) for flipped in (False, True)]


def sample_score(
    q: Question, value: float, order: tuple[int, ...] = (), repeat: int = 0, how: str = "letter"
) -> SampleScore:
    return SampleScore(
        question=q.id,
        task=q.task,
        extractor="p-1",
        status="failed" if how == "missing" else "ok",
        value=value,
        how=how,
        variant=Variant(option_order=order, repeat=repeat),
    )


def run_of(name: str, skill: float, questions: list[Question] = QUESTIONS) -> list[SampleScore]:
    """A run in which each question is put twice, with its options rotated."""
    return [
        sample_score(q, float(rng(name, q.id, order[0]).random() < skill), order)
        for q in questions
        for order in ROTATIONS
    ]


GOOD, POOR = run_of("good", 0.9), run_of("poor", 0.5)


def test_the_better_run_is_found_on_each_task() -> None:
    found = compare_samples(QUESTIONS, GOOD, POOR, names=("good", "poor"), titles=TASKS)
    assert [t.task for t in found.tasks] == list(TASKS)
    assert found.overall.n == 160
    assert all(t.adjusted < 0.05 and t.difference.value > 0.2 for t in found.tasks)
    assert not found.first_is_worse
    assert found.sentences[0].startswith("good is better than poor")
    assert any(s.startswith("On What is nearer, good is better") for s in found.sentences)
    assert compare_samples(QUESTIONS, POOR, GOOD).first_is_worse


def test_passes_that_are_joined_count_as_one() -> None:
    plain, _ = paired_units(QUESTIONS, GOOD, POOR)
    circular, _ = paired_units(QUESTIONS, GOOD, POOR, "circular")
    both, _ = paired_units(QUESTIONS, GOOD, POOR, "both")
    assert (len(plain), len(circular), len(both)) == (160, 160, 80)
    right = {m.question for m in GOOD} - {m.question for m in GOOD if not m.value}
    assert sum(u.first for u in circular) == len(right)
    pairs = {f"q{i:03d}" for i in range(80)}
    assert sum(u.first for u in both) == sum(p in right and f"{p}-mirror" in right for p in pairs)


def test_passes_that_are_not_joined_count_with_their_mean() -> None:
    q = question(0)
    sample_scores = [sample_score(q, 1, (0, 1)), sample_score(q, 0, (1, 0))]
    assert paired_units([q], sample_scores, sample_scores)[0][0].first == 0.5
    assert paired_units([q], sample_scores, sample_scores, "circular")[0][0].first == 0


def test_a_repeat_that_is_wrong_makes_its_group_wrong_and_halves_a_question() -> None:
    q = question(0)
    sample_scores = [
        sample_score(q, v, o, r)
        for r, worth in enumerate(((1, 1), (1, 0)))
        for v, o in zip(worth, ROTATIONS, strict=True)
    ]
    assert paired_units([q], sample_scores, sample_scores, "circular")[0][0].first == 0
    assert paired_units([q], sample_scores, sample_scores)[0][0].first == 0.75


def test_a_run_that_was_stopped_early_compares_as_if_it_had_not_been() -> None:
    """Once a pass is wrong its group is: the second run was not asked what could not change that."""
    stopped = []
    for q in QUESTIONS:
        for order in ROTATIONS:
            found = next(m for m in POOR if m.question == q.id and m.variant.option_order == order)
            stopped.append(found)
            if not found.value:
                break
    whole = compare_samples(QUESTIONS, GOOD, POOR, grouping="circular")
    assert compare_samples(QUESTIONS, GOOD, stopped, grouping="circular", early=(False, True)) == whole


def test_the_order_of_marks_does_not_matter() -> None:
    one = compare_samples(QUESTIONS, GOOD, POOR, grouping="circular")
    other = compare_samples(QUESTIONS[::-1], GOOD[::-1], POOR[::-1], grouping="circular")
    assert one == other


def test_questions_that_one_run_was_not_asked_are_left_out_and_counted() -> None:
    found = compare_samples(QUESTIONS, GOOD, run_of("poor", 0.5, QUESTIONS[:100]))
    assert (found.overall.n, found.left_out) == (100, 60)
    assert any("60 questions or groups" in note for note in comparison_table(found).notes)


def test_a_question_that_was_put_in_other_ways_is_left_out() -> None:
    found = compare_samples(QUESTIONS, GOOD, POOR[:-1])
    assert (found.overall.n, found.left_out) == (159, 1)


def test_runs_of_two_protocols_are_refused() -> None:
    plain = [sample_score(q, 1) for q in QUESTIONS]
    with pytest.raises(InputError, match="compare runs of one protocol"):
        compare_samples(QUESTIONS, GOOD, plain)


@pytest.mark.parametrize("grouping", ["circular", "both", "flip"])
def test_a_run_whose_options_were_not_rotated_is_not_wrong_beside_one_whose_were(grouping: Grouping) -> None:
    plain = [sample_score(q, 1) for q in QUESTIONS]
    for runs, place in (((GOOD, plain), "second"), ((plain, GOOD), "first")):
        with pytest.raises(InputError, match=f"not rotated in the {place} run, and were in the other"):
            compare_samples(QUESTIONS, *runs, grouping=grouping)
    missing = [sample_score(q, 0, how="missing") for q in QUESTIONS]
    assert compare_samples(QUESTIONS, GOOD, missing, grouping="circular").overall.second == 0


def test_a_run_without_images_is_compared_with_one_that_had_them_and_it_is_said() -> None:
    blind = [
        msgspec.structs.replace(m, variant=msgspec.structs.replace(m.variant, media_withheld=True))
        for m in POOR
    ]
    for grouping in ("plain", "circular"):
        found = compare_samples(QUESTIONS, GOOD, blind, names=("good", "poor"), grouping=grouping)
        seeing = compare_samples(QUESTIONS, GOOD, POOR, names=("good", "poor"), grouping=grouping)
        assert (found.overall, found.left_out) == (seeing.overall, 0)
        assert found.sentences == (
            "poor was asked without images and videos, good with them.",
            *seeing.sentences,
        )
    assert compare_samples(QUESTIONS, blind, blind).sentences[0].startswith("first and second do equally")


def test_what_was_put_in_other_ways_is_named() -> None:
    hidden = [
        msgspec.structs.replace(m, variant=msgspec.structs.replace(m.variant, options_shown=False))
        for m in POOR
    ]
    with pytest.raises(InputError, match="put with its options in one run and without them"):
        compare_samples(QUESTIONS, GOOD, hidden)


def test_answers_that_never_came_count_as_wrong() -> None:
    missing = [sample_score(q, 0, how="missing") for q in QUESTIONS]
    found = compare_samples(QUESTIONS, GOOD, missing)
    assert (found.overall.n, found.overall.second) == (160, 0)


def test_runs_without_a_common_question_are_refused() -> None:
    with pytest.raises(InputError, match="no question in common"):
        compare_samples(QUESTIONS, GOOD[:4], POOR[-4:])


def test_a_mark_of_another_dataset_is_refused() -> None:
    stray = msgspec.structs.replace(GOOD[0], question="elsewhere")
    with pytest.raises(InputError, match="'elsewhere'"):
        compare_samples(QUESTIONS, [stray], POOR)


def test_options_that_were_not_rotated_cannot_be_grouped_as_if() -> None:
    plain = [sample_score(q, 1) for q in QUESTIONS]
    with pytest.raises(InputError, match="were not rotated"):
        compare_samples(QUESTIONS, plain, plain, grouping="circular")


def test_what_hangs_together_is_named_by_scene_or_else_by_picture() -> None:
    q = Question(id="q", task="t", text="?", answer="1", media=("image 7",))
    assert cluster_of(q) == "image 7"
    assert cluster_of(msgspec.structs.replace(q, scene="s")) == "s"
    assert cluster_of(question(9)) == "picture 2"
    assert gather([q], [sample_score(q, 1)]).clusters == ("image 7",), "accuracies take it together alike"


def test_equal_runs_are_seldom_told_apart_on_any_task() -> None:
    """Pictures that are hard for one model and easy for the other; ten tasks at once."""
    alarms = 0
    for k in range(120):
        g = rng("families of tasks", k)
        asked, sample_scores = [], ([], [])  # type: ignore[var-annotated]
        for picture in range(40):
            skills = g.beta(2, 2, 2)
            for i in range(10):
                q = Question(id=f"{picture}-{i}", task=f"t{i}", text="?", answer="1", scene=f"s{picture}")
                asked.append(q)
                for run, skill in zip(sample_scores, skills, strict=True):
                    run.append(sample_score(q, float(g.random() < skill)))
        alarms += min(t.adjusted for t in compare_samples(asked, *sample_scores).tasks) < 0.05
    assert alarms / 120 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 120)


def test_the_table_has_a_row_for_each_task_and_one_for_all() -> None:
    text = as_text(
        comparison_table(compare_samples(QUESTIONS, POOR, GOOD, titles=TASKS, grouping="circular"))
    )
    assert "What faces what" in text
    assert "All questions" in text
    assert "−" in text
    assert "grouping circular" in text


def test_the_json_holds_what_the_table_holds() -> None:
    found = compare_samples(QUESTIONS, GOOD, POOR, titles=TASKS)
    held = json.loads(as_json(found))
    assert held["overall"]["n"] == 160
    assert held["tasks"][0]["title"] == "What is nearer"
    assert held["tasks"][0]["adjusted"] == found.tasks[0].adjusted
    assert held["sentences"] == list(found.sentences)
    perfect = [sample_score(q, 1.0) for q in QUESTIONS]
    nothing = [sample_score(q, 0.0) for q in QUESTIONS]
    assert json.loads(as_json(compare_samples(QUESTIONS, perfect, nothing)))["overall"]["odds_ratio"] is None


def test_one_question_alone_says_nothing_but_can_be_compared() -> None:
    q = question(0)
    found = compare_samples([q], [sample_score(q, 1)], [sample_score(q, 0)])
    assert found.overall.p_value == 1
    assert "[–]" in as_text(comparison_table(found))
    assert "no interval from one scene" in found.sentences[0]


def test_too_few_scenes_are_said_instead_of_no_difference() -> None:
    few = QUESTIONS[:24]
    perfect, nothing = [sample_score(q, 1.0) for q in few], [sample_score(q, 0.0) for q in few]
    assert compare_samples(few, perfect, nothing).sentences[-1] == (
        "3 scenes are too few to tell two runs apart on one of 2 tasks, whatever they answer; that takes 7 "
        "or more."
    )


def test_two_ways_of_reading_are_counted() -> None:
    first = [msgspec.structs.replace(m, picked="lamp" if i else None) for i, m in enumerate(GOOD)]
    second = [msgspec.structs.replace(m, picked="cup" if i == 1 else "lamp") for i, m in enumerate(GOOD)]
    assert reading_sentence("a", "b", first, second) == (
        "a and b read 2 of 320 answers differently: 0 that a alone could read, 1 that b alone could."
    )
