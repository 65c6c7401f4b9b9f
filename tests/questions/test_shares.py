"""What is asked, and how much of it: every family near its share, whatever the number of scenes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.benchmarks.pulsecheck457.construction import recipe
from fathom.benchmarks.pulsecheck457.mix import GROWTH, SEARCH, SHARES
from fathom.benchmarks.pulsecheck457.tasks import templates
from fathom.datasets.shares import WITHIN, family_shares, kind_shares, shares_table
from fathom.programs import FATHOM, StillView, run, still_view
from fathom.questions.asking import (
    BATCH,
    FEWEST,
    FROM_SCENES,
    MANY_OBJECTS,
    USUAL_OBJECTS,
    Chances,
    StillCandidate,
)
from fathom.questions.balance import ROUNDS, SLACK, WITHIN_KIND, YIELDS, Pool, shares
from fathom.questions.candidates import rounded
from fathom.questions.making import fitted
from fathom.questions.repeats import Told, asked
from fathom.questions.selection import Draw
from fathom.questions.templates import Words
from fathom.records import Question, Scene, Step
from tests.questions.asked import make_questions
from tests.questions.synthetic import random_scene

ASKING = recipe("shares").asking


def clear_scene(seed: str, index: int) -> Scene:
    """Return a scene of which every silhouette shows whole, as nearly all do in worlds of the generator."""
    scene = random_scene(seed, index)
    visibility = tuple(msgspec.structs.replace(s, visible_px=s.amodal_px) for s in scene.visibility)
    return msgspec.structs.replace(scene, visibility=visibility)


@pytest.fixture(scope="module")
def few() -> list[Question]:
    return make_questions([clear_scene("few", k) for k in range(40)], recipe("shares"))[0]


@pytest.fixture(scope="module")
def many() -> list[Question]:
    return make_questions([clear_scene("many", k) for k in range(150)], recipe("shares"))[0]


def test_every_family_has_a_target_and_a_kind() -> None:
    assert len(ASKING.templates) == len(ASKING.shares) == 131
    totals: Counter[str] = Counter()
    for t in ASKING.templates:
        assert t.kind and t.patience > 0 and ASKING.shares[t.id] > 0
        totals[t.task] += ASKING.shares[t.id]  # type: ignore[assignment]
    assert all(abs(v - 1) < 1e-9 for v in totals.values()) and len(totals) == 7


def test_of_full_scenes_no_more_is_wanted_than_of_others_and_of_what_they_offer_most_least() -> None:
    usual, full = (fitted(recipe("s"), 250, n).asking for n in (USUAL_OBJECTS, MANY_OBJECTS))
    for n in (3.0, 20.0):  # few offer little, and of very many words tell hardly any apart
        assert fitted(recipe("s"), 250, n).asking.wanted == usual.wanted
    for t in ASKING.templates:
        assert full.wanted[t.id] <= usual.wanted[t.id]
        share = (USUAL_OBJECTS / MANY_OBJECTS) ** t.growth
        if usual.wanted[t.id] < 24.0:
            assert full.wanted[t.id] == pytest.approx(usual.wanted[t.id] * share)
    assert min(full.wanted[t.id] / usual.wanted[t.id] for t in ASKING.templates) < 0.35


def test_sets_are_asked_about_in_batches_in_large_sets_alone() -> None:
    batches = {n: [fitted(recipe("s"), n, m).asking.batch for m in (6.5, 10.0, 11.0)] for n in (149, 150)}
    assert batches == {FROM_SCENES - 1: [1, 1, 1], FROM_SCENES: [1, BATCH, 1]}


@given(st.floats(0.01, 9.0), st.sampled_from([1, BATCH]))
def test_whole_numbers_of_candidates_are_what_is_wanted_on_average(wanted: float, batch: int) -> None:
    chances = Chances("rounded", str(wanted), batch)
    found = [rounded(wanted, batch, chances) for _ in range(4000)]
    assert abs(np.mean(found) - wanted) < 0.2
    assert all(n == 0 or n >= min(batch, wanted) for n in found)
    assert max(found) <= max(batch, wanted + 1)


def test_every_entry_of_the_tables_of_shares_is_of_some_family() -> None:
    for start in [*(s for s, _ in SHARES), *(s for s, *_ in SEARCH), *(s for s, _ in GROWTH)]:
        assert any(t.id.startswith(start) for t in templates()), start


Family = tuple[float, float]
families = st.lists(st.tuples(st.floats(0.1, 3), st.floats(0, 4)), min_size=2, max_size=40)


def _targets(of: Sequence[Family]) -> dict[str, float]:
    total = sum(t for t, _ in of)
    return {f"f{k}": t / total for k, (t, _) in enumerate(of)}


@given(families, st.integers(20, 5000))
def test_where_pools_suffice_every_family_has_its_share(of: list[Family], total: int) -> None:
    targets = _targets(of)
    found = shares({n: t * total + extra for (n, t), (_, extra) in zip(targets.items(), of, strict=True)},
                   total, targets)  # fmt: skip
    assert sum(found.values()) == total
    assert all(abs(found[n] - targets[n] * total) <= 1.01 for n in targets)


@given(families, st.integers(100, 5000))
def test_what_some_pools_lack_makes_no_other_family_much_larger(of: list[Family], total: int) -> None:
    targets = _targets(of)
    rooms = {n: targets[n] * total * room for n, (_, room) in zip(targets, of, strict=True)}
    found = shares(rooms, total, targets, dict.fromkeys(targets, "one kind") if total % 2 else None)
    given_ = sum(found.values())
    assert given_ <= total and all(found[n] <= rooms[n] + 1 for n in found)
    if all(room >= 0.95 for _, room in of):
        assert given_ >= 0.95 * total
        assert all(abs(found[n] - targets[n] * given_) <= 0.1 * targets[n] * given_ + 1.01 for n in targets)
    assert all(found[n] <= max(*SLACK, *WITHIN_KIND) * targets[n] * max(given_, total) + 1 for n in found)


def test_what_a_family_without_candidates_leaves_goes_to_its_kind() -> None:
    targets = {"and.size": 0.05, "and.color": 0.15, "hop": 0.8}
    kinds = {"and.size": "and", "and.color": "and", "hop": "hop"}
    found = shares({"and.color": 500.0, "hop": 900.0}, 1000, targets, kinds)
    assert found == {"and.color": 200, "hop": 800}


def test_a_family_is_more_than_a_tenth_off_only_where_much_would_not_be_asked_else() -> None:
    targets = {"all": 0.1, "first": 0.1, "hop": 0.8}
    kinds = {"all": "counts", "first": "counts", "hop": "hop"}
    nearly = shares({"all": 300.0, "first": 85.0, "hop": 900.0}, 1000, targets, kinds)
    assert nearly["all"] <= 1.1 * 100 and sum(nearly.values()) >= 990
    little = shares({"all": 300.0, "first": 20.0, "hop": 900.0}, 1000, targets, kinds)
    assert little["all"] > 1.1 * 100


@pytest.mark.parametrize("scenes", [24, 150, 250, 1000])
def test_targets_are_the_same_at_every_size_but_for_families_asked_too_seldom(scenes: int) -> None:
    found = ASKING.targets(scenes)
    for task, amount in ASKING.amounts.items():
        own = [t.id for t in ASKING.templates if t.task == task]
        assert abs(sum(found[n] for n in own) - 1) < 1e-9
        raised = [n for n in own if found[n] > ASKING.shares[n] * (1 + 1e-9)]
        assert not raised or scenes == 150
        assert all(abs(found[n] * amount * scenes - FEWEST) < 1e-6 for n in raised)
        if scenes >= FROM_SCENES:
            assert all(found[n] * amount * scenes > FEWEST - 0.1 for n in own)
        rest = {found[n] / ASKING.shares[n] for n in own if n not in raised}
        assert max(rest) - min(rest) < 1e-9 and min(rest) > 0.99


def test_a_family_asked_too_seldom_takes_an_answer_that_is_left() -> None:
    name = "L1.exist"
    colors = ASKING.vocabulary.colors
    found = [
        StillCandidate(f"s{k}", name, (("A", ("", colors[k], "")),), "no" if k else "yes") for k in range(7)
    ]
    members = np.array([0]), np.arange(1, 7)
    # Less is wanted of it than of others, as one of its answers is so rare.
    pools = {name: Pool(("yes", "no"), members, np.ones(7), 3)}
    order = {c.scene: k for k, c in enumerate(found)}
    families = {t.id: t for t in ASKING.templates}
    draw = Draw(pools, {name: found}, order, families, defaultdict(Told), Chances("seldom"), np.ones(7))
    draw.every_turn()
    left = len(draw.drawn)
    assert left < FEWEST, "of one answer there is a single candidate"
    draw.at_least({name: left})
    assert len(draw.drawn) == left
    draw.at_least({name: FEWEST})
    assert len({s.candidate.scene for s in draw.drawn}) == len(draw.drawn) == FEWEST


def test_an_uneven_pool_still_has_its_share_within_a_tenth() -> None:
    assert YIELDS**ROUNDS >= 1 - WITHIN


@pytest.mark.parametrize("size", ["few", "many"])
def test_complexity_is_the_same_at_every_size(size: str, request: pytest.FixtureRequest) -> None:
    questions = request.getfixturevalue(size)
    for share in kind_shares(questions, ASKING, len({q.scene for q in questions})):
        if share.task in ("L3_2d_spatial", "L5_6d_spatial"):
            room = 0.1 * share.target * share.of + (5 if size == "many" else 6)
            if share.task == "L5_6d_spatial" and share.name == "and also":
                room += 6  # scenes have few such facts, and none is asked again under other names
            assert abs(share.asked - share.target * share.of) <= room, share


def test_in_150_scenes_every_family_is_asked_and_what_is_asked_seldom_is_named(many: list[Question]) -> None:
    found = family_shares(many, ASKING, 150)
    assert all(s.asked for s in found), [str(s) for s in found if not s.asked]
    seldom = [s for s in found if s.asked < 5]
    notes = "\n".join(shares_table(many, ASKING, 150).notes)
    assert len(seldom) <= 5 and all(s.name in notes for s in seldom), [str(s) for s in seldom]


def test_counts_are_compared_with_both_answers(many: list[Question]) -> None:
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for q in many:
        if q.program[-1].op in ("less_than", "greater_than", "equal_integer"):
            answers[q.program[-1].op][q.answer] += 1
    assert set(answers) == {"less_than", "greater_than", "equal_integer"}
    assert all(min(c["yes"], c["no"]) >= 5 for c in answers.values()), answers


def _meaning(program: Sequence[Step], k: int) -> str:
    """Return what a step means, with the sides of what is symmetrical in one order."""
    step = program[k]
    reads = [_meaning(program, i) for i in step.inputs]
    if step.op in ("union", "intersect") or step.op.startswith("equal_"):
        reads.sort()
    if step.op == "less_than":
        return f"greater_than({reads[1]};{reads[0]})"
    return f"{step.op}{list(step.args)}({';'.join(reads)})"


def test_no_scene_is_asked_the_same_in_other_words(many: list[Question], few: list[Question]) -> None:
    for questions in (many, few):
        meant = Counter((q.scene, _meaning(q.program, len(q.program) - 1)) for q in questions)
        assert [m for m, n in meant.items() if n > 1] == []


OWN_WORDS = ("filter_size", "filter_color", "filter_shape")


def _told(facts: StillView, q: Question, k: int, target: int = -1) -> str:
    """Return what a step asks, with the ids of objects in place of all words that single one out; of the
    object of the step `target` also what it is told apart by, beside its own size, color and shape.
    """
    step = q.program[k]
    if step.op == "unique":
        one = run(q.program, facts).selected(facts)[k][0]
        below = step.inputs[0]
        while q.program[below].op in OWN_WORDS:
            below = q.program[below].inputs[0]
        return f"{one} of {_told(facts, q, below)}" if k == target else one
    reads = [_told(facts, q, i, target) for i in step.inputs]
    if step.op in ("union", "intersect") or step.op.startswith("equal_"):
        reads.sort()
    return f"{step.op}{list(step.args)}({';'.join(reads)})"


def _repeats(scenes: Sequence[Scene], questions: Sequence[Question]) -> list[tuple[str, str]]:
    """Return the texts of questions of one scene that ask the same once objects stand for their names."""
    by_id = {s.id: still_view(s, FATHOM) for s in scenes}
    seen: dict[tuple[str, str, str], str] = {}
    found = []
    for q in questions:
        last = q.program[-1]
        target = last.inputs[0] if last.op in ("query_size", "query_color", "query_shape") else -1
        key = q.scene, q.task, _told(by_id[q.scene], q, len(q.program) - 1, target)
        if key in seen:
            found.append((seen[key], q.text))
        seen[key] = q.text
    return found


def test_no_scene_is_asked_the_same_of_an_object_by_another_name(few: list[Question]) -> None:
    scenes = [clear_scene("few", k) for k in range(40)]
    assert _repeats(scenes, few) == []


def _answered(facts: StillView, questions: Sequence[Question]) -> list[tuple[str, str]]:
    """Return the pairs of questions of which one counts, or looks for, what the other says is just one."""
    single: dict[str, str] = {}
    for q in questions:
        for step in q.program:
            if step.op == "unique":
                single[_told(facts, q, step.inputs[0])] = q.text
    found = []
    for q in questions:
        if q.program[-1].op in ("count", "exist"):
            answer = single.get(_told(facts, q, q.program[-1].inputs[0]))
            found += [(q.text, answer)] if answer else []
    return found


def test_no_question_says_how_many_another_of_its_scene_counts(few: list[Question]) -> None:
    asked_of: dict[str, list[Question]] = defaultdict(list)
    for q in few:
        asked_of[q.scene].append(q)
    scenes = {s.id: still_view(s, FATHOM) for s in (clear_scene("few", k) for k in range(40))}
    assert [pair for name, some in asked_of.items() for pair in _answered(scenes[name], some)] == []


def _told_as(name: str, **slots: Words | str) -> str:
    (template,) = [t for t in templates() if t.id == name]
    return asked(template, tuple((slot, slots[slot]) for slot in template.slot_names))[-1]


def test_the_same_question_in_other_words_is_told_as_the_same() -> None:
    red, car, large, none = ("", "red", ""), ("", "", "car"), ("large", "", ""), ("", "", "")
    one, two = _told_as("L2.same_size.count", A=car), _told_as("L2.same_size.filter_count", A=car, B=none)
    assert one == two
    near: dict[str, Words | str] = {"A": car, "B": red, "C": large, "r": "left"}
    assert _told_as("L3.or.first", **near) == _told_as("L3.or.second", **near)
    assert _told_as("L3.or.first", **near) != _told_as("L3.or.first", **{**near, "r": "right"})
    more: dict[str, Words | str] = {"A": car, "B": red, "C": large, "D": car, "r": "left", "s": "left"}
    turned: dict[str, Words | str] = {"A": large, "B": car, "C": car, "D": red, "r": "left", "s": "left"}
    assert _told_as("L3.greater_than.both", **more) == _told_as("L3.less_than.both", **turned)
    assert _told_as("L3.greater_than.both", **more) != _told_as("L3.less_than.both", **more)


def test_what_cannot_be_met_is_told_by_name(many: list[Question]) -> None:
    without = [q for q in many if q.tags["template"] != "L3.and.size"]
    kept = [q for q in without if q.tags["template"] == "L5.own.or.both"][:2]
    fewer = [q for q in without if q.tags["template"] != "L5.own.or.both"] + kept
    table = shares_table(fewer, ASKING, 150)
    assert "130 of 131 templates are asked" in table.notes
    assert "never asked: L3.and.size" in table.notes
    assert any("fewer than 5 times" in n and "L5.own.or.both" in n for n in table.notes)
    assert len([r for r in table.rows if r[0].startswith("L3_2d_spatial")]) == 7
