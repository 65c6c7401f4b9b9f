"""The words that shapes are said with are those of the models that scenes are drawn from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fathom.assets.libraries import built_in_library
from fathom.benchmarks.pulsecheck457 import BENCHMARK
from fathom.benchmarks.pulsecheck457.construction import recipe, vocabulary_of
from fathom.benchmarks.pulsecheck457.tasks import VOCABULARY
from fathom.datasets.generators.stills import recipe_named
from fathom.records import InputError, Scene
from tests.questions.asked import make_questions
from tests.questions.synthetic import random_scene

KINDS = (
    ("service vehicle", "fire truck"),
    ("car", "sedan"),
    ("tractor", "tractor"),
    ("car", "suv"),
    ("bus", "school"),
    ("boat", "rowing boat"),
    ("car", "taxi"),
)


def with_kinds(scene: Scene) -> Scene:
    """The scene with its objects taken for those of KINDS."""
    objects = []
    for k, obj in enumerate(scene.objects):
        category, subtype = KINDS[(k * 5 + len(scene.objects)) % len(KINDS)]
        objects.append(msgspec.structs.replace(obj, category=category, subtype=subtype))
    return msgspec.structs.replace(scene, objects=tuple(objects))


def test_the_built_in_models_have_the_papers_words_in_the_papers_order() -> None:
    words = vocabulary_of(built_in_library().subtypes())
    assert words == VOCABULARY
    assert list(words.shapes) == list(VOCABULARY.shapes)
    assert recipe("0", kinds=built_in_library().subtypes()) == recipe("0")


def test_a_folder_of_models_has_its_own_words_and_no_others() -> None:
    words = vocabulary_of(KINDS)
    assert list(words.shapes) == [
        "suv", "sedan", "school bus", "fire truck", "tractor", "rowing boat", "taxi",
    ]  # fmt: skip
    assert words.shapes_of("car") == {"suv", "sedan", "taxi"}
    assert words.shapes_of("service vehicle") == {"fire truck"}
    assert words.shapes_of("tractor") == {"tractor"}


def test_every_shape_of_a_folder_of_models_is_an_answer() -> None:
    scenes = [with_kinds(random_scene("kinds", k)) for k in range(40)]
    questions, _ = make_questions(scenes, recipe("kinds", kinds=KINDS))
    asked = [q for q in questions if q.tags["asks"] == "shape"]
    assert {q.answer for q in asked} == set(vocabulary_of(KINDS).shapes)
    assert {a for q in asked for a in q.possible} == set(vocabulary_of(KINDS).shapes)
    assert all(q.answer in q.possible for q in asked)


def test_a_build_from_a_folder_of_models_takes_their_words(assets_folder: Path) -> None:
    pytest.importorskip("DracoPy", reason="the package DracoPy is not installed")
    construct = BENCHMARK.generators["stills"]
    shapes = recipe_named(construct, "0", "fathom", assets_folder / "vehicles").asking.vocabulary.shapes
    assert {"fire truck", "tractor", "helicopter", "suv"} <= set(shapes)
    assert "airliner" not in shapes
    assert recipe_named(construct, "0", "fathom", None).asking.vocabulary == VOCABULARY


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ((("car", "utility"),), "'utility bike' is a kind of bicycle already"),
        ((("car", "van"), ("bus", "van")), "'van' is a kind of car already"),
    ],
)
def test_one_name_for_two_kinds_is_said(kinds: tuple[tuple[str, str], ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        vocabulary_of(kinds)


def test_a_paper_subtype_may_be_of_another_class() -> None:
    assert vocabulary_of((("truck", "truck"), ("car", "suv"))).shapes == {"suv": "car", "truck": "truck"}
