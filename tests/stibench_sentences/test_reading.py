"""The words of every question of STI-Bench are read by a grammar of its own, and say what is asked."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

import fathom.benchmarks.stibench.sentences as reader
from fathom.benchmarks.stibench.construction import templates
from fathom.benchmarks.stibench.sentences import read_text
from fathom.benchmarks.stibench.sentences.amounts import read_amount, read_way
from fathom.benchmarks.stibench.sentences.meaning import CAMERA, AskedQuantity, NamedObject
from fathom.benchmarks.stibench.sentences.naming import Names, read_name
from fathom.benchmarks.stibench.sentences.questions import read_words
from fathom.benchmarks.stibench.sentences.world import RecordedScene, apart_m
from fathom.datasets.findings import Checks
from fathom.programs.engine import run
from fathom.programs.views.video import video_view
from fathom.questions.contexts.video_visibility import Seeing, seen_by
from fathom.records import Question, Scene, SceneObject, Step, UnreadableError
from fathom.store.datasets import open_dataset
from fathom.store.files import read_json
from tests.stibench_sentences.conftest import Texts
from tests.stibench_sentences.corpus import worlds
from tests.tracks_questions.worlds import projected

NAMES = Names(
    (("a", "mug", "red"), ("b", "office chair", "blue"), ("c", "chair", "red"), ("d", "police car", ""),
     ("e", "pedestrian", "white"), ("f", "suv", "black"))
)  # fmt: skip


def test_every_text_that_worlds_offer_is_read_and_agrees(texts: Texts) -> None:
    found = [(read_text(q, scene), q) for scene, q in texts]
    assert [(r.why, q.text, q.choices) for r, q in found if r.verdict != "agree"] == []
    assert all(r.why == "" for r, _ in found)


def test_every_form_is_among_them_in_two_wordings_or_more(texts: Texts) -> None:
    said = Counter((q.tags["form"], q.tags.get("numeric", "")) for _, q in texts)
    assert {f.id for f in templates().templates} == {form for form, _ in said}
    assert sum(n == "yes" for _, n in said) > 15


def test_every_text_of_a_built_dataset_is_read_and_the_build_says_so(videos: Path) -> None:
    dataset = open_dataset(videos)
    for q in dataset.questions():
        assert read_text(q, dataset.scene(q.scene)).verdict == "agree"
    (promise,) = (v for v in read_json(videos / "checks.json", Checks).verdicts if "text means" in v.name)
    assert promise.passed and "0 mean something else" in promise.found


def test_a_question_is_read_in_a_few_milliseconds(texts: Texts) -> None:
    import time

    some = texts[::7]
    start = time.process_time()
    for scene, q in some:
        read_text(q, scene)
    assert time.process_time() - start < 0.01 * len(some)


def test_the_reader_shares_nothing_with_what_writes() -> None:
    """Only the records, and its own parts; no name of a benchmark's, a program's or the build's modules."""
    for path in Path(reader.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                top = name.partition(".")[0]
                own = name.startswith((reader.__name__, "fathom.records")) or top == "numpy"
                assert own or top in sys.stdlib_module_names, f"{path.name} imports {name}"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("the mug", NamedObject("mug")),
        ("the red mug", NamedObject("mug", "red")),
        ("the pedestrian in white", NamedObject("pedestrian", "white")),
        ("the office chair that moves", NamedObject("office chair", motion="moves")),
        ("the chair to the left of the red mug",
         NamedObject("chair", "", "", "left", NamedObject("mug", "red"))),
        ("the black suv that turns right", NamedObject("suv", "black", "turns right")),
        ("the chair that is farther from the camera than the police car",
         NamedObject("chair", "", "", "farther", NamedObject("police car"))),
        ("the mug on the chair", NamedObject("mug", "", "", "on", NamedObject("chair"))),
        ("the mug closest to the suv", NamedObject("mug", "", "", "closest", NamedObject("suv"))),
    ],
)  # fmt: skip
def test_what_names_an_object_is_taken_apart(words: str, named: NamedObject) -> None:
    assert read_name(words, NAMES) == named


@pytest.mark.parametrize(
    "words", ["the cup", "mug", "the mug on", "the mug that moves the chair", "the red blue mug"]
)
def test_what_names_no_object_is_not_read(words: str) -> None:
    with pytest.raises(UnreadableError):
        read_name(words, NAMES)


def test_times_may_stand_anywhere_and_roles_are_kept() -> None:
    before = read_words("Between 1.0 s and 4.5 s, how long is the path of the mug?", NAMES)
    behind = read_words("How long is the path of the mug between 1.0 s and 4.5 s?", NAMES)
    assert before == behind and before.asked == AskedQuantity("path", (NamedObject("mug"),), (1.0, 4.5))
    apart = read_words(
        "At 5 s, how far is the mug from where it was at 2 seconds, in a straight line?", NAMES
    )
    assert apart.asked.moment == (2.0, 5.0)
    near = read_words("At 2.5 s, how far is the camera from the center of the mug?", NAMES)
    assert set(near.asked.bodies) == {CAMERA, NamedObject("mug")}
    assert near == read_words("At 2.5 s, how far is the camera from the centre of the mug?", NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "How long is the path of the mug?",
        "At 2.0 s, how long is the path of the mug?",
        "Between 1.0 s and 2.0 s, how long is the path of the mug at 3.0 s?",
        "Between 1.0 s and 2.0 s, how long is the shadow of the mug?",
        "Between 1.0 s and 2.0 s, how long is the path of the mug? It is heavy.",
        "Between 1.0 s and 2.0 s, how long is the path of the mug? Below 0 means that it gets slower. "
        "Below 0 means that it gets slower.",
    ],
)
def test_a_text_with_other_times_or_unknown_words_is_not_read(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_words(text, NAMES)


@pytest.mark.parametrize(
    ("text", "value"),
    [("12.4 cm", 0.124), ("−0.5 m/s²", -0.5), ("-3 m", -3.0), ("35.0° to the right", -35.0),
     ("35° to the left", 35.0), ("90 cm/s", 0.9), ("36 km/h", 10.0)],
)  # fmt: skip
def test_numbers_are_read_in_any_digits_and_unit(text: str, value: float) -> None:
    assert read_amount(text)[0].value == pytest.approx(value)


@pytest.mark.parametrize("text", ["12.4", "about 3 m", "−35° to the left", "3 furlongs", "1,5 m"])
def test_what_is_no_number_with_a_unit_is_not_read(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_amount(text)


def test_a_way_is_read_piece_by_piece() -> None:
    leg, turn, spot, stop, side = read_way(
        "Goes straight for 3.0 m, then turns left by 90° over 6.3 m, then turns right by 20° on the spot, "
        "then stands still for 2.0 s, then moves to the right for 5.0 cm."
    )
    assert (leg.kind, leg.way, leg.m) == ("leg", "forward", 3.0)
    assert (turn.deg, turn.m, spot.deg, spot.way) == (90.0, 6.3, -20.0, "on the spot")
    assert (stop.s, side.way, side.m) == (2.0, "to the right", 0.05)
    with pytest.raises(UnreadableError):
        read_way("Goes straight for 3.0 m, then flies.")


def test_own_formulas_give_what_programs_give() -> None:
    """Gaps by steps downhill against corners, faces and edges: two ways to the same number."""
    (scene,) = worlds({"indoor": (0,)})
    tracks = seen_by(video_view(scene), projected(scene), Seeing())
    world = RecordedScene(scene)
    objects = [t.id for t in scene.objects if t.category != "structure"][:8]
    steps = (Step(op="at", args=("3.0",)), Step(op="gap", inputs=(0, 1, 2)))
    for a in objects:
        for b in objects:
            if a != b:
                program = (Step(op="thing", args=(a,)), Step(op="thing", args=(b,)), *steps)
                own = apart_m(world, a, b, world.frame(3.0))
                assert own == pytest.approx(run(program, tracks).numbers[0], abs=2e-4)


def test_objects_may_have_names_with_marks_in_them(texts: Texts) -> None:
    """Salt and pepper sets, mugs (large), and what else people call their models."""
    found = 0
    for scene, q in texts:
        nouns = {s.args[0] for s in q.program if s.op == "named"}
        if not nouns or any("camera" in n or any(n in o for o in nouns - {n}) for n in nouns):
            continue
        renamed = {n: f"no. {k}: salt, oil and {n} (large)" for k, n in enumerate(sorted(nouns))}

        def said(text: str, renamed: dict[str, str] = renamed) -> str:
            for noun, odd in renamed.items():
                text = re.sub(rf"\b{re.escape(noun)}\b", odd, text, flags=re.IGNORECASE)
            return text

        objects = tuple(
            msgspec.structs.replace(t, attributes={**t.attributes, "name": renamed.get(called(t), called(t))})
            for t in scene.objects
        )
        program = tuple(
            msgspec.structs.replace(s, args=(renamed[s.args[0]],)) if s.op == "named" else s
            for s in q.program
        )
        odd = msgspec.structs.replace(
            q, text=said(q.text), answer=said(q.answer), choices=tuple(map(said, q.choices)), program=program
        )
        reading = read_text(odd, msgspec.structs.replace(scene, objects=objects))
        assert reading.verdict == "agree", (odd.text, reading.why)
        found += 1
    assert found > 200


def called(obj: SceneObject) -> str:
    return obj.attributes.get("name") or obj.category


def changed(scene: Scene, q: Question, **fields: object) -> str:
    return read_text(msgspec.structs.replace(q, **fields), scene).verdict


def test_a_program_that_asks_another_object_than_the_words_is_found(texts: Texts) -> None:
    """Neither words nor answer are touched: only the program."""
    swaps = {
        "displacement": "path_length",
        "path_length": "displacement",
        "height": "width",
        "distance": "gap",
    }
    found = 0
    for scene, q in texts:
        last = q.program[-1]
        if last.op in swaps:
            program = (*q.program[:-1], msgspec.structs.replace(last, op=swaps[last.op]))
            assert changed(scene, q, program=program) == "disagree"
            found += 1
    assert found > 50


def test_evidence_that_selects_another_object_than_the_words_is_found(texts: Texts) -> None:
    found = 0
    for scene, q in texts:
        at = next((k for k, s in enumerate(q.program) if s.op == "the"), None)
        assert q.evidence is not None
        if at is None:
            continue
        steps, others = (
            list(q.evidence.steps),
            [t.id for t in scene.objects if t.id not in q.evidence.steps[at]],
        )
        steps[at] = (others[int(np.argmax([len(o) for o in others]))],)
        evidence = msgspec.structs.replace(q.evidence, steps=tuple(steps))
        assert changed(scene, q, evidence=evidence) == "disagree"
        found += 1
    assert found > 50


def test_a_world_in_which_something_else_is_true_is_found(texts: Texts) -> None:
    """The sizes of all objects are a tenth larger than when the questions were written."""
    found = 0
    for scene, q in texts:
        if q.tags["form"] in ("height", "width", "length", "box"):
            objects = tuple(
                msgspec.structs.replace(t, size_m=tuple(1.3 * v for v in t.size_m)) for t in scene.objects
            )
            assert read_text(q, msgspec.structs.replace(scene, objects=objects)).verdict == "disagree"
            found += 1
    assert found > 20
