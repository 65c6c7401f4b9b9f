"""`inspect:PROVIDER/MODEL` as a model of ours: what is sent, what comes back, and what goes wrong."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fathom import api
from fathom.inference.backend import Context
from fathom.inference.budget import Budget
from fathom.inference.models.inspect import FAILURES_IN_A_ROW, InspectBackend, open_inspect
from fathom.records import (
    EndpointError,
    InputError,
    MediaPart,
    MissingExtraError,
    Prompt,
    Request,
    Response,
    TextPart,
    UnansweredQuestion,
)
from fathom.store.datasets import open_dataset
from fathom.store.runs import open_run
from tests.exporting.test_tools import mock
from tests.importing import shapes

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Inspect


def request(**more: object) -> Request:
    parts = (TextPart(text="Look."), MediaPart(media="p"), TextPart(text="Which?"))
    prompt = Prompt(parts=parts, **more)  # type: ignore[arg-type]
    return Request(key="k", asked=UnansweredQuestion(id="q", task="t", text="Which?"), prompt=prompt)


def answered(backend: InspectBackend, asked: Request | None = None) -> Response:
    return asyncio.run(backend.answer(asked or request(), lambda parts: [shapes.png() for _ in parts]))


@pytest.fixture(scope="module")
def inspect_ai() -> Iterator[Any]:
    yield pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    gc.collect()  # what Inspect leaves open says so here, and not in the middle of another test


def backend(say: Callable[..., Any], parameters: Mapping[str, Any] | None = None) -> InspectBackend:
    return InspectBackend("mockllm/model", mock(say), parameters or {})


def test_text_and_pictures_go_out_in_order_and_as_they_are(inspect_ai: Any) -> None:
    seen: list[Any] = []

    def say(messages: list[Any], *rest: object) -> str:
        seen.extend(messages)
        return "(A)"

    response = answered(backend(say), request(system="Be brief."))
    assert (response.status, response.text, response.finish) == ("ok", "(A)", "stop")
    assert (response.usage.input_tokens, response.usage.output_tokens) == (7, 2)
    assert [m.role for m in seen] == ["system", "user"]
    first, picture, last = seen[1].content
    assert (first.text, last.text) == ("Look.", "Which?")
    assert picture.image == f"data:image/png;base64,{shapes.base64_png()}"


def test_a_content_filter_is_a_refusal_and_no_wrong_answer(inspect_ai: Any) -> None:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    output = ModelOutput.from_content("m", "", stop_reason="content_filter", error="not this")
    output.usage = ModelUsage()
    model = get_model("mockllm/model", custom_outputs=[output], memoize=False)
    response = answered(InspectBackend("mockllm/model", model, {}))
    assert (response.status, response.error) == ("refused", "not this")


def test_a_reply_without_an_answer_is_a_failure(inspect_ai: Any) -> None:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    model = get_model(
        "mockllm/model", custom_outputs=[ModelOutput(model="m", usage=ModelUsage())], memoize=False
    )
    response = answered(InspectBackend("mockllm/model", model, {}))
    assert (response.status, response.error) == ("failed", "the reply holds no answer")


def test_reasoning_is_kept_apart_counted_and_given_room(inspect_ai: Any) -> None:
    from inspect_ai.model import ContentReasoning, ContentText, ModelOutput, ModelUsage, get_model

    def output(*content: Any, stop: Any = "stop") -> ModelOutput:
        found = ModelOutput.from_content("m", list(content), stop_reason=stop)
        found.usage = ModelUsage(input_tokens=7, output_tokens=9, total_tokens=16, reasoning_tokens=8)
        return found

    thought = ContentReasoning(reasoning="It faces left.")
    cut, whole = output(thought, stop="max_tokens"), output(thought, ContentText(text="A"))
    model = get_model("mockllm/model", custom_outputs=[cut, whole, cut], memoize=False)
    asked = InspectBackend("mockllm/model", model, {}, budget=Budget(1024))
    response = answered(asked)
    assert (response.status, response.text, response.reasoning) == ("ok", "A", "It faces left.")
    assert (response.usage.attempts, response.usage.reasoning_tokens, asked.notes[1:]) == (
        2,
        16,
        ("the model thinks before it answers: up to 16384 tokens an answer",),
    )
    silent = answered(asked)
    assert (silent.status, silent.text, silent.cut_off) == ("failed", "", True)
    assert "the reasoning came to the limit of its length" in silent.error


def test_failures_in_a_row_end_the_run_and_one_does_not(inspect_ai: Any) -> None:
    def down(*_: object) -> str:
        raise ConnectionError("nobody\nthere")

    dead = backend(down)
    for _ in range(FAILURES_IN_A_ROW - 1):
        assert answered(dead).error == "ConnectionError: nobody there"
    with pytest.raises(EndpointError, match="the last 8 requests failed"):
        answered(dead)


def test_likelihoods_are_refused_by_name(inspect_ai: Any) -> None:
    with pytest.raises(InputError, match="cannot tell how likely"):
        answered(backend(lambda *_: "A"), request(continuations=("a", "b")))


def context(folder: Path) -> Context:
    return Context(
        known=open_dataset(folder), write_answer=str, parameters={"temperature": 0, "max_tokens": 5}
    )


def test_a_dataset_is_run_and_scored_through_inspect(inspect_ai: Any, imported: Path, tmp_path: Path) -> None:
    ran = api.run_model(
        imported / "pulsecheck457",
        "tests.exporting.test_inspect_model:open_mock",
        tmp_path / "run",
        concurrency=4,
    )
    assert (ran.requests, ran.failed) == (6, 0)
    folder = open_run(tmp_path / "run")
    assert {r.text for r in folder.responses()} == {'{"Answer": "Yes"}'}
    assert folder.manifest.settings["parameter.max_tokens"] == 1024
    assert "asked through Inspect AI" in folder.manifest.notes


def open_mock(target: str, options: Mapping[str, str], context: Context) -> InspectBackend:
    return InspectBackend("mockllm/model", mock(lambda *_: '{"Answer": "Yes"}'), context.parameters)


def test_parameters_are_the_protocols_and_the_options(inspect_ai: Any, imported: Path) -> None:
    opened = open_inspect(
        "mockllm/model", {"top_p": "0.5", "max_side_px": "64"}, context(imported / "3dsrbench")
    )
    assert opened.parameters == {"temperature": 0, "max_tokens": 5, "top_p": 0.5, "max_side_px": 64}
    assert opened.name == "mockllm/model"


@pytest.mark.parametrize(
    ("target", "options", "words"),
    [
        ("gpt-4o", {}, "expected PROVIDER/MODEL"),
        ("nobody/model", {}, "cannot be opened"),
        ("mockllm/model", {"beams": "4"}, "there is no option 'beams'"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_sentence(
    inspect_ai: Any, imported: Path, target: str, options: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError, match=words) as error:
        open_inspect(target, options, context(imported / "3dsrbench"))
    assert "\n" not in str(error.value)


def test_without_inspect_the_extra_is_named(imported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    with pytest.raises(MissingExtraError, match=r"fathom-bench\[inspect\]"):
        open_inspect("openai/gpt-4o", {}, context(imported / "3dsrbench"))
