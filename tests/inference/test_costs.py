"""What a run costs: prices, estimates, limits, and what is shown while it goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.inference.estimate import estimate_plan
from fathom.inference.plans import RunPlan
from fathom.inference.prices import OWN_FILE, Price, Prices, read_prices
from fathom.inference.runner import RunLimits
from fathom.inference.start import run_plan
from fathom.inference.summary import RunTally, Summary, dollars, short
from fathom.records import InputError, Response, Usage
from fathom.store.datasets import Dataset
from fathom.store.files import write_text
from fathom.store.runs import open_run
from tests.inference.endpoints import serving
from tests.inference.folders import make_dataset, plan

DEAR = Prices({"m": Price(input=1000.0, output=10_000.0)}, {})
EACH = 100 * 1000.0 / 1e6 + 7 * 10_000.0 / 1e6
"""What one reply of the tests' server costs at that price: 0.17."""


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d")


def with_limits(whole: RunPlan, prices: Prices | None = DEAR, **limits: float) -> RunPlan:
    return replace(whole, config=replace(whole.config, prices=prices, limits=RunLimits(**limits)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "like"),
    [
        ("gpt-4o", "gpt-4o"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("gemini-2.5-pro-preview-05-06", "gemini-2.5-pro"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
    ],
)
def test_a_price_holds_for_a_model_and_its_dated_versions(model: str, like: str) -> None:
    prices = read_prices()
    assert prices.of(model) == prices.packaged[like]


@pytest.mark.parametrize(
    "model", ["gpt-4o-audio-preview", "claude-opus-4-5", "o3-pro", "Qwen/Qwen2.5-VL-7B-Instruct", "gpt", ""]
)
def test_a_price_does_not_hold_for_another_model_whose_name_begins_alike(model: str) -> None:
    assert read_prices().of(model) is None


def test_prices_of_ones_own_go_first_and_may_hold_for_many(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    write_text(file, '"gpt-4o" = { input = 1, output = 2 }\n"Qwen2.5*" = { input = 0.1, output = 0.2 }\n')
    for prices in (read_prices(file), read_prices(environ={OWN_FILE: str(file)})):
        assert prices.of("gpt-4o") == Price(1.0, 2.0)
        assert prices.of("Qwen/Qwen2.5-VL-7B-Instruct") == Price(0.1, 0.2)
        assert prices.of("gpt-4o-mini") == read_prices().of("gpt-4o-mini")


@pytest.mark.parametrize(
    "text",
    [
        "no = toml = here",
        '"m" = 3',
        '"m" = { input = 1 }',
        '"m" = { input = 1, output = -2 }',
        '"m" = { input = nan, output = 2 }',
        '"m" = { input = 1, output = 2, per = "thousand" }',
    ],
)
def test_a_file_that_holds_no_prices_is_one_sentence(tmp_path: Path, text: str) -> None:
    write_text(tmp_path / "p.toml", text)
    with pytest.raises(InputError, match=r"p\.toml: expected lines such as"):
        read_prices(tmp_path / "p.toml")
    with pytest.raises(InputError, match="correct --prices"):
        read_prices(tmp_path / "missing.toml")


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9))
def test_cached_input_costs_less_and_never_more_than_all_of_it(tokens: int, cached: int, out: int) -> None:
    price = Price(input=2.0, output=8.0, cached_input=0.5)
    full, least = price.cost(tokens, out), price.cost(tokens, out, tokens)
    assert least <= price.cost(tokens, out, cached) <= full
    assert Price(2.0, 8.0).cost(tokens, out, cached) == full


def test_the_cost_is_shown_and_kept_for_the_whole_run(dataset: Dataset, tmp_path: Path) -> None:
    seen: list[str] = []
    with serving() as server:
        whole = plan(dataset, f"openai:m@{server.url}", tmp_path / "r", limit=5)
        first = run_plan(with_limits(whole), lambda s: seen.append(s.note()))
        second = run_plan(with_limits(replace(whole, config=replace(whole.config, limit=0))))
    assert f"{dollars(5 * EACH)}" in str(first)
    assert seen[-1].endswith("500 + 35 tokens, $0.85")
    assert "$1.19 ($2.04 for the whole run)" in str(second)
    counts = open_run(tmp_path / "r").manifest.counts
    assert counts["cost_millionths_of_usd"] == 12 * EACH * 1e6
    assert (counts["input_tokens"], counts["output_tokens"]) == (1200, 84)


def test_a_run_ends_before_it_costs_more_than_it_may_and_carries_on_when_it_may(
    dataset: Dataset, tmp_path: Path
) -> None:
    with serving() as server:
        whole = plan(dataset, f"openai:m@{server.url}", tmp_path / "r", concurrency=2)
        first = run_plan(with_limits(whole, cost=1.0))
        assert first.stopped.startswith("--max-cost 1: one more request could cost more")
        assert 3 * EACH < first.cost_so_far <= 1.0
        assert not open_run(tmp_path / "r").manifest.complete
        again = run_plan(with_limits(whole, cost=1.0))
        assert again.asked <= 1
        last = run_plan(with_limits(whole, cost=10.0))
    assert last.complete
    assert sorted(server.asked) == list(range(12))


def test_a_run_ends_after_so_many_requests_and_carries_on(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        whole = plan(dataset, f"openai:m@{server.url}", tmp_path / "r")
        for asked in (5, 5, 2):
            summary = run_plan(with_limits(whole, requests=5))
            assert (summary.asked, bool(summary.stopped)) == (asked, asked == 5)
        assert summary.complete
    assert sorted(server.asked) == list(range(12))


@pytest.mark.parametrize("model", ["random", "scripted:perfect"])
def test_models_that_answer_here_and_now_end_after_so_many_too(
    dataset: Dataset, tmp_path: Path, model: str
) -> None:
    summary = run_plan(with_limits(plan(dataset, model, tmp_path / "r"), requests=5))
    assert (summary.ok, summary.complete) == (5, False)


def test_a_cost_that_cannot_be_known_cannot_be_limited(dataset: Dataset, tmp_path: Path) -> None:
    whole = plan(dataset, "openai:m@http://localhost:1/v1", tmp_path / "r")
    with pytest.raises(InputError, match="what m costs is not known; write it into a file"):
        run_plan(with_limits(whole, None, cost=1.0))
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("name", "value"), [("max-cost", -1.0), ("max-cost", float("nan")), ("max-requests", -1), ("limit", -1)]
)
def test_limits_that_make_no_sense_are_refused(
    dataset: Dataset, tmp_path: Path, name: str, value: float
) -> None:
    whole = plan(dataset, "random", tmp_path / "r", limit=-1 if name == "limit" else 0)
    words = {"max-cost": "cost", "max-requests": "requests"}
    limits: dict[str, Any] = {words[name]: value} if name in words else {}
    with pytest.raises(InputError, match=f"--{name}: expected 0 or more, found {value}"):
        run_plan(with_limits(whole, **limits))


def test_an_estimate_says_what_it_would_cost_and_what_is_spent(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        whole = with_limits(plan(dataset, f"openai:m@{server.url}", tmp_path / "r", limit=4))
        before = estimate_plan(whole)
        assert before.cost == pytest.approx(before.tokens_in * 1e-3 + 4 * 1024 * 1e-2)
        assert "in all" in str(before)
        run_plan(whole)
        rest = estimate_plan(replace(whole, config=replace(whole.config, limit=0)))
    assert (rest.requests, rest.done, rest.pictures) == (12, 4, 8)
    assert str(rest).endswith("besides $0.68 spent before")
    unknown = with_limits(whole, None)
    assert "price unknown: write it into a file" in str(estimate_plan(unknown))
    assert "price" not in str(estimate_plan(plan(dataset, "random", tmp_path / "q")))


def test_a_smaller_picture_is_estimated_smaller(dataset: Dataset, tmp_path: Path) -> None:
    from fathom.inference.estimate import image_tokens

    assert image_tokens(2048, 2048, 512) == 85 + 170 < image_tokens(2048, 2048)


def test_the_note_says_what_happens_now() -> None:
    summary = Summary(total=1000, in_flight=9, at_most=16, price=Price(1.0, 1.0), before=RunTally())
    usage = Usage(input_tokens=1234, output_tokens=99)
    for k in range(100):
        status = "failed" if k < 3 else "ok"
        summary.add(Response(key="", question="q", status=status, usage=usage))  # type: ignore[arg-type]
        summary.tick(k * 0.5)
    assert (
        summary.note()
        == "2.0/s, 9 in flight of 16 that the server takes, 3 failed, 123k + 9.9k tokens, $0.13"
    )


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0"), (999, "999"), (1000, "1.0k"), (45_678, "46k"), (3_400_000, "3.4M")]
)
def test_numbers_in_few_digits(number: int, said: str) -> None:
    assert short(number) == said


@pytest.mark.parametrize(
    ("cost", "said"),
    [(0.0, "$0.00"), (0.00001, "under $0.0001"), (0.0123, "$0.012"), (0.5, "$0.50"), (1234.567, "$1,234.57")],
)
def test_sums_in_dollars(cost: float, said: str) -> None:
    assert dollars(cost) == said
