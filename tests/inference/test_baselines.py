"""The models that need no network: what they say is known beforehand."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from fathom.inference.models.oracle import with_noise
from fathom.inference.start import run_plan
from fathom.records import InputError, Manifest, MissingExtraError, Question
from fathom.store.datasets import MANIFEST, QUESTIONS, Dataset, open_dataset
from fathom.store.files import read_json, write_json, write_jsonl
from fathom.store.runs import open_run
from tests.extractors import EXTRACTORS
from tests.inference.folders import make_dataset, plan, scene


def picked(dataset: Dataset, model: str, out: Path, seed: str = "0") -> dict[str, str | None]:
    run_plan(plan(dataset, model, out, seed=seed))
    read = EXTRACTORS["fathom"].read
    return {r.question: read(dataset.question(r.question), r.text).picked for r in open_run(out).responses()}


def right(dataset: Dataset) -> dict[str, str | None]:
    return {q.id: q.answer for q in dataset.questions()}


def test_the_perfect_model_is_right_everywhere(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    assert picked(dataset, "scripted:perfect", tmp_path / "r") == right(dataset)


def test_always_a_says_the_first_answer_possible(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    assert set(picked(dataset, "scripted:always-a", tmp_path / "r").values()) == {"0"}


def test_the_mute_model_answers_and_nothing_can_be_read(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    assert set(picked(dataset, "scripted:mute", tmp_path / "r").values()) == {None}
    assert all(r.status == "ok" for r in open_run(tmp_path / "r").responses())


def test_the_broken_model_fails_everywhere_and_is_asked_again(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    for _ in range(2):
        summary = run_plan(plan(dataset, "scripted:broken", tmp_path / "r"))
        assert (summary.failed, summary.skipped, summary.complete) == (12, 0, False)
    assert [r.status for r in open_run(tmp_path / "r").responses()] == ["failed"] * 12


def test_a_script_in_a_file_says_what_stands_there(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=3)
    script = tmp_path / "said.jsonl"
    script.write_text('{"question": "q0", "text": "Answer: 2"}\n{"question": "q1", "text": "who knows"}\n')
    assert picked(dataset, f"scripted:{script}", tmp_path / "r") == {"q0": "2", "q1": None, "q2": None}


def test_random_answers_are_uniform_and_follow_from_the_seed(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=2000, per_scene=50)
    first = picked(dataset, "random", tmp_path / "a", seed="1")
    assert picked(dataset, "random", tmp_path / "b", seed="1") == first
    assert picked(dataset, "random", tmp_path / "c", seed="2") != first
    counts = Counter(first.values())
    assert set(counts) == {"0", "1", "2", "3"}
    assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 16.3  # χ², 3 degrees of freedom, p = .001


def test_the_oracle_without_noise_is_right_everywhere(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    assert picked(dataset, "oracle", tmp_path / "r") == right(dataset)
    assert {r.finish for r in open_run(tmp_path / "r").responses()} == {"computed"}


def test_the_oracle_gets_worse_as_its_eyes_do(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=200, per_scene=5)
    truth = right(dataset)

    def accuracy(sigma: float) -> float:
        said = picked(dataset, f"oracle:position_sigma_m={sigma}", tmp_path / f"r{sigma}")
        return sum(said[k] == truth[k] for k in truth) / len(truth)

    curve = [accuracy(sigma) for sigma in (0.0, 0.4, 1.0, 20.0)]
    assert curve == sorted(curve, reverse=True)
    assert curve[0] == 1.0
    assert 0.15 < curve[-1] < 0.45  # four answers, and nothing left of the scene


def test_noise_moves_positions_and_headings_by_what_it_says() -> None:
    offsets, turns = [], []
    for number in range(300):
        there = scene(number)
        seen = with_noise(there, 0.3, math.radians(10), "0")
        for a, b in zip(there.objects, seen.objects, strict=True):
            offsets += [b.poses[0].position_m[k] - a.poses[0].position_m[k] for k in (0, 1)]
            assert b.poses[0].position_m[2] == a.poses[0].position_m[2]
            w = sum(p * q for p, q in zip(a.poses[0].rotation_wxyz, b.poses[0].rotation_wxyz, strict=True))
            turns.append(2 * math.acos(min(1.0, abs(w))))
    spread = math.sqrt(sum(x * x for x in offsets) / len(offsets))
    assert spread == pytest.approx(0.3, rel=0.06)
    assert math.sqrt(sum(x * x for x in turns) / len(turns)) == pytest.approx(math.radians(10), rel=0.09)
    assert with_noise(scene(1), 0.3, 0.1, "0") == with_noise(scene(1), 0.3, 0.1, "0")


def test_the_oracle_guesses_where_its_program_finds_nothing(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    asked = dataset.question("q0")
    nobody = msgspec.structs.replace(asked.program[1], args=("cyan",))
    program = (asked.program[0], nobody, *asked.program[2:])
    write_jsonl(dataset.path / QUESTIONS, [msgspec.structs.replace(asked, program=program)])
    run_plan(plan(open_dataset(dataset.path), "oracle", tmp_path / "r"))
    (said,) = open_run(tmp_path / "r").responses()
    assert said.finish == "guessed"
    assert json.loads(said.text)["Answer"] in asked.possible


def test_the_oracle_has_nothing_to_compute_from_in_an_imported_dataset(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    bare = msgspec.structs.replace(dataset.question("q0"), program=())
    write_jsonl(dataset.path / QUESTIONS, [bare])
    with pytest.raises(InputError, match="has no program to compute its answer from"):
        run_plan(plan(open_dataset(dataset.path), "oracle", tmp_path / "r"))


def test_a_baseline_says_so_where_there_is_nothing_to_guess_from(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    bare = msgspec.structs.replace(dataset.question("q0"), possible=())
    write_jsonl(dataset.path / QUESTIONS, [bare])
    with pytest.raises(InputError, match="neither choices nor possible answers"):
        run_plan(plan(open_dataset(dataset.path), "random", tmp_path / "r"))


def biased(dataset: Dataset) -> Dataset:
    """Let the answer follow from a word of the question, which a blind guesser can learn."""

    def tell(q: Question) -> Question:
        word = {"1": "apples", "2": "pears", "3": "plums"}[q.answer]
        return msgspec.structs.replace(q, text=f"How many {word}?")

    write_jsonl(dataset.path / QUESTIONS, [tell(q) for q in dataset.questions()])
    return open_dataset(dataset.path)


def test_the_prior_learns_what_the_words_give_away(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    asked = biased(make_dataset(tmp_path / "d", questions=60, seed="1"))
    other = biased(make_dataset(tmp_path / "o", questions=240, seed="2"))
    said = picked(asked, f"prior:{other.path}", tmp_path / "r")
    truth = right(asked)
    assert sum(said[k] == truth[k] for k in truth) / len(truth) > 0.9


def test_the_prior_never_learns_on_what_is_asked(tmp_path: Path) -> None:
    asked = make_dataset(tmp_path / "d", seed="1")
    with pytest.raises(InputError, match="is the dataset that is asked"):
        plan(asked, f"prior:{asked.path}", tmp_path / "r").open()
    same_seed = make_dataset(tmp_path / "o", questions=16, seed="1")
    with pytest.raises(InputError, match="built from the same seed '1'"):
        plan(asked, f"prior:{same_seed.path}", tmp_path / "r").open()
    manifest = read_json(same_seed.path / MANIFEST, Manifest)
    write_json(same_seed.path / MANIFEST, msgspec.structs.replace(manifest, benchmark="other", seed="2"))
    with pytest.raises(InputError, match="holds other, and pulsecheck457 is asked"):
        plan(asked, f"prior:{same_seed.path}", tmp_path / "r").open()


def test_the_prior_names_the_extra_that_it_misses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    asked = make_dataset(tmp_path / "d", seed="1")
    other = make_dataset(tmp_path / "o", questions=16, seed="2")
    with pytest.raises(MissingExtraError, match="pip install 'fathom-bench"):
        run_plan(plan(asked, f"prior:{other.path}", tmp_path / "r"))
