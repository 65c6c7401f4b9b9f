"""Wrong options are drawn by their rules, and no shortcut is left that can be levelled."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fathom.benchmarks.seedbench.videos.balancing import with_wrong_options
from fathom.benchmarks.seedbench.videos.drafts import DraftWithOptions, VideoOption
from fathom.benchmarks.seedbench.videos.prediction import (
    NOT_NEXT,
    OTHER_NOUNS,
    OTHER_VERBS,
    TWO_BY_TWO,
    UNSURE,
    prediction_drafts,
)
from fathom.benchmarks.seedbench.videos.procedure import OTHER_ORDER, procedure_drafts
from fathom.benchmarks.seedbench.videos.recognition import recognition_drafts
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.shortcuts import CUES, credit, credits_of
from fathom.formats.actions.reading import read_actions
from fathom.formats.actions.record import LabelledAction
from fathom.formats.import_findings import ImportFindings
from tests.actions import made

SETTINGS = VideoQuestionSettings()


def predicted(folder: Path, videos: int) -> list[DraftWithOptions]:
    path = made.epic(folder / "a.csv", videos, nouns=8)
    drafts = prediction_drafts(read_actions(path, ImportFindings()), SETTINGS, ImportFindings())
    return with_wrong_options(list(drafts), SETTINGS, ImportFindings())


def test_options_of_a_prediction_are_what_the_rule_says(tmp_path: Path) -> None:
    found = predicted(tmp_path, 25)
    for one in found:
        verb, noun = one.draft.actions[0].pair
        pairs = [tuple(o.text.split()) for o in one.wrong]
        if one.rule == OTHER_VERBS:
            assert {n for _, n in pairs} == {noun}
        elif one.rule == OTHER_NOUNS:
            assert {v for v, _ in pairs} == {verb}
        else:
            assert one.rule == TWO_BY_TWO
            assert [v == verb for v, _ in pairs].count(True) == 1
            assert [n == noun for _, n in pairs].count(True) == 1
        assert len({o.cues["noun_earlier"] for o in one.options}) == 1
    assert len({one.rule for one in found}) >= 2


def test_what_an_annotator_says_of_the_answer_is_no_wrong_option(tmp_path: Path) -> None:
    """The answer was "insert plate", said as "put plate into fridge": "put plate" was a wrong option."""
    told = read_actions(made.epic(tmp_path / "a.csv", 25, nouns=8), ImportFindings())
    before = with_wrong_options(
        list(prediction_drafts(told, SETTINGS, ImportFindings())), SETTINGS, ImportFindings()
    )
    said = {one.draft.actions[0].id: f"{one.wrong[0].text} once more" for one in before}

    def worded(a: LabelledAction) -> LabelledAction:
        return replace(a, words=said.get(a.id, a.words))

    videos = tuple(replace(v, actions=tuple(map(worded, v.actions))) for v in told.videos)
    drafts = prediction_drafts(replace(told, videos=videos), SETTINGS, ImportFindings())
    after = with_wrong_options(list(drafts), SETTINGS, ImportFindings())
    asked = [one for one in after if one.draft.actions[0].id in said]
    assert len(asked) > 10
    for one in asked:
        assert said[one.draft.actions[0].id].removesuffix(" once more") not in {o.text for o in one.wrong}


def test_no_guesser_by_a_cue_is_far_from_chance(tmp_path: Path) -> None:
    found = predicted(tmp_path, 40)
    assert len(found) > 60
    for name in credits_of(found[0].options):
        share = sum(credits_of(one.options)[name] for one in found) / len(found)
        assert 0.15 < share < 0.35, name


def test_each_option_of_a_prediction_could_have_been_the_right_one(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "a.csv", 25, nouns=8)
    drafts = list(prediction_drafts(read_actions(path, ImportFindings()), SETTINGS, ImportFindings()))
    found = with_wrong_options(drafts, SETTINGS, ImportFindings())
    for one in found:
        for option in one.wrong:
            others = [o for o in one.options if o.text != option.text]
            right = [d for d in drafts if d.answer.text == option.text]
            assert any(d.exchange and d.exchange(others) for d in right), (one.options, option)


def test_a_common_action_is_no_likelier_to_be_right(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "a.csv", 40, nouns=7)
    drafts = list(prediction_drafts(read_actions(path, ImportFindings()), SETTINGS, ImportFindings()))
    common = Counter(d.answer.text for d in drafts)
    right = [
        credit([float(common[o.text]) for o in one.options])
        for seed in range(4)
        for one in with_wrong_options(drafts, replace(SETTINGS, seed=seed), ImportFindings())
    ]
    assert len(right) > 200
    assert 0.19 < sum(right) / len(right) < 0.31


def test_an_action_is_not_asked_for_where_another_one_begins_before_it(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "a.csv", videos=2)
    path.write_text(path.read_text() + made.epic_row("P01_10_50", 14.5, 14.9, 4, 3) + "\n")
    findings = ImportFindings()
    drafts = list(prediction_drafts(read_actions(path, ImportFindings()), SETTINGS, findings))
    assert "P01_10_5" not in {d.actions[0].id for d in drafts}
    assert findings.left_out(NOT_NEXT) == 1


def test_what_follows_a_malformed_row_is_not_asked_for(tmp_path: Path) -> None:
    path = made.epic(tmp_path / "a.csv", videos=2)
    path.write_text(path.read_text().replace("00:00:15.00,00:00:16.00", "later,00:00:16.00"))
    findings = ImportFindings()
    list(prediction_drafts(read_actions(path, ImportFindings()), SETTINGS, findings))
    assert findings.left_out(UNSURE) == 2


def test_templates_that_say_a_part_of_the_answer_are_no_wrong_options(tmp_path: Path) -> None:
    templates = [*list(made.CLASSES)[:6], "Lifting [something]"]
    folder = made.something(tmp_path, [(str(k), t) for k, t in enumerate(templates)])
    (folder / "labels.json").unlink()
    drafts = {d.actions[0].verb: d for d in recognition_drafts(read_actions(folder, ImportFindings()))}
    found = with_wrong_options([drafts["Lifting [something] up"]], SETTINGS, ImportFindings())
    assert found
    assert "lifting a cup" not in {o.text for o in found[0].options}


def test_another_order_has_the_same_actions(tmp_path: Path) -> None:
    steps = ["take_bowl", "pour_cereals", "pour_milk", "stir_cereals", "take_spoon"]
    for person in range(6):
        order = steps[person % 5 :] + steps[: person % 5]
        made.breakfast(tmp_path, f"P{person:02}_cam01_P{person:02}_cereals", order)
    drafts = list(procedure_drafts(read_actions(tmp_path, ImportFindings()), SETTINGS, ImportFindings()))
    found = with_wrong_options(drafts, SETTINGS, ImportFindings())
    assert found
    for one in (one for one in found if one.rule == OTHER_ORDER):
        lists = [o.text.split(", ") for o in one.options]
        assert len({tuple(sorted(some)) for some in lists}) == 1


@pytest.mark.parametrize(
    ("values", "right"),
    [([2.0, 1, 1, 1], 1.0), ([1.0, 1, 0, 0], 0.5), ([0.0, 1, 1, 1], 0.0), ([1.0] * 4, 0.25)],
)
def test_equals_are_drawn(values: list[float], right: float) -> None:
    assert credit(values) == right


def test_the_longest_option_is_found() -> None:
    options = [VideoOption(text, ()) for text in ("take the long knife", "cut", "put", "wash")]
    assert credits_of(options)[CUES["length"][0]] == 1.0
    assert credits_of(options)[CUES["length"][1]] == 0.0
