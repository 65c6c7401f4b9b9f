"""Requests follow from the dataset, and their keys from all that can change an answer."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.inference.estimate import estimate_plan, image_tokens
from fathom.inference.models.random import RandomBackend
from fathom.inference.requests import count_requests, derive_requests
from fathom.inference.start import run_plan
from fathom.records import MediaPart, Request
from fathom.store.datasets import QUESTIONS, Dataset, open_dataset
from fathom.store.files import write_jsonl
from tests.inference.folders import BENCHMARK, make_dataset, plan


def requests(dataset: Dataset, protocol: str = "default", seed: str = "0", limit: int = 0) -> list[Request]:
    backend = RandomBackend(seed, str)
    return list(derive_requests(dataset, BENCHMARK.protocols[protocol], backend, limit))


def keys(dataset: Dataset, protocol: str = "default", seed: str = "0", limit: int = 0) -> list[str]:
    return [r.key for r in requests(dataset, protocol, seed, limit)]


def test_the_same_dataset_gives_the_same_requests(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    first = requests(dataset)
    assert requests(open_dataset(dataset.path)) == first
    assert len({r.key for r in first}) == 12
    assert all(len(bytes.fromhex(r.key)) == 16 for r in first)


def test_a_request_never_carries_the_answer_the_program_or_the_margin(tmp_path: Path) -> None:
    for request in requests(make_dataset(tmp_path / "d")):
        fields = msgspec.to_builtins(request)["asked"].keys()
        assert not fields & {"answer", "equivalents", "program", "margin", "evidence", "references"}


def test_whatever_can_change_an_answer_changes_the_key(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    found = {*keys(dataset), *keys(dataset, seed="1"), *keys(dataset, protocol="blind")}
    question = dataset.question("q0")
    write_jsonl(dataset.path / QUESTIONS, [msgspec.structs.replace(question, text="Other words?")])
    found |= set(keys(open_dataset(dataset.path)))
    other_picture = make_dataset(tmp_path / "o", questions=1, seed="17")
    found |= set(keys(other_picture))
    assert len(found) == 5


def test_what_cannot_change_an_answer_leaves_the_key(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    before = keys(dataset)
    changed = msgspec.structs.replace(dataset.question("q0"), answer="2", source="elsewhere")
    write_jsonl(dataset.path / QUESTIONS, [changed])
    assert keys(open_dataset(dataset.path)) == before


def test_the_blind_protocol_withholds_every_picture(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    for request in requests(dataset, "blind"):
        assert request.variant.media_withheld
        assert request.purpose == "blind"
        assert not any(isinstance(part, MediaPart) for part in request.prompt.parts)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 30), st.integers(1, 30))
def test_a_higher_limit_keeps_what_a_lower_one_asked(
    tmp_path_factory: pytest.TempPathFactory, a: int, b: int
) -> None:
    dataset = make_dataset(tmp_path_factory.mktemp("d"), questions=25, per_scene=25)
    low, high = sorted((a, b))
    few, many = requests(dataset, limit=low), requests(dataset, limit=high)
    assert len(few) == min(low, 25) == count_requests(dataset, BENCHMARK.protocols["default"], low)
    assert {r.key for r in few} <= {r.key for r in many}
    tasks = [r.asked.task for r in few]
    assert abs(tasks.count("L1_single") - tasks.count("L3_2d_spatial")) <= 1


def test_an_estimate_counts_what_is_left_and_writes_nothing(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d")
    whole = plan(dataset, "openai:m@http://localhost:1/v1", tmp_path / "r")
    found = estimate_plan(whole)
    assert (found.requests, found.done, found.pictures) == (12, 0, 12)
    assert found.tokens_in > 12 * (85 + 170)
    assert found.tokens_out == 12 * 1024
    assert not (tmp_path / "r").exists()
    run_plan(plan(dataset, "random", tmp_path / "q", limit=5))
    assert estimate_plan(plan(dataset, "random", tmp_path / "q")).done == 5
    assert "7 of 12 requests to ask" in str(estimate_plan(plan(dataset, "random", tmp_path / "q")))


@pytest.mark.parametrize(
    ("size", "tokens"), [((512, 512), 255), ((1024, 1024), 765), ((2048, 4096), 1105), ((640, 480), 425)]
)
def test_pictures_are_estimated_by_their_tiles(size: tuple[int, int], tokens: int) -> None:
    assert image_tokens(*size) == tokens


def test_repeats_are_requests_of_their_own_and_the_first_is_the_plain_one(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=4)
    backend, protocol = RandomBackend("0", str), BENCHMARK.protocols["default"]
    thrice = list(derive_requests(dataset, protocol, backend, repeats=3))
    assert len(thrice) == 12 == count_requests(dataset, protocol, repeats=3)
    assert len({r.key for r in thrice}) == 12
    assert [r for r in thrice if r.variant.repeat == 0] == requests(dataset)
    assert [(r.asked.id, r.variant.repeat) for r in thrice] == [
        (f"q{k}", repeat) for k in range(4) for repeat in range(3)
    ]
