"""Each place among the five is the answer's as often, and options are as far apart as can be told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.balancing.option_places import LOOSE, dealt_places
from fathom.questions.balancing.video import chosen
from fathom.questions.balancing.video_numbers import Spreading
from fathom.questions.candidate import Selection
from fathom.questions.contexts.video import Moment, video_context
from fathom.questions.contexts.video_precision import precision_of
from fathom.questions.contexts.video_visibility import Sights
from fathom.questions.mix import wanted_of
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.option_sets import Options
from fathom.questions.numeric.separation import LEVELS, Slot, graded, level_of, rounded_up
from fathom.questions.sampling.video import drafted
from fathom.questions.summary.lacking import lacking_in, lacking_levels
from fathom.questions.video_candidate import VideoCandidate, VideoSelected
from fathom.questions.writing.video import drawn_of, out_of_view, written
from fathom.records import Question, Scene
from fathom.scenes.videos.outdoor import draw_outdoor
from tests.tracks_questions.conftest import RECIPE
from tests.tracks_questions.worlds import projected

Worlds = dict[str, tuple[Scene, Sights]]


def test_the_answers_are_at_the_places_that_were_dealt(
    selection: Selection[VideoSelected], worlds: Worlds
) -> None:
    """In every task the places are those that were dealt first, none left out: a place for which answers
    are rare is as likely as the others.
    """
    wanted = wanted_of(RECIPE.mix, [s for s, _ in worlds.values()])
    counts: dict[str, Counter[int]] = {}
    for p in selection.selected:
        if p.plan.is_ranked:
            assert p.options.rank == p.plan.slot.rank
            counts.setdefault(p.candidate.template.task, Counter())[p.options.rank] += 1
    assert len(counts) == 3
    places = dealt_places({c: n for c, n in wanted.items() if c[0] in counts}, RECIPE)
    for task, ranks in counts.items():
        assert ranks == Counter(places[task, "desktop"][: ranks.total()])


def test_what_is_seen_of_some_places_tells_nothing_of_the_others() -> None:
    """Of a small set one part is looked at, and the place that is rarest there is said of the rest, or the
    one that is most frequent: right in a fifth. Places dealt evenly give 42 % to the first, 1 to the second.
    """
    cells = {(f"task {k}", "indoor"): 20 for k in range(6)}
    right = {"rarest": 0.0, "most frequent": 0.0}
    most = 0.0
    for seed in range(400):
        dealt = dealt_places(cells, replace(RECIPE, seed=str(seed)))
        counts = np.bincount([p for own in dealt.values() for p in own], minlength=5)
        most = max(most, float(np.abs(counts - 24).max()))
        for own in dealt.values():
            seen, rest = np.bincount(own[:15], minlength=5), np.bincount(own[15:], minlength=5)
            for name, best in (("rarest", seen.min()), ("most frequent", seen.max())):
                right[name] += float(rest[seen == best].mean()) / 5
    shares = {name: n / (400 * len(cells)) for name, n in right.items()}
    assert all(abs(share - 0.2) < 0.012 for share in shares.values()), shares
    assert most <= LOOSE * np.sqrt(120 * 0.16)  # whoever always says one place is at chance


def test_all_answers_of_a_pool_give_every_place(candidates: list[VideoCandidate]) -> None:
    """Also the rarest place is found: an answer is taken for it for which there is room."""
    turned = [d for d in candidates if d.template.id == "turned_signed"]
    would, _ = Spreading(turned, ("test",)).for_slots([Slot(r, "middle") for r in range(5)])
    assert all(would)
    low, high = (np.median([p.candidate.value for p in would[r]]) for r in (0, 4))
    assert low < high  # what is to be the least of five lies lower


def test_on_streets_it_is_dealt_which_of_five_places_in_a_row_is_the_answer(
    candidates: list[VideoCandidate],
) -> None:
    """Else the nearest and the farthest would be the answer more often: answers lie at the ends of a span."""
    centres = [replace(d, setting="outdoor") for d in candidates if d.template.id == "centre"]
    assert all(d.is_ranked for d in centres)
    would, _ = Spreading(centres, ("test",)).for_slots([Slot(r, "hard") for r in range(5) for _ in range(4)])
    found = Counter[int]()
    for plan in (own[0] for own in would):
        drawn = drawn_of(plan, RECIPE)
        if drawn is not None:
            ahead = [n[2] for n in drawn.options.numbers]
            assert sorted(ahead).index(ahead[drawn.options.index]) == plan.slot.rank
            found[plan.slot.rank] += 1
    assert len(found) == 5


def test_places_in_a_row_are_compared_with_those_of_what_is_as_large(
    candidates: list[VideoCandidate],
) -> None:
    """Small things are seen from near alone: a cone among lorries would be told to be the nearest."""
    place = next(d for d in candidates if d.template.id == "centre")
    cone, post, lorry = (replace(place, setting="outdoor", reach_px_m=r) for r in (400.0, 420.0, 4000.0))
    assert cone.stratum == post.stratum != lorry.stratum
    assert replace(cone, setting="indoor").stratum == replace(lorry, setting="indoor").stratum


def test_no_place_lies_beside_what_the_camera_sees(candidates: list[VideoCandidate]) -> None:
    place = replace(next(d for d in candidates if d.template.id == "centre"), view_deg=60.0)
    rows = [(1.0, 0.5, z) for z in (2.0, 3.0, 4.0, 5.0)]
    seen, beside = (Options(tuple("abcde"), 0, numbers=(*rows, (1.0, 0.5, z))) for z in (1.8, 1.6))
    assert not out_of_view(place, seen) and out_of_view(place, beside)
    assert out_of_view(place, replace(beside, index=4))
    first = next(d for d in candidates if d.template.id == "box_in_first_frame")
    assert not out_of_view(first, beside)


def test_no_option_is_nearer_than_a_careful_person_could_tell(questions: list[Question]) -> None:
    told = [q for q in questions if q.choices and q.precision is not None]
    assert len(told) > 40
    for q in told:
        assert q.precision is not None
        ratio = float(q.tags["nearest_error"]) / q.precision.value
        assert ratio >= 1 and q.tags["difficulty"] == level_of(ratio)
    assert set(Counter(q.tags["difficulty"] for q in told)) == set(LEVELS)
    twins = [q for q in questions if not q.choices]
    assert twins and all(q.precision and "difficulty" not in q.tags for q in twins)


def test_precision_grows_with_distance_and_shrinks_with_size(
    worlds: Worlds, candidates: list[VideoCandidate]
) -> None:
    """Twice as many pixels to an edge: what hangs on pixels is twice as coarse, the share of scale is not."""
    one = next(d for d in candidates if d.template.id == "camera_distance")
    scene, visibility = worlds[one.scene]
    edge = RECIPE.reading.edge_px
    fine, coarse = (replace(RECIPE, reading=replace(RECIPE.reading, edge_px=px)) for px in (edge, 2 * edge))
    tracks = video_context(scene, visibility, RECIPE).tracks
    answered = replace(run(one.program, tracks), tolerance=(0.0,))
    place = int(np.flatnonzero(tracks.shown == tracks.at(float(one.times[0])))[0])
    who, moment = [tracks.index(one.objects[0])], Moment(place, place)
    stages = [video_context(scene, visibility, r) for r in (fine, coarse)]
    for s in stages:
        s.scale = 0.0  # metres known exactly
    two = [precision_of(s, one.template, who, moment, answered) for s in stages]
    assert two[1] == pytest.approx(2 * two[0])
    stage = video_context(scene, visibility, RECIPE)
    away, side = answered.numbers[0], float(stage.sides_px[who[0], place].max())
    assert two[0] == pytest.approx(away * np.sqrt(2) * RECIPE.reading.edge_px / side)
    scaled = precision_of(stage, one.template, who, moment, answered)
    assert scaled == pytest.approx(np.hypot(two[0], stage.scale * away))


def test_the_papers_own_errors_can_be_asked_for(worlds: Worlds) -> None:
    recipe = replace(RECIPE, errors="paper")
    found = [d for s, visibility in worlds.values() for d in drafted(s, visibility, recipe)]
    picked = chosen(found, wanted_of(recipe.mix, [s for s, _ in worlds.values()]), recipe).selected
    for q in written(picked, recipe):
        if q.sampled_error is not None and q.tags["quantity"] in ("height", "displacement", "distance"):
            measure = measure_of("desktop", q.tags["quantity"])
            assert measure.least <= q.sampled_error <= measure.most


def test_no_two_questions_of_a_video_ask_for_the_same_number(selection: Selection[VideoSelected]) -> None:
    said = [
        (p.candidate.scene, p.options.texts[p.options.index]) for p in selection.selected if p.options.numbers
    ]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(("value", "said"), [(0.041, 0.05), (0.05, 0.05), (1.01, 1.5), (0.72, 1.0)])
def test_precisions_are_said_in_a_few_steps(value: float, said: float) -> None:
    assert rounded_up(value) == pytest.approx(said)


def test_five_lengths_differ_by_equal_factors_and_are_refused_where_they_cannot() -> None:
    length = measure_of("indoor", "height")
    found = graded(length, 0.05, "middle")
    assert found is not None and found.ratio
    assert 1 - np.exp(-found.least) == pytest.approx(0.1)
    assert graded(length, 0.3, "easy") is None
    assert graded(measure_of("indoor", "azimuth_change"), 2.0, "easy") is not None


def test_the_documented_scene_is_one() -> None:
    text = (Path(__file__).parents[2] / "docs" / "scenes.md").read_text(encoding="utf-8")
    scene = msgspec.json.decode(text.partition("```json\n")[2].partition("```")[0], type=Scene)
    assert scene.source["setting"] == "desktop" and len(scene.cameras[0].poses) == len(scene.times_s)


def test_what_is_missing_of_a_level_is_told_by_its_name(questions: list[Question]) -> None:
    easy = [q for q in questions if q.tags.get("difficulty") == "easy" and "nearest_error" in q.tags]
    left = [q for q in questions if q not in easy]
    told = sum(q.tags.get("difficulty", "") != "" and "nearest_error" in q.tags for q in left)
    found = lacking_levels(left, RECIPE.mix)
    assert found["easy", "desktop"] == int(RECIPE.mix.levels["easy"] * told)
    every = lacking_levels(questions, RECIPE.mix)
    assert every.get(("easy", "desktop"), 0) < found["easy", "desktop"]
    selection = Selection[VideoSelected](levels=found)
    selection.short["pose_estimation", "desktop"] = 4
    assert lacking_in(selection) == {"desktop": 4 + sum(found.values())}


def test_the_five_turns_are_all_turns_that_were_made(
    selection: Selection[VideoSelected], candidates: list[VideoCandidate]
) -> None:
    """What cameras usually do in so many seconds holds for all five alike: each is the turn of a camera of
    the build in a span that lasts as long, and none of them is an option of two questions.
    """
    turns = [p for p in selection.selected if p.candidate.template.task == "ego_centric_orientation"]
    assert len(turns) > 3
    used: set[tuple[str, ...]] = set()
    by_names = {d.names: d for d in candidates}
    for p in turns:
        five = (p.candidate, *p.plan.beside)
        assert len({d.stratum[:3] for d in five}) == 1
        sides = (1, *p.plan.sides)
        made = sorted(by_names[d.names].value * s for d, s in zip(five, sides, strict=True))
        shown = sorted(n for (n,) in p.options.numbers)
        np.testing.assert_allclose(shown, made, atol=p.options.step / 2 + 1e-9)
        assert p.options.rank == sum(n < p.candidate.value for n in made)
        names = {d.names for d in five}
        assert len(names) == 5 and used.isdisjoint(names)
        used |= names


def test_of_five_places_on_a_table_none_is_above_it_or_below_it(
    selection: Selection[VideoSelected], worlds: Worlds
) -> None:
    asked = [p for p in selection.selected if p.candidate.template.id in ("centre", "box")]
    assert len(asked) > 5
    for p in asked:
        tracks = video_view(worlds[p.candidate.scene][0])
        up = tracks.views[tracks.at(float(p.candidate.times[0]))].T @ (0.0, 0.0, 1.0)
        places = np.array(p.options.numbers)[:, :3]
        assert np.ptp(places @ up) < 3 * p.options.step < 0.2 * np.ptp(places[:, [0, 2]], axis=0).max()
        assert np.ptp(places[:, 1]) > p.options.step


def test_of_five_places_on_a_street_none_is_above_the_ground_or_below_it() -> None:
    """The camera looks down a little: what is farther ahead on the ground has another y."""
    scenes = {s.id: s for s in (draw_outdoor(k, "ahead") for k in range(10))}
    found = [d for s in scenes.values() for d in drafted(s, projected(s), RECIPE)]
    places = [d for d in found if d.template.id == "centre"]
    wanted = {(places[0].template.task, "outdoor"): 6}
    # What is asked of so few hangs on which of five places in a row are dealt first.
    choices = (chosen(places, wanted, replace(RECIPE, seed=seed)).selected for seed in "abcd")
    asked = [p for selected in choices for p in selected]
    assert len(asked) > 2
    for p in asked:
        tracks = video_view(scenes[p.candidate.scene])
        up = tracks.views[tracks.at(float(p.candidate.times[0]))].T @ (0.0, 0.0, 1.0)
        above = np.array(p.options.numbers) @ up
        nearer = np.ptp(np.array(p.options.numbers), axis=0)
        assert nearer[0] == 0 and nearer[2] > 1
        assert np.ptp(above) < 0.05 * nearer[2] * abs(up[2]) + 0.06
