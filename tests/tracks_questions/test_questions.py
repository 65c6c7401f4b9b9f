"""Chosen questions: how many of what, nothing to guess from, and numbers that can be asked for alone."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.stibench import paper
from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.benchmarks.stibench.tasks import TASKS as PAPER_TASKS
from fathom.extraction.numeric_answers import is_measured, measured, worth
from fathom.extraction.quantities import sole_quantity
from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.balancing.video import chosen
from fathom.questions.balancing.video_words import even_counts, words
from fathom.questions.candidate import Selection
from fathom.questions.contexts.video_relations import RELATION_TEXTS
from fathom.questions.mix import VideoMix, wanted_of
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.separation import level_of
from fathom.questions.summary.video import video_tables
from fathom.questions.video_candidate import VideoCandidate, VideoSelected
from fathom.questions.writing.video import spelled
from fathom.records import InputError, Question, Scene, Step
from tests.tracks.worlds import obj, video
from tests.tracks_questions.conftest import RECIPE


def test_tasks_are_those_of_the_benchmark_in_the_shares_of_the_paper() -> None:
    recipe = recipe_for("tasks")
    assert tuple(PAPER_TASKS) == tuple(dict.fromkeys(f.task for f in recipe.forms))
    assert dict(recipe.mix.shares) == dict(paper.TASK_SIZES)


def test_what_is_wanted_adds_up_and_leaves_out_cells_that_are_not_asked() -> None:
    scenes = [video(setting=s) for s in ("desktop", "indoor", "indoor")]
    wanted = wanted_of(VideoMix(shares=paper.TASK_SIZES, questions_per_scene=8), scenes)
    assert sum(wanted.values()) == 24
    cells = {**dict.fromkeys(paper.TASKS, ("indoor",)), paper.TASKS[0]: ("desktop", "indoor")}
    wanted = wanted_of(VideoMix(shares=paper.TASK_SIZES, questions_per_scene=8, cells=cells), scenes)
    assert wanted[paper.TASKS[0], "desktop"] == 8
    assert not any(s == "desktop" and t != paper.TASKS[0] for t, s in wanted)
    with pytest.raises(InputError, match="leave these videos out"):
        wanted_of(VideoMix(shares=paper.TASK_SIZES, cells=dict.fromkeys(paper.TASKS, ("indoor",))), scenes)


def test_no_video_is_asked_more_than_the_mix_allows(selection: Selection[VideoSelected]) -> None:
    mix = RECIPE.mix
    picked = [p.candidate for p in selection.selected]
    assert max(Counter(d.scene for d in picked).values()) <= mix.most_per_scene
    assert max(Counter((d.scene, d.template.task) for d in picked).values()) <= mix.most_per_task
    for form in {d.template.id: d.template for d in picked}.values():
        assert max(Counter(d.scene for d in picked if d.template is form).values()) <= mix.most(form)


def test_no_box_tells_the_size_that_another_question_asks_for(selection: Selection[VideoSelected]) -> None:
    sized = Counter(
        (p.candidate.scene, *p.candidate.objects)
        for p in selection.selected
        if p.candidate.template.asks == "box" or (p.candidate.template.of_one and not p.candidate.times)
    )
    assert sized
    assert max(sized.values()) == 1


def test_counts_and_what_is_short_add_up_to_what_was_wanted(
    selection: Selection[VideoSelected], candidates: list[VideoCandidate]
) -> None:
    found = Counter((p.candidate.template.task, p.candidate.setting) for p in selection.selected)
    scenes = [video(setting="desktop")] * 14
    for cell, count in wanted_of(RECIPE.mix, scenes).items():
        assert found[cell] + selection.short[cell] == count
        assert selection.short[cell] >= 0


def test_a_selection_does_not_depend_on_the_order_of_the_drafts(
    selection: Selection[VideoSelected], candidates: list[VideoCandidate]
) -> None:
    wanted = wanted_of(RECIPE.mix, [video(setting="desktop")] * 14)
    again = chosen(candidates[::-1], wanted, RECIPE)
    assert [p.candidate.names for p in again.selected] == [p.candidate.names for p in selection.selected]


def test_five_different_options_of_which_one_is_right(questions: list[Question]) -> None:
    offered = [q for q in questions if q.choices]
    assert len(offered) > 60
    for q in offered:
        assert len(set(q.choices)) == 5
        assert q.choices.count(q.answer) == 1
        assert q.margin is None or q.margin.ratio >= 1
        assert q.task in PAPER_TASKS and q.evidence is not None and q.evidence.needs
    places = Counter(q.choices.index(q.answer) for q in offered)
    assert max(places.values()) - min(places.values()) <= 1


def test_the_nearest_false_option_is_as_wrong_as_was_sampled(questions: list[Question]) -> None:
    for q in questions:
        if q.sampled_error is None:
            assert not q.choices or q.tags["form"].startswith(("relation", "order"))
            continue
        nearest = float(q.tags["nearest_error"])
        assert nearest == pytest.approx(q.sampled_error, rel=0.11)
        assert q.precision is not None and nearest >= q.precision.value * (1 - 1e-6)
        assert q.tags["difficulty"] == level_of(nearest / q.precision.value)


def test_every_wording_is_filled_in(questions: list[Question]) -> None:
    for q in questions:
        assert not re.search(r"[{}]|  | ,|the the", q.text), q.text
        assert q.text[0].isupper() and q.text[-1] in "?.", q.text
        assert q.tags["video"] and q.media == (q.tags["video"],)


def test_the_same_question_without_options_is_worth_all_for_its_own_answer(questions: list[Question]) -> None:
    named = {q.id: q for q in questions}
    twins = [q for q in questions if not q.choices]
    assert twins
    for twin in twins:
        assert is_measured(twin)
        assert worth(measured(twin.answer, twin), twin) == 1.0
        whole = next(q for q in questions if q.choices and q.groups.pair == twin.id)
        # A side that all options name is not asked for; without options it is.
        assert twin.text.startswith(whole.text) or "to which side" in twin.text.lower()
        assert named[twin.groups.pair] is twin
        assert worth(measured(whole.answer, twin), twin) >= 0.9
        unit = sole_quantity(whole.answer.replace(" to the left", "").replace(" to the right", ""))
        assert unit is not None and unit.dimension


def test_nouns_that_are_abbreviations_are_written_in_capitals() -> None:
    assert spelled("the suv closest to the tv stand") == "the SUV closest to the TV stand"


def test_answers_near_zero_are_not_asked_for_a_share(questions: list[Question]) -> None:
    for twin in questions:
        if not twin.choices:
            measure = measure_of("desktop", twin.tags["quantity"])
            found = sole_quantity(twin.answer.partition(" to the")[0])
            assert found is not None
            assert abs(found.value) >= Fraction(str(measure.least)) * Fraction(9, 10)


def test_questions_can_be_written_to_disk_and_read_again(questions: list[Question]) -> None:
    assert msgspec.json.decode(msgspec.json.encode(questions), type=list[Question]) == questions


def test_tables_count_every_question(questions: list[Question], selection: Selection[VideoSelected]) -> None:
    tasks, missing, forms, levels, guessed = video_tables(questions, selection)
    short = {(r[0], r[1]): r for r in missing.rows}
    assert {c: int(r[2]) for c, r in short.items()} == {c: n for c, n in selection.short.items() if n}
    assert all(r[4] for r in missing.rows)
    offered = sum(bool(q.choices) for q in questions)
    assert tasks.rows[-1][2] == str(offered)
    assert sum(int(row[2]) for row in forms.rows) == offered
    assert sum(map(int, levels.rows[-3][1:])) == offered
    assert [row[0] for row in guessed.rows] == [
        "middle value",
        "most frequent",
        "longest text",
        "most digits",
        "most shared",
        "usual pose",
        "usual size",
    ]


@given(st.lists(st.integers(0, 40), min_size=6, max_size=6), st.integers(0, 60))
def test_no_word_is_right_more_often_than_a_fifth(available: list[int], most: int) -> None:
    counts = even_counts(dict(zip(RELATION_TEXTS, available, strict=True)), most)
    total = sum(counts.values())
    assert total <= most and total % 5 == 0
    for (word, n), there in zip(counts.items(), available, strict=True):
        assert n <= min(there, total // 5), word


def test_each_word_is_right_in_a_fifth_of_the_questions_that_offer_it(
    candidates: list[VideoCandidate],
) -> None:
    relation = next(d for d in candidates if d.template.asks == "words")
    shares = {"left": 30, "right": 30, "front": 30, "behind": 30, "above": 18, "below": 12}
    many = [
        replace(relation, scene=f"{word}{k}", answered=replace(relation.answered, value=word))
        for word, n in shares.items()
        for k in range(20 * n)
    ]
    picked = words(many, len(many), ("test",))
    offered = Counter(w for p in picked for w in (str(p.candidate.answered.value), *p.false))
    right = Counter(str(p.candidate.answered.value) for p in picked)
    assert len(picked) == len(many)
    assert all(len({*p.false, p.candidate.answered.value}) == 5 for p in picked)
    for word in shares:
        assert right[word] / offered[word] == pytest.approx(0.2, abs=0.012)


def three_in_a_row() -> Scene:
    names = ("mug", "can", "box")
    objects = [obj(n, (0.3 * k, 1.0 - k, 0.0), n, size=(0.1, 0.1, 0.1)) for k, n in enumerate(names)]
    return video(objects, frames=30)


@pytest.mark.parametrize("named", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_an_order_follows_the_names_of_the_objects(named: tuple[int, ...]) -> None:
    scene = three_in_a_row()
    steps = [Step(op="thing", args=(scene.objects[k].id,)) for k in named]
    program = (
        *steps,
        Step(op="at", args=("0.5",)),
        Step(op="order", inputs=(0, 1, 2, 3), args=("left to right",)),
    )
    answered = run(program, video_view(scene))
    assert [named[int(p) - 1] for p in str(answered.value).split()] == [0, 1, 2]
    assert answered.least.ratio >= 1


def test_an_order_with_a_near_tie_is_refused() -> None:
    scene = video(
        [obj(n, (0.3 * k, 0.01 * k, 0.0), n, size=(0.1, 0.1, 0.1)) for k, n in enumerate("abc")], frames=30
    )
    steps = [Step(op="thing", args=(t.id,)) for t in scene.objects]
    program = (
        *steps,
        Step(op="at", args=("0.5",)),
        Step(op="order", inputs=(0, 1, 2, 3), args=("left to right",)),
    )
    answered = run(program, video_view(scene))
    assert answered.value is None or answered.least.ratio < 1


def test_options_are_spread_evenly_around_their_answers(questions: list[Question]) -> None:
    ranks = []
    for q in questions:
        if q.choices and q.tags["quantity"] in ("height", "distance", "displacement", "path_length"):
            values = [float(c.split()[0]) for c in q.choices]
            ranks.append(sorted(values).index(values[q.choices.index(q.answer)]))
    # Five even places have a mean of 2 and a spread of 1.41: four standard errors.
    assert abs(np.mean(ranks) - 2) < 4 * 1.41 / np.sqrt(len(ranks))
