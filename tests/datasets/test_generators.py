"""Generators of the project and of others: one pipeline builds with them, and they read what they declare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.pulsecheck457 import BENCHMARK as PULSECHECK457
from fathom.datasets.registry import GENERATORS, generator_named, maker_of
from fathom.datasets.requests import plan_asked
from fathom.records import InputError
from fathom.scenes.videos.desktop import Desktop
from fathom.settings import listed
from fathom.store.datasets import open_dataset
from tests.datasets.own_generator import ASKED, BENCHMARK, HERE, OwnStills


def test_a_generator_from_outside_builds_and_its_answers_are_derived_again(tmp_path: Path) -> None:
    name, out = f"{HERE}:BENCHMARK", tmp_path / "d"
    api.build_dataset(name, out, scenes=2, renderer="none", workers=1)
    assert {s.generator for s in open_dataset(out).scenes()} == {"own"}
    assert isinstance(maker_of("own", BENCHMARK.generators), OwnStills)
    found = api.check_dataset(out, blind=False)
    assert found.passed and out in ASKED


@pytest.mark.parametrize(
    ("benchmark", "given", "said"),
    [
        (
            "4d-bench",
            {"rules": "paper"},
            "--set rules=paper: is for scenes that stand still, and 4d-bench has",
        ),
        ("sti-bench", {"rules": "paper"}, "--set rules=paper: is for scenes that stand still"),
        ("pulsecheck457", {"clip_model": "x"}, "--set clip_model=x: is for films of animated objects"),
        ("pulsecheck457", {"fewst": 5}, "there is no setting 'fewst' of scenes .*; did you mean fewest"),
        (f"{HERE}:BENCHMARK", {"desktop.most": 5}, "there is no setting 'desktop.most' of scenes"),
        ("pulsecheck457", Desktop(), "expected StillSettings or Scatter or a mapping"),
    ],
)
def test_a_setting_that_a_generator_does_not_have_is_refused(
    benchmark: str, given: object, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        api.build_dataset(benchmark, tmp_path / "d", scenes=1, renderer="none", settings=given)
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_says_what_it_makes_and_what_each_of_its_settings_is(name: str) -> None:
    generator = generator_named(name)
    assert generator.makes and generator.title and generator.plural
    assert [line.name for line in listed(generator.defaults) if not line.what] == []


def test_every_kind_of_scenes_has_one_maker() -> None:
    every = [kind for name in GENERATORS for kind in generator_named(name).makes]
    assert len(every) == len(set(every))


def test_a_generator_that_there_is_not_is_named(tmp_path: Path) -> None:
    for name, said in (
        ("moons", "'moons': no such generator; there is stills, animated-objects, videos"),
        ("no.such:THING", "'no.such:THING': the generator cannot be imported"),
    ):
        other = replace(PULSECHECK457, generators={name: ""})
        with pytest.raises(InputError, match=said):
            plan_asked(other, {}, {}, workers=1)
    with pytest.raises(InputError, match="'videos': pulsecheck457 is not made by this generator; there is"):
        plan_asked(PULSECHECK457, {}, {}, workers=1, generator="videos")
