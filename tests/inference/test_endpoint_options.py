"""How an endpoint is reached: addresses, headers, bodies, what is left out, and what is written nowhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fathom.inference.endpoint import joined_url, shown_url
from fathom.inference.estimate import estimate_plan
from fathom.inference.models import openai
from fathom.inference.pace import Patience
from fathom.inference.start import run_plan
from fathom.records import EndpointError, InputError
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import make_dataset, plan

SECRET = "s3cr3t-of-mine"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "Patience", lambda: Patience(first_wait_s=0.002, longest_wait_s=0.02))


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d", questions=4)


def written(folder: Path) -> str:
    return "".join(path.read_text() for path in folder.rglob("*") if path.is_file())


def test_a_parameter_can_be_left_out(dataset: Dataset, tmp_path: Path) -> None:
    options = {"temperature": "none", "max_tokens": "none"}
    with serving() as server:
        run_plan(plan(dataset, f"openai:m@{server.url}", tmp_path / "r", options=options))
    assert {*server.bodies[0]} == {"model", "messages"}
    assert "parameter.temperature" not in open_run(tmp_path / "r").manifest.settings


def test_a_body_of_ones_own_is_added_and_is_part_of_what_an_answer_is_kept_under(
    dataset: Dataset, tmp_path: Path
) -> None:
    options = {"extra_body": '{"top_k": 5, "chat_template_kwargs": {"enable_thinking": true}}'}
    with serving() as server:
        run_plan(plan(dataset, f"openai:m@{server.url}", tmp_path / "r", options=options))
        assert server.bodies[0]["chat_template_kwargs"] == {"enable_thinking": True}
        assert server.bodies[0]["top_k"] == 5
        with pytest.raises(InputError, match=r"parameter\.extra_body"):
            run_plan(plan(dataset, f"openai:m@{server.url}", tmp_path / "r"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"extra_body": "{"}, "extra_body: expected a JSON object"),
        ({"extra_body": '{"messages": []}'}, "'messages' is put together from the question"),
        ({"headers": "[1]"}, "headers: expected a JSON object"),
        ({"headers": '{"X": 1}'}, "expected names of headers with texts"),
        ({"headers": '{"X": "a\\nb"}'}, "holds a line break"),
        ({"headers": '{"X": "$NO_SUCH"}'}, "the environment variable NO_SUCH is not set"),
        ({"thinks": "maybe"}, "thinks: expected auto, yes or no, found 'maybe'"),
        ({"thinking_tokens": "0"}, "thinking_tokens expects 1 or more, found 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    dataset: Dataset, tmp_path: Path, options: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        plan(dataset, "openai:m@http://localhost:1/v1", tmp_path / "r", options=options).open()


def test_headers_are_sent_and_written_nowhere(
    dataset: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def telling(before: int, asked: str) -> Reply:
        return (400, f"no: {SECRET}", {}) if "(1)" in asked else right(before, asked)

    options = {"headers": '{"api-key": "$MINE", "X-Title": "plain-words"}'}
    with serving(telling) as server:
        summary = run_plan(
            plan(dataset, f"openai:m@{server.url}", tmp_path / "r", options=options, environ={"MINE": SECRET})
        )
    assert server.headers[0]["api-key"] == SECRET
    assert server.headers[0]["X-Title"] == "plain-words"
    for text in (written(tmp_path / "r"), str(summary), *capsys.readouterr()):
        assert SECRET not in text
        assert "plain-words" not in text


def test_the_query_of_an_address_stays_behind_its_path_and_is_written_nowhere(
    dataset: Dataset, tmp_path: Path
) -> None:
    def telling(before: int, asked: str) -> Reply:
        return (400, f"no: {SECRET}", {}) if "(1)" in asked else right(before, asked)

    with serving(telling) as server:
        address = server.url.replace("/v1", "/openai/deployments/m")
        url = f"{address}/?api-version=2024-10-21&key={SECRET}"
        whole = plan(dataset, f"openai:m@{url}", tmp_path / "r")
        summary = run_plan(whole)
    assert server.paths[0] == f"/openai/deployments/m/chat/completions?api-version=2024-10-21&key={SECRET}"
    assert SECRET not in written(tmp_path / "r") + str(summary) + whole.config.shown_model
    notes = open_run(tmp_path / "r").manifest.notes
    assert notes == (f"endpoint {address}/chat/completions?api-version=2024-10-21&key=…",)


def test_errors_about_an_address_do_not_say_what_its_query_says(dataset: Dataset, tmp_path: Path) -> None:
    whole = plan(dataset, f"openai:m@http://127.0.0.1:9/v1?key={SECRET}", tmp_path / "r")
    with pytest.raises(EndpointError) as e:
        run_plan(whole)
    assert SECRET not in str(e.value) + written(tmp_path / "r")
    with pytest.raises(InputError) as wrong:
        plan(dataset, "openai:m", tmp_path / "s", options={"url": f"ftp://h/v1?key={SECRET}"}).open()
    assert SECRET not in str(wrong.value)


def test_addresses_are_joined_before_the_question_mark() -> None:
    azure = "https://x.example/openai/deployments/d/?api-version=1&key=abc#f"
    assert joined_url(azure, "a/b") == "https://x.example/openai/deployments/d/a/b?api-version=1&key=abc"
    assert shown_url(azure) == "https://x.example/openai/deployments/d?api-version=1&key=…"


@pytest.mark.parametrize("model", ["openai:gpt-4o", "openai:m@https://h.example/v1,key_env=NO_SUCH"])
def test_a_dry_run_needs_no_key(dataset: Dataset, tmp_path: Path, model: str) -> None:
    whole = plan(dataset, model, tmp_path / "r")
    with pytest.raises(InputError, match="is not set"):
        whole.open()
    found = estimate_plan(replace(whole, config=replace(whole.config, asks=False)))
    assert found.requests == 4


def test_a_restart_with_nothing_but_hopeless_requests_ends_as_the_first_start_did(
    dataset: Dataset, tmp_path: Path
) -> None:
    def hopeless(before: int, asked: str) -> Reply:
        return (500, "never", {}) if "(1)" in asked else right(before, asked)

    with serving(hopeless) as server:
        whole = plan(dataset, f"openai:m@{server.url},attempts=4", tmp_path / "r", concurrency=1)
        first = run_plan(whole)
        again = run_plan(whole)
    assert (first.ok, first.failed) == (3, 1)
    assert (again.skipped, again.asked, again.failed, again.stopped) == (3, 1, 1, "")
    with pytest.raises(EndpointError):  # the server is gone: that is to be mended first
        run_plan(whole)


def test_names_go_to_a_terminal_on_one_line_and_steer_nothing(dataset: Dataset, tmp_path: Path) -> None:
    from fathom.records import printable

    whole = plan(dataset, "openai:a\x1b[2Jb\x07", tmp_path / "r")
    assert whole.config.shown_model == "openai:a\\x1b[2Jb\\x07"
    assert printable("ä\n\x9b1m") == "ä\n\\x9b1m"


def test_what_a_server_calls_its_model_does_not_steer_a_terminal(dataset: Dataset, tmp_path: Path) -> None:
    def odd(before: int, asked: str) -> Reply:
        return 200, completion(None, finish="\x1b[31mred"), {}

    from fathom import api

    with serving(odd) as server, pytest.raises(EndpointError) as e:
        api.run_model(dataset.path, f"openai:m@{server.url}", tmp_path / "r")
    assert "\x1b" not in str(e.value)


def test_a_backend_is_given_no_answers_unless_it_says_that_it_knows_them(
    dataset: Dataset, tmp_path: Path
) -> None:
    model = "tests.inference.test_endpoint_options:"
    with pytest.raises(InputError, match="a model is shown its requests and no dataset"):
        plan(dataset, f"{model}open_curious", tmp_path / "r").open()
    assert run_plan(plan(dataset, "scripted:perfect", tmp_path / "s")).ok == 4


def open_curious(target: str, options: Any, context: Any) -> object:
    return context.dataset


def test_tags_that_tell_of_the_answer_reach_no_backend() -> None:
    from fathom.records import Question, without_answer

    tags = dict.fromkeys(("views", "time", "prior_answer", "counterfactual", "n_objects", "unit"), "x")
    assert without_answer(Question(id="q", task="t", text="?", answer="a", tags=tags)).tags == {"unit": "x"}
