"""Replies of writers of wrong options: what is mended, what is rejected and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom.benchmarks.seedbench.videos.authoring.replies import read_reply
from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.benchmarks.seedbench.videos.prediction import COULD_BE_TRUE, prediction_drafts
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.wording import PART
from fathom.formats.actions.reading import read_actions
from fathom.formats.import_findings import ImportFindings
from tests.actions import made
from tests.actions.lies import LIES, PREDICTION, PROCEDURE, RECOGNITION, fitting, rotated
from tests.actions.scripted import OTHERS

TASKS = (RECOGNITION, PREDICTION, PROCEDURE)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda o: json.dumps({"wrong": o}),
        lambda o: json.dumps(o),
        lambda o: f"```json\n{json.dumps({'wrong': o})}\n```",
        lambda o: f"Here you are:\n{json.dumps({'wrong': o})}\nI hope that helps.",
        lambda o: json.dumps({"wrong": [f"({'ABC'[k]}) {t}" for k, t in enumerate(o)]}),
        lambda o: json.dumps({"wrong": [f"{t[:1].upper()}{t[1:]}." for t in o]}),
    ],
)
def test_the_form_of_a_reply_is_mended(
    drafts: dict[str, VideoDraft], task: str, wrap: Callable[[list[str]], str]
) -> None:
    draft = drafts[task]
    wanted = fitting(draft)
    found = read_reply(wrap(wanted), draft, 2.5)
    assert not isinstance(found, str), found
    assert [o.text for o in found] == wanted


def test_articles_go_where_the_right_option_has_none(drafts: dict[str, VideoDraft]) -> None:
    found = read_reply(
        '{"wrong": ["shake the jug", "fill a kettle", "peel carrot"]}', drafts[PREDICTION], 2.5
    )
    assert [o.text for o in found if not isinstance(o, str)] == list(OTHERS)


def test_a_list_may_stand_for_commas_and_underscores_for_spaces(drafts: dict[str, VideoDraft]) -> None:
    draft = drafts[PROCEDURE]
    lists = [rotated(draft, k).split(", ") for k in (1, 2, 3)]
    said = json.dumps({"wrong": [[step.replace(" ", "_") for step in steps] for steps in lists]})
    found = read_reply(said, draft, 2.5)
    assert [o.text for o in found if not isinstance(o, str)] == [", ".join(steps) for steps in lists]


def test_of_four_the_one_goes_that_is_no_wrong_option(drafts: dict[str, VideoDraft]) -> None:
    draft = drafts[PREDICTION]
    for four in (
        [OTHERS[0], draft.answer.text, *OTHERS[1:]],
        [*OTHERS, "sweep floor"],
        [OTHERS[0], OTHERS[0], *OTHERS[1:]],
    ):
        found = read_reply(json.dumps({"wrong": four}), draft, 2.5)
        assert [o.text for o in found if not isinstance(o, str)] == list(OTHERS), four


@pytest.mark.parametrize("name", LIES)
def test_a_reply_that_cannot_be_taken_is_rejected_for_its_reason(
    drafts: dict[str, VideoDraft], name: str
) -> None:
    task, reason, said = LIES[name]
    assert read_reply(said(drafts[task]), drafts[task], 2.5) == reason


def predicted(folder: Path, rows: list[str]) -> dict[str, VideoDraft]:
    path = folder / "EPIC_100_validation.csv"
    path.write_text("\n".join([made.HEADER, *rows]) + "\n")
    annotations = read_actions(path, ImportFindings())
    drafts = prediction_drafts(annotations, VideoQuestionSettings(), ImportFindings())
    return {draft.id.rpartition("_")[2]: draft for draft in drafts}


def test_what_is_done_until_the_right_action_ends_is_no_wrong_option(tmp_path: Path) -> None:
    rows = [
        made.epic_row("P01_10_0", 3, 5, 1, 1),
        made.epic_row("P01_10_1", 10, 14, 3, 3),
        made.epic_row("P01_10_2", 11, 13, 4, 4),
        made.epic_row("P01_10_3", 15, 16, 2, 2),
    ]
    ground = predicted(tmp_path, rows)["1"].ground
    assert ground.told()["From the end of the clip to the end of the right action"] == [
        "+1.0 s to +5.0 s: open cup",
        "+2.0 s to +4.0 s: cut bowl",
    ]
    assert ground.told()["After that"] == ["+6.0 s to +7.0 s: wash tap"]
    said = {text: ground.wrong(text) for text in ("cut bowl", "cut the bowls", "put knife", "wash tap")}
    assert list(said.values()) == [COULD_BE_TRUE, COULD_BE_TRUE, COULD_BE_TRUE, ""]
    assert ground.wrong("open cups") == PART
    before = predicted(tmp_path, [made.epic_row("P01_10_9", 1, 2, 3, 3), *rows])["1"].ground
    assert (before.wrong("put knife"), before.wrong("cut bowl")) == ("", COULD_BE_TRUE)


def test_what_an_annotator_said_counts_too_but_for_single_words(tmp_path: Path) -> None:
    first, second = made.epic_row("P01_10_0", 3, 5, 1, 1), made.epic_row("P01_10_1", 10, 14, 3, 3)
    said = second.replace(",open cup,", ",lift lid of cup,")
    assert predicted(tmp_path, [first, said])["1"].ground.wrong("lift lid") == PART
    short = second.replace(",open cup,", ",open,")
    assert predicted(tmp_path, [first, short])["1"].ground.wrong("open tap") == ""
