"""Questions of made-up films, from what each offers to the whole set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.tasks import TASKS
from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.programs.engine import run, traced
from fathom.programs.needs import frames_in, met, one_time_is_enough, one_view_is_enough
from fathom.programs.values import Scenes
from fathom.programs.views.animated import animated_view
from fathom.questions.animated_candidate import AnimatedCandidate, AnimatedSelected
from fathom.questions.balancing.animated import select
from fathom.questions.balancing.false_choices import CHOICES, FIXED, windows
from fathom.questions.candidate import SceneCandidates, Selected, Selection, counts_of
from fathom.questions.contexts.animated_words import sentence
from fathom.questions.sampling.animated import offer
from fathom.questions.summary.animated import animated_tables, both_share
from fathom.questions.template_files import check_templates
from fathom.questions.templates import Template, animated_steps
from fathom.questions.writing.animated import write
from fathom.records import InputError, Need, Question, Step, without_answer
from fathom.stats.blind import stress_test
from tests.stories_questions.made import (
    FRAMES,
    NAMES,
    VIEWS,
    Prop,
    acts,
    at,
    drawn,
    made_recipe,
    scene_of,
    visibility_of,
)

FILMS, OPEN_DEG = 36, 50.0
RECIPE = made_recipe()


def made_template(program: str) -> Template:
    return Template(
        id="x", task="action", scenes=Scenes.ANIMATED, program=program, texts=("what?",), asks="verbs"
    )


FORM_OF = {f.id: f for f in (*templates(), *templates("props"))}


@cache
def lots() -> tuple[SceneCandidates[AnimatedCandidate], ...]:
    return tuple(offer(s, visibility_of(s, OPEN_DEG), RECIPE) for s in map(drawn, range(FILMS)))


@cache
def chosen(seed: str = "seed") -> Selection[AnimatedSelected]:
    """Return what is selected of all that is offered, under a seed."""
    return select(lots(), replace(RECIPE, seed=seed))


@cache
def questions() -> tuple[Question, ...]:
    picked = chosen().by_scene()
    found: list[Question] = []
    for index in range(FILMS):
        scene = drawn(index)
        found += write(scene, visibility_of(scene, OPEN_DEG), picked.get(scene.id, []), RECIPE)[0]
    return tuple(found)


def index_of(question: Question) -> int:
    return next(k for k in range(FILMS) if drawn(k).id == question.scene)


def test_every_subtask_is_asked_and_the_mix_is_kept() -> None:
    counts = Counter(q.task for q in questions())
    assert set(counts) == set(TASKS) - {"caption"}
    assert len(questions()) >= 4 * FILMS
    assert both_share(questions()) >= 0.5


def test_every_question_has_four_choices_of_which_one_is_right_and_the_program_says_which() -> None:
    for q in questions():
        scene = drawn(index_of(q))
        trace = run(q.program, animated_view(scene, visibility_of(scene, OPEN_DEG)))
        assert len(set(q.choices)) == CHOICES
        assert trace.answer is not None
        assert q.choices[q.program[-1].args.index(trace.answer)] == q.answer
        assert q.margin is None or q.margin.ratio >= 1


def test_no_false_choice_fits_even_where_the_right_one_is_missing() -> None:
    for q in questions()[::3]:
        scene = drawn(index_of(q))
        timeline = animated_view(scene, visibility_of(scene, OPEN_DEG))
        last = q.program[-1]
        if last.op != "choose":
            continue
        right = q.choices.index(q.answer)
        keys = tuple("nothing of the kind" if k == right else a for k, a in enumerate(last.args))
        assert (
            run([*q.program[:-1], Step(op=last.op, inputs=last.inputs, args=keys)], timeline).answer is None
        )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.permutations(range(CHOICES)))
def test_permuting_the_choices_changes_nothing(which: int, order: Sequence[int]) -> None:
    q = questions()[which % len(questions())]
    scene = drawn(index_of(q))
    last = q.program[-1]
    shuffled = Step(op=last.op, inputs=last.inputs, args=tuple(last.args[k] for k in order))
    timeline = animated_view(scene, visibility_of(scene, OPEN_DEG))
    assert run([*q.program[:-1], shuffled], timeline).answer == run(q.program, timeline).answer


cells = st.dictionaries(st.integers(0, VIEWS - 1), st.lists(st.integers(0, FRAMES - 1), max_size=4))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), cells, cells)
def test_more_cells_never_hurt(which: int, some: dict[int, list[int]], more: dict[int, list[int]]) -> None:
    q = questions()[which % len(questions())]
    assert q.evidence is not None
    joined = {v: some.get(v, []) + more.get(v, []) for v in {*some, *more}}
    assert met(q.evidence.needs, joined) >= met(q.evidence.needs, some)


def test_everything_shown_is_enough_and_nothing_shown_is_not() -> None:
    everything = {v: range(FRAMES) for v in range(VIEWS)}
    for q in questions():
        assert q.evidence is not None and q.evidence.needs
        assert met(q.evidence.needs, everything)
        assert not met(q.evidence.needs, {})
        assert (q.tags["views"] == "one") == one_view_is_enough(q.evidence.needs)
        assert (q.tags["time"] == "one") == one_time_is_enough(q.evidence.needs)


def test_one_view_is_enough_where_it_meets_every_need() -> None:
    a, b = Need(what="a", cells={0: "0-5", 3: "8"}), Need(what="b", cells={3: "20-23"})
    assert one_view_is_enough((a, b))
    assert not one_time_is_enough((a, b))
    assert not one_view_is_enough((Need(what="a", cells={0: "0"}), b))
    assert frames_in("0-2,7") == {0, 1, 2, 7}


def test_nobody_guesses_the_answers_without_looking() -> None:
    result = stress_test(questions())
    assert result.passed, result.folds


def test_no_text_is_right_whenever_it_is_offered() -> None:
    right, offered = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for q in questions():
        if FORM_OF[q.tags["form"]].asks not in FIXED:
            right[q.tags["form"], q.answer] += 1
            offered.update((q.tags["form"], c) for c in q.choices)
    assert not [text for text, n in right.items() if n > 3 and n == offered[text]]


def test_no_choice_is_about_a_object_that_the_question_names() -> None:
    for picked in chosen().by_scene().values():
        for p in picked:
            if "H" in p.candidate.fills and p.candidate.form.startswith("temporal"):
                obj = p.candidate.fills["H"].key.split(":")[1]
                assert obj not in [o.key.split(":")[1] for o in p.options]


def test_no_choice_is_what_another_object_is_measured_from_nor_called_as_the_actor() -> None:
    places = ((0.0, 1.0), (20.0, 1.2), (95.0, 2.0), (180.0, 1.5), (265.0, 3.0))
    gone = (at("vanishes", 30),)
    props = [Prop(NAMES[k], "red", *place, events=gone * (k == 1)) for k, place in enumerate(places)]
    scene = scene_of(props, acts("run", "jump"))
    told = animated_view(scene, visibility_of(scene), RECIPE.rules)
    recipe = made_recipe(tries=60)
    supply = replace(recipe.supply, names=(*recipe.supply.names, "arctic fox"))
    found = offer(scene, visibility_of(scene), replace(recipe, supply=supply)).candidates
    bases = set()
    for c in (c for c in found if FORM_OF[c.form].asks == "names"):
        trace, own = traced(c.program, told), {"fox"}
        for step in c.program:
            if step.op in ("nearest", "farthest", "opposite"):
                bases.add(base := trace.values[step.inputs[1]])
                own |= {name.split(" ")[-1] for name in told.names[base]} if base else set()
        assert own.isdisjoint(o.key.split(" ")[-1] for o in (c.answer, *c.pool)), c
    assert bases - {0}, "nothing was measured from another thing"


def test_what_is_trivial_at_one_look_is_not_asked() -> None:
    hard = {f.id for f in templates("props") if f.hard}
    assert {"spatial.on", "appearance.carried_color", "counting.legs"} <= hard
    for c in (c for lot in lots() for c in lot.candidates):
        assert c.worth or c.prior or c.form not in hard
        assert c.form != "counting.colored_ever" or all(int(o.key) > 1 for o in (c.answer,))


def test_numbers_tell_nothing_by_their_rank() -> None:
    ranks = Counter(
        sorted(int(c) for c in q.choices).index(int(q.answer)) for q in questions() if q.choices[0].isdigit()
    )
    total = sum(ranks.values())
    assert total >= 30
    assert max(ranks.values()) <= total / CHOICES + 3.5 * (total * 3 / 16) ** 0.5


def test_the_right_option_is_as_likely_in_each_place() -> None:
    groups = Counter((q.task, q.choices.index(q.answer)) for q in questions())
    for task, total in Counter(q.task for q in questions()).items():
        spread = (total * 3 / 16) ** 0.5
        # A question may yet be left out when it is written.
        assert all(abs(groups[task, place] - total / CHOICES) <= 2 * spread for place in range(CHOICES))


def test_a_backend_is_not_told_what_is_false() -> None:
    for q in questions()[:20]:
        assert not {"distractors", "prior_answer", "views", "time"} & set(without_answer(q).tags)


def test_no_form_crowds_out_the_others() -> None:
    by_task = Counter(q.task for q in questions())
    for (task, _), n in Counter((q.task, q.tags["form"]) for q in questions()).items():
        assert n <= max(0.36 * by_task[task], 2)


def _share(trait: str, both: float = 0.0, views: float = 0.0, times: float = 0.0) -> float:
    """Return which share of the questions has a trait, where so much of each is wanted."""
    recipe = replace(RECIPE, mix=replace(RECIPE.mix, both=both, views=views, times=times))
    picked = [p.candidate for ps in select(lots(), recipe).by_scene().values() for p in ps]
    return sum(bool(getattr(c, trait)) for c in picked) / len(picked)


def test_more_is_asked_that_needs_both_where_more_is_wanted() -> None:
    assert _share("both", both=0.6) >= 0.5
    assert _share("both", both=0.6) > _share("both") + 0.1


def test_more_is_asked_that_needs_several_views_or_times_where_more_is_wanted() -> None:
    assert _share("several_views", views=0.9) > _share("several_views") + 0.05
    assert _share("several_times", times=0.9) > _share("several_times") + 0.05


def test_the_same_recipe_gives_the_same_questions() -> None:
    scene = drawn(3)
    again = offer(scene, visibility_of(scene, OPEN_DEG), RECIPE)
    assert [c.identity for c in again.candidates] == [c.identity for c in lots()[3].candidates]
    assert chosen().selected == chosen().selected


def test_no_film_is_asked_more_than_its_share_nor_the_same_twice() -> None:
    per_film = Counter(q.scene for q in questions())
    assert max(per_film.values()) <= RECIPE.mix.most_per_scene
    of_task = Counter((q.scene, q.task) for q in questions())
    assert max(of_task.values()) <= RECIPE.mix.most_per_task
    programs = [(q.scene, q.program[:-1]) for q in questions()]
    assert len(programs) == len(set(programs))
    ids = [q.id for q in questions()]
    assert len(ids) == len(set(ids))


def test_words_of_a_question_are_never_among_its_choices() -> None:
    for picked in chosen().by_scene().values():
        for p in picked:
            for slot, fill in p.candidate.fills.items():
                if slot in ("V", "T"):
                    assert fill.key not in [o.key for o in p.options] or "becomes" in p.candidate.form


@given(st.dictionaries(st.integers(1, 9), st.integers(0, 30)))
def test_windows_of_numbers_never_take_more_than_there_is(available: dict[int, int]) -> None:
    used: Counter[int] = Counter()
    for first, room in windows(available).items():
        used.update(dict.fromkeys(range(first, first + CHOICES), room))
    assert all(used[n] <= available.get(n, 0) for n in used)


def test_what_world_knowledge_says_is_one_of_the_choices() -> None:
    scene = scene_of([Prop("ball", "red")], acts("walk"))
    source = {"counterfactual": "unnatural colour", "about": "color of the coat", "expected": "green"}
    edited = type(scene)(**{**{f: getattr(scene, f) for f in scene.__struct_fields__}, "source": source})
    lot = offer(edited, visibility_of(edited), RECIPE)
    coat = next(c for c in lot.candidates if c.form == "appearance.part" and c.fills["P"].key == "coat")
    assert coat.prior is not None
    options = (coat.answer, coat.prior, *(o for o in coat.pool if o.key != "green"))[:CHOICES]
    (q,), _ = write(edited, visibility_of(edited), [Selected(coat, options)], RECIPE)
    assert q.tags["prior_answer"] == "Green"
    assert q.answer == "Brown"
    assert q.tags["counterfactual"] == "unnatural colour"


def test_a_film_in_which_nothing_happens_offers_no_question_of_time() -> None:
    scene = scene_of([Prop("ball", "red"), Prop("cube", "blue", 90.0)])
    forms = {c.form.partition(".")[0] for c in offer(scene, visibility_of(scene), RECIPE).candidates}
    assert "temporal" not in forms
    assert "action" not in forms


def test_nothing_is_asked_of_a_course_in_which_it_changes() -> None:
    scene = scene_of(
        [Prop("ball", "red", events=(at("recolours", 8, "blue"),)), Prop("cube", "blue", 90.0)],
        acts("walk", "jump"),
    )
    lot = offer(scene, visibility_of(scene), RECIPE)
    asked = {c.fills["M"].key for c in lot.candidates if c.form == "appearance.thing"}
    assert "while walk" not in asked
    assert "while jump" in asked


def test_names_are_offered_only_where_such_objects_can_be() -> None:
    places = dict.fromkeys(NAMES, ("ground",)) | {"wings": ("back",), "hat": ("head",)}
    supply = replace(RECIPE.supply, names=(*NAMES, "wings", "hat"), places=places)
    scene = drawn(1)
    lot = offer(scene, visibility_of(scene, OPEN_DEG), replace(RECIPE, supply=supply))
    pools = [c.pool for c in lot.candidates if c.form.startswith("spatial.") and c.answer.key in NAMES]
    assert pools
    assert not {"wings", "hat"} & {o.key for found in pools for o in found}


def test_what_is_never_clear_is_never_asked_about() -> None:
    scene = scene_of([Prop("ball", "red", events=(at("vanishes", 20),)), Prop("cube", "blue", 90.0)])
    unseen = visibility_of(scene, open_deg=-1.0)
    assert not [c for c in offer(scene, unseen, RECIPE).candidates if c.form.startswith("spatial")]


def test_every_form_is_documented() -> None:
    page = Path("docs/benchmarks/4d-bench-questions.md").read_text()
    assert not [f.id for f in templates() if f"`{f.id}`" not in page]


def test_the_forms_fit_together() -> None:
    check_templates(templates())
    with pytest.raises(InputError, match="twice"):
        check_templates((*templates(), templates()[0]))
    with pytest.raises(InputError, match="slots"):
        check_templates((made_template("verb first $Z"),))
    with pytest.raises(InputError, match="left over"):
        animated_steps(made_template("actions actions"), {})


@pytest.mark.parametrize(
    ("noun", "many", "article"),
    [
        ("gift box", "gift boxes", "a gift box"),
        ("cactus", "cacti", "a cactus"),
        ("house", "houses", "a house"),
        ("wings", "wings", "wings"),
        ("teddy", "teddies", "a teddy"),
        ("toy", "toys", "a toy"),
        ("octopus", "octopuses", "an octopus"),
    ],
)
def test_nouns_have_plurals_and_articles(noun: str, many: str, article: str) -> None:
    assert LANGUAGE.plural(noun) == many
    assert LANGUAGE.with_article(noun) == article


def test_sentences_begin_large_and_close_up_around_nothing() -> None:
    from fathom.questions.templates import Fill

    nothing = {"M": Fill("whole", {"said": ("",)}), "T": Fill("ball", {"is": ("is the ball",)})}
    assert sentence("Where {T.is} {M}?", "fox", nothing, 0) == "Where is the ball?"
    assert sentence("{M}, where {T.is}, {actor}?", "fox", nothing, 0) == "Where is the ball, fox?"


def test_texts_are_well_formed() -> None:
    for q in questions():
        assert q.text[0].isupper() and q.text.endswith("?")
        assert "  " not in q.text and "{" not in q.text and " ?" not in q.text and ", ," not in q.text
        assert all(c and not c.endswith(" ") and c[0] == c[0].upper() for c in q.choices)


def test_the_summary_counts_what_was_asked_and_refused() -> None:
    selection = chosen()
    tables = animated_tables(
        questions(), counts_of(selection).selection, Counter({"no single choice fits": 1})
    )
    missing = {(r[0], r[1]): int(r[2]) for r in tables[1].rows}
    assert missing == {cell: n for cell, n in selection.short.items() if n > 0}
    assert tables[0].rows[-1][1] == str(len(questions()))
    accepted = sum(lot.tried["accepted"] for lot in lots())
    assert accepted and ("accepted", str(accepted)) in tables[-1].rows
    assert tables[-1].rows[-1] == ("at the last check: no single choice fits", "1")
