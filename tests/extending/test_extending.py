"""What another package adds works with every verb, and no file of the project knows of it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import fathom
from fathom import api
from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.libraries import open_library
from fathom.assets.tabletop.catalogue import dressed, tabletop_assets
from fathom.datasets.operators import enter_operators
from fathom.ground_truth.files import read_truth
from fathom.programs import engine
from fathom.programs.registry import OPERATORS, ProgramRun
from fathom.programs.rules import FATHOM
from fathom.programs.values import Scenes, Value
from fathom.programs.views.still import StillView, still_view
from fathom.records import InputError, Score
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl
from fathom.store.runs import open_run
from fathom.verify.engine import derived_text
from fathom.verify.rule_sets import observed_still
from tests.extending.ring import Ring, RingSettings

HERE = "tests.extending"
WORLD, METRIC = f"{HERE}.ring:GENERATOR", f"{HERE}.metric:answer_length"
RULE, MODEL = f"{HERE}.last_word:EXTRACTOR", f"{HERE}.backend:open_echo"


@pytest.fixture(scope="module")
def rings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of rings, made by PulseCheck457 of a world that it has not heard of."""
    out = tmp_path_factory.mktemp("rings") / "set"
    settings = {"fewest": 3, "radius_m": (2.0, 2.5)}
    fathom.build(
        "pulsecheck457", out, generator=WORLD, scenes=3, settings=settings, renderer="none", workers=1
    )
    return out


def scores_of(run: Path, extractor: str) -> list[Score]:
    return list(read_jsonl(run / "scores" / extractor / "scores.jsonl", Score))


def test_a_world_is_one_file_and_goes_through_every_verb(rings: Path, tmp_path: Path) -> None:
    dataset = fathom.load_dataset(rings)
    radii = [np.hypot(*o.poses[0].position_m[:2]) for scene in dataset.scenes() for o in scene.objects]
    assert len(dataset) > 20 and len(radii) >= 9
    assert min(radii) >= 1.999 and max(radii) <= 2.501
    assert api.check_dataset(rings, blind=False).passed
    run = fathom.run(dataset, "oracle", tmp_path / "run")
    assert fathom.score(run)["accuracy"].value == 1.0
    assert fathom.report(run, tmp_path / "report").is_file()


def test_the_settings_of_a_world_from_outside_are_listed_and_checked(tmp_path: Path) -> None:
    what, lines = api.build_settings("pulsecheck457", WORLD)
    assert what == "pulsecheck457: rings of objects"
    assert {line.name: line.takes for line in lines}["radius_m"] == "number, number in m"
    build: dict[str, Any] = {"generator": WORLD, "scenes": 1, "renderer": "none", "workers": 1}
    with pytest.raises(
        InputError, match="there is no setting 'radios_m' of rings of objects; did you mean radius_m"
    ):
        fathom.build("pulsecheck457", tmp_path / "a", settings={"radios_m": 1}, **build)
    for settings in (Ring(radius_m=(2.0, 2.0)), RingSettings(world=Ring(radius_m=(2.0, 2.0)))):
        out = tmp_path / type(settings).__name__
        scene = next(iter(fathom.build("pulsecheck457", out, settings=settings, **build).scenes()))
        assert np.hypot(*scene.objects[0].poses[0].position_m[:2]) == pytest.approx(2.0, abs=1e-5)


def test_a_world_goes_to_a_benchmark_that_asks_about_its_kind_of_scenes_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="4d-bench is not made by this generator; there is animated-objects"):
        fathom.build("4d-bench", tmp_path / "d", generator=WORLD, scenes=1, renderer="none")


def test_a_backend_a_rule_and_a_metric_are_named_where_they_are_used(rings: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    ran = api.run_model(rings, MODEL, run, options={"words": "3"})
    assert ran.requests and not ran.failed
    said = {r.text for r in open_run(run).responses()}
    assert all(len(text.split()) == 3 for text in said)
    api.score_run(run, extractor=RULE, metrics=[METRIC])
    found = [s for s in scores_of(run, "last-word") if s.name == "answer_length"]
    assert [s.group["answers"] for s in found] == ["right", "wrong"]
    api.score_run(run)
    assert "answer_length" not in {s.name for s in scores_of(run, "fathom")}
    compared = api.compare_runs([run], extractors=f"fathom,{RULE}")
    assert "last_word:EXTRACTOR" in compared.text
    by_length = api.compare_runs([run], extractors=f"fathom,{RULE}", metrics=[METRIC])
    assert [d.group for d in by_length.found.own] == [{"answers": "right"}, {"answers": "wrong"}]
    assert by_length.text.startswith(compared.text.split("\n")[0])
    assert "answer_length, answers right" in by_length.text and '"answer_length"' in by_length.json
    assert api.write_report([run], tmp_path / "report", extractor=RULE).is_file()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"extractor": "last-word"}, "--extractor last-word: there is .*, or give module:attribute"),
        ({"extractor": f"{HERE}.last_word:NONE"}, "--extractor .*: cannot be imported"),
        ({"extractor": f"{HERE}.last_word:read"}, "expected a fathom.records.Extractor, found a function"),
        ({"metrics": ["answer_length"]}, "--metric answer_length: expected module:attribute"),
    ],
)
def test_what_is_none_is_refused(rings: Path, tmp_path: Path, given: dict[str, Any], said: str) -> None:
    api.run_model(rings, "random", tmp_path / "run", limit=7)
    with pytest.raises(InputError, match=said):
        api.score_run(tmp_path / "run", **given)


def test_an_asset_is_a_file_and_an_entry_and_is_drawn_painted_stacked_and_asked_about(tmp_path: Path) -> None:
    models = Path(__file__).with_name("models")
    settings = {
        "scales": "desktop",
        "desktop.stacked": 1.0,
        "desktop.seconds": 4,
        "desktop.width": 400,
        "desktop.height": 300,
    }
    out = tmp_path / "set"
    dataset = fathom.build(
        "sti-bench", out, scenes=2, seed="1", settings=settings, assets=models, renderer="none", workers=1
    )
    objects = [o for scene in dataset.scenes() for o in scene.objects]
    crates = [o for o in objects if o.asset.name == "mine:crate"]
    assert crates and {o.attributes["color"] for o in crates} <= {"red", "blue", "green", "yellow"}
    assert len({o.size_m for o in crates}) == len(crates)
    assert any("crate" in question.text for question in dataset)
    assert api.check_dataset(out, blind=False).passed


def test_a_crate_can_be_stood_on_and_another_world_takes_it_too() -> None:
    library = open_library(Path(__file__).with_name("models") / "tabletop")
    (crate,) = library.assets
    assert furniture_assets(library)["mine:crate"].carries == 0.9
    assert dressed(tabletop_assets(library)["mine:crate"], (0.2, 0.14, 0.1), "red").extents == pytest.approx(
        (0.2, 0.14, 0.1)
    )
    assert crate.recolourable and crate.noun == "crate"


def test_an_imported_benchmark_is_one_folder_and_goes_through_every_verb(tmp_path: Path) -> None:
    official = tmp_path / "official"
    official.mkdir()
    rows = [
        ("t1", "N", "How many tiles are there?", "one", "two", "three", "2", "a.png"),
        ("t2", "C", "What color is the tile at the top?", "red", "green", "blue", "3", "b.png"),
        ("t3", "X", "What is this?", "a", "b", "c", "1", "a.png"),
    ]
    for name, color in (("a.png", (200, 30, 30)), ("b.png", (30, 30, 200))):
        Image.new("RGB", (32, 32), color).save(official / name)
    with (official / "tiles.csv").open("w", newline="") as file:
        head = ("tile_id", "kind", "prompt", "first", "second", "third", "correct", "picture")
        csv.writer(file).writerows([head, *rows])

    name = f"{HERE}.tiles:BENCHMARK"
    dataset = fathom.import_dataset(name, official, tmp_path / "set")
    assert {s.id: (s.task, s.answer) for s in dataset} == {"t1": ("count", "two"), "t2": ("color", "blue")}
    assert "a kind that the benchmark does not have" in (tmp_path / "set" / "import.json").read_text()
    run = fathom.run(dataset, "scripted:perfect", tmp_path / "run", settings={"polite": True})
    other = fathom.run(dataset, "scripted:always-a", tmp_path / "other", protocol="circular")
    scores = fathom.score(run)
    assert scores["accuracy"].value == 1.0
    assert {s.group.get("answers") for s in scores_of(run.path, "fathom") if s.name == "answer_length"} == {
        "right",
        "wrong",
    }
    assert scores.by("task").keys() == {"count", "color"}
    assert fathom.report([run, other], tmp_path / "report").is_file()


NEAREST = f"{HERE}.nearest:BENCHMARK"


@pytest.fixture(scope="module")
def nearest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset whose programs need an operator that the project does not have."""
    out = tmp_path_factory.mktemp("nearest") / "set"
    fathom.build(NEAREST, out, scenes=6, renderer="none", workers=2)
    return out


def test_an_operator_is_one_declaration_and_its_second_derivation(nearest: Path, tmp_path: Path) -> None:
    questions = list(open_dataset(nearest).questions())
    assert {q.tags["asks"] for q in questions} == {"size", "color", "shape"} and len(questions) >= 12
    for q in questions:
        assert [step.op for step in q.program][-2:] == ["nearest", f"query_{q.tags['asks']}"]
        assert q.margin is not None and q.margin.relation.startswith("behind") and q.margin.ratio >= 1
        assert not any(step.op == f"filter_{q.tags['asks']}" for step in q.program)
    assert api.check_dataset(nearest, blind=False).passed
    run = fathom.run(nearest, "oracle", tmp_path / "run")
    assert fathom.score(run)["accuracy"].value == 1.0


def test_the_answer_of_an_operator_from_outside_is_derived_again_from_pixels(
    nearest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = open_dataset(nearest)
    asked = [(q, dataset.scene(q.scene)) for q in dataset.questions()]
    seen = {s.id: observed_still(s, read_truth(dataset.truth_path(s)), "fathom") for _, s in asked}

    def agree() -> list[bool]:
        engine._plan.cache_clear()
        engine._planned.cache_clear()
        first = [engine.run(q.program, still_view(s, FATHOM)).answer for q, s in asked]
        return [a == derived_text(q.program, seen[s.id]) for a, (q, s) in zip(first, asked, strict=True)]

    assert all(agree())
    wrong = tuple(replace(o, act=farthest) for o in OPERATORS["nearest"] if Scenes.STILL in o.scenes)
    with monkeypatch.context() as patch:
        patch.setitem(OPERATORS, "nearest", wrong)
        assert not all(agree())
    engine._plan.cache_clear()
    engine._planned.cache_clear()


def farthest(run: ProgramRun[StillView], inputs: Sequence[Value], args: Sequence[str]) -> int:
    """A fault: the object of a set that all others are nearer than."""
    yes, _ = inputs[0]
    rows = run.view.relations["front"].rows
    return next((k for k, (near, _) in enumerate(rows) if yes >> k & 1 and not yes & ~(1 << k) & ~near), 0)


@pytest.mark.parametrize(
    ("field", "where", "said"),
    [
        ("operators", f"{HERE}.nearest.operator:nearest", "expected a tuple of .*registry.Operator"),
        ("verification", f"{HERE}.nearest.verified:NONE", "cannot be imported"),
        ("operators", f"{HERE}.nearest.operator:OPERATORS_AGAIN", "cannot be imported"),
    ],
)
def test_operators_that_are_none_are_refused(field: str, where: str, said: str) -> None:
    given = {"operators": "", "verification": ""} | {field: where}
    with pytest.raises(InputError, match=f"{field} .*{said}"):
        enter_operators(given["operators"], given["verification"])
