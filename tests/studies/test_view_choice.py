"""Views drawn for each question, and views chosen by what has to be seen."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom import api
from fathom.benchmarks.fourdbench.viewing import best_views, drawn_views
from fathom.media.cells import hits, needs_of
from fathom.media.sampling import floor_step
from fathom.records import InputError, Need, pictures_of, without_answer
from fathom.store.datasets import open_dataset
from fathom.store.runs import open_run
from tests.protocols.made import write_4d_bench
from tests.studies.made import FRAMES, VIEWS, need

SHOWN = dict.fromkeys(range(VIEWS), floor_step(FRAMES, 6))
NEEDS = st.lists(st.integers(0, 200).map(lambda k: need("view", k)), min_size=1, max_size=4)


def met(needs: list[Need], views: tuple[int, ...]) -> int:
    return sum(hits(n, {v: SHOWN[v] for v in views}) > 0 for n in needs)


@given(NEEDS)
def test_the_first_view_chosen_shows_as_many_needs_as_any(needs: list[Need]) -> None:
    assert met(needs, best_views(needs, SHOWN, 1)) == max(met(needs, (v,)) for v in range(VIEWS))


@given(NEEDS, st.integers(1, 4))
def test_views_chosen_one_by_one_lose_little_against_the_best_set(needs: list[Need], wanted: int) -> None:
    # A greedy cover is never below 1 − 1/e of the best one.
    best = max(met(needs, views) for views in combinations(range(VIEWS), min(wanted, 2)))
    chosen = best_views(needs, SHOWN, wanted)
    assert len(set(chosen)) == wanted and list(chosen) == sorted(chosen)
    assert met(needs, chosen) >= (1 - 1 / 2.718281828) * best


@given(NEEDS)
def test_all_views_are_chosen_where_all_are_wanted(needs: list[Need]) -> None:
    assert best_views(needs, SHOWN, VIEWS + 3) == tuple(range(VIEWS))


@given(st.text(max_size=8), st.integers(1, VIEWS))
def test_more_drawn_views_take_in_those_that_fewer_had(question: str, wanted: int) -> None:
    fewer, more = (drawn_views(VIEWS, n, "0", question) for n in (wanted, wanted + 1))
    assert set(fewer) <= set(more)
    assert len(fewer) == wanted


def test_every_view_is_drawn_about_as_often() -> None:
    drawn = [v for k in range(2400) for v in drawn_views(VIEWS, 1, "0", f"q{k}")]
    assert all(60 <= drawn.count(v) <= 145 for v in range(VIEWS))


def test_prompts_show_the_views_that_the_evidence_chooses(objects: Path) -> None:
    dataset = open_dataset(objects)
    protocol = api.benchmark_named("4d-bench").protocols["default"]
    assert protocol.changed is not None
    protocol = protocol.changed({"view-choice": "evidence", "views": "2"})
    assert protocol.prepared is not None
    ready = protocol.prepared(dataset.questions(), dataset.media)
    for question in list(dataset.questions())[:20]:
        prompt = ready.prompt(
            without_answer(question), ready.variants(without_answer(question))[0], dataset.media
        )
        views = sorted({dataset.media(p.media).view for p in pictures_of(prompt)})
        assert tuple(views) == best_views(needs_of(question), SHOWN, 2)


def test_what_was_chosen_stands_in_the_manifest_as_a_hash_and_in_no_prompt(
    objects: Path, tmp_path: Path
) -> None:
    api.run_model(objects, "oracle", tmp_path / "run", settings={"view-choice": "evidence", "views": "1"})
    settings = open_run(tmp_path / "run").manifest.settings
    assert settings["protocol.view-choice"] == "evidence"
    assert settings["protocol.views-chosen"] == 120
    assert len(str(settings["protocol.views-chosen-sha256"])) == 64
    assert not any(
        "evidence" in field
        for field in type(without_answer(next(open_dataset(objects).questions()))).__struct_fields__
    )


def test_without_evidence_views_cannot_be_chosen_by_it(tmp_path: Path) -> None:
    folder = write_4d_bench(tmp_path / "set")
    with pytest.raises(InputError, match="none of the questions says what has to be seen"):
        api.run_model(folder, "random", tmp_path / "run", settings={"view-choice": "evidence"})


def test_a_protocol_that_has_not_gone_through_the_questions_says_so(objects: Path) -> None:
    dataset = open_dataset(objects)
    protocol = api.benchmark_named("4d-bench").protocols["default"]
    assert protocol.changed is not None
    unready = protocol.changed({"view-choice": "evidence"})
    asked = without_answer(next(dataset.questions()))
    with pytest.raises(InputError, match="goes through all questions first"):
        unready.prompt(asked, unready.variants(asked)[0], dataset.media)
