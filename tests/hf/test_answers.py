"""Local models answer as transformers itself has them answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fathom.records import Prompt, TextPart
from fathom.store.datasets import Dataset
from tests.hf.reference import Reference
from tests.hf.shown import LETTERS, OPTIONS, answers, clip, opened, request
from tests.needed import needs

pytestmark = needs("torch", "transformers")

SEVERAL = ("llava", "gemma3", "idefics3", "qwen2_5_vl", "qwen3_vl", "llava_onevision", "paligemma", "mllama")
ONE = ("instructblip_t5", "instructblip_llama", "blip2")
BLIND = ("llama", "t5")
FILMS = ("qwen2_5_vl", "qwen3_vl", "llava_onevision")

Find = Callable[[str], Path]
LONG = "Which way does the car face? Say left, right, front or back, and nothing else."


@pytest.fixture(scope="module")
def reference(checkpoint: Find, shown: Dataset) -> Callable[[str], Reference]:
    return cache(lambda name: Reference(checkpoint(name), shown))


Ask = Callable[[str], Reference]


@pytest.mark.parametrize("name", [*SEVERAL, *ONE])
def test_one_picture_is_answered_as_by_the_library_itself(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    asked = request(pictures=("p1",))
    (found,) = answers(opened(checkpoint(name), shown), asked)
    assert found.text == reference(name).answer(asked)
    assert found.usage.output_tokens == 8 or found.finish == "stop"


@pytest.mark.parametrize("name", SEVERAL)
def test_three_pictures_are_answered_as_by_the_library_itself(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    asked = request(pictures=("p0", "p2", "p4"))
    (found,) = answers(opened(checkpoint(name), shown), asked)
    assert found.text == reference(name).answer(asked)


@pytest.mark.parametrize("name", ["llava", "gemma3", "idefics3", *FILMS])
def test_a_clip_is_answered_as_by_the_library_itself(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    asked = request(pictures=(), clip=clip())
    (found,) = answers(opened(checkpoint(name), shown), asked)
    assert found.text == reference(name).answer(asked)


@pytest.mark.parametrize("name", BLIND)
def test_a_model_without_eyes_answers_what_shows_no_picture(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    asked = request(pictures=(), options=OPTIONS)
    written = msgspec.structs.replace(asked, prompt=Prompt(parts=asked.prompt.parts))
    ranked, said = answers(opened(checkpoint(name), shown), asked, written)
    assert said.text == reference(name).answer(asked)
    assert ranked.option_logprobs == pytest.approx(reference(name).logprobs(asked), abs=1e-4)


@pytest.mark.parametrize("name", BLIND)
def test_prompts_of_a_model_without_eyes_may_share_a_batch(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    asked = [request(text, (), options=OPTIONS) for text in (LONG, "Left?", "Which way does it face?")]
    written = [msgspec.structs.replace(a, prompt=Prompt(parts=a.prompt.parts)) for a in asked]
    backend = opened(checkpoint(name), shown, batch=4)
    for response, one in zip(answers(backend, *asked), asked, strict=True):
        assert response.option_logprobs == pytest.approx(reference(name).logprobs(one), abs=1e-4)
    assert [r.text for r in answers(backend, *written)] == [reference(name).answer(one) for one in asked]


@pytest.mark.parametrize("name", [*SEVERAL, *ONE])
def test_a_batch_says_what_single_prompts_say(name: str, checkpoint: Find, shown: Dataset) -> None:
    asked = [request(text, (f"p{k}",)) for k, text in enumerate((LONG, "Left?", "Which way does it face?"))]
    single = answers(opened(checkpoint(name), shown, batch=1), *asked)
    batch = answers(opened(checkpoint(name), shown, batch=4), *asked)
    assert [r.text for r in batch] == [r.text for r in single]
    assert [r.usage.input_tokens for r in batch] == [r.usage.input_tokens for r in single]


@pytest.mark.parametrize("name", SEVERAL)
def test_a_batch_may_mix_how_many_pictures_its_prompts_show(
    name: str, checkpoint: Find, shown: Dataset
) -> None:
    asked = [request(LONG, ("p0", "p3", "p5")), request("Left?", ("p1",)), request(LONG, (), options=())]
    if name == "paligemma":
        asked.pop()
    single = answers(opened(checkpoint(name), shown, batch=1), *asked)
    batch = answers(opened(checkpoint(name), shown, batch=4), *asked)
    assert [r.text for r in batch] == [r.text for r in single]


@pytest.mark.parametrize("name", [*SEVERAL, *ONE])
def test_options_have_the_likelihood_that_one_pass_for_each_gives(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    several = ("p1", "p0", "p3") if name in SEVERAL else ("p1",)
    asked = [request(LONG, ("p2",), options=OPTIONS), request("Left?", several, options=(*LETTERS, "no"))]
    for batch in (1, 4):
        found = answers(opened(checkpoint(name), shown, batch=batch), *asked)
        for response, one in zip(found, asked, strict=True):
            assert response.option_logprobs == pytest.approx(reference(name).logprobs(one), abs=1e-4)
            assert len(response.option_tokens) == len(one.prompt.continuations)


@pytest.mark.parametrize("name", ["llava", "gemma3", "idefics3", *FILMS])
def test_options_after_a_clip_have_the_likelihood_that_one_pass_for_each_gives(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    asked = [
        request(LONG, (), clip=clip(), options=OPTIONS),
        request("Left?", (), clip=clip("v1", range(0, 16, 2)), options=OPTIONS),
        request("Left?", (), clip=clip("v1", range(0, 12, 3)), options=OPTIONS[:3]),
    ]
    found = answers(opened(checkpoint(name), shown, batch=4), *asked)
    for response, one in zip(found, asked, strict=True):
        assert response.option_logprobs == pytest.approx(reference(name).logprobs(one), abs=1e-4)


@pytest.mark.parametrize("name", [*SEVERAL, *ONE])
def test_another_picture_changes_the_answer(name: str, checkpoint: Find, shown: Dataset) -> None:
    asked = [request(pictures=(media,), options=OPTIONS) for media in ("p0", "p1")]
    one, other = answers(opened(checkpoint(name), shown), *asked)
    gaps = [abs(a - b) for a, b in zip(one.option_logprobs, other.option_logprobs, strict=True)]
    assert max(gaps) > 0.05


@pytest.mark.parametrize("name", ["qwen2_5_vl", "gemma3", "llava_onevision"])
def test_what_was_ranked_in_between_changes_nothing(name: str, checkpoint: Find, shown: Dataset) -> None:
    backend = opened(checkpoint(name), shown)
    asked = request(pictures=("p0", "p1"), options=OPTIONS)
    between = [request(LONG, ("p4",), options=LETTERS), request(pictures=(), options=OPTIONS)]
    first, *_, last = answers(backend, asked, *between, asked)
    assert first.option_logprobs == pytest.approx(last.option_logprobs, abs=1e-5)


def test_many_options_are_read_in_turns(
    checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(options=[f"{word} {k}" for k in range(5) for word in OPTIONS])
    (at_once,) = answers(opened(checkpoint("qwen2_5_vl"), shown), asked)
    monkeypatch.setattr("fathom.inference.models.hf_ranking.MOST_TOKENS", 200)
    (in_turns,) = answers(opened(checkpoint("qwen2_5_vl"), shown), asked)
    assert in_turns.option_logprobs == pytest.approx(at_once.option_logprobs, abs=1e-4)


def test_drawn_answers_hang_on_the_seed_and_the_request_alone(checkpoint: Find, shown: Dataset) -> None:
    asked = [request(pictures=(f"p{k}",)) for k in range(3)]
    hot: dict[str, object] = {"temperature": 1.5, "max_new_tokens": 12}
    first = answers(opened(checkpoint("llava"), shown, seed=1, batch=4, **hot), *asked)
    again = answers(opened(checkpoint("llava"), shown, seed=1, **hot), *reversed(asked))
    other = answers(opened(checkpoint("llava"), shown, seed=2, **hot), *asked)
    assert [r.text for r in first] == [r.text for r in reversed(again)]
    assert [r.text for r in first] != [r.text for r in other]


@pytest.mark.parametrize("tags", ["in the answer", "in the prompt"])
def test_what_a_local_model_thinks_is_told_apart_and_is_not_cut_off(
    tags: str, checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    backend = opened(checkpoint("llava"), shown, thinking_tokens=60, think_tag="mull")
    template = backend._processor.chat_template
    backend._processor.chat_template = template + ("<mull>" if tags == "in the prompt" else "")
    backend._budget.fixed, backend._budget.answer = False, 8
    said = ("" if tags == "in the prompt" else "<mull>") + "It faces the red car.</mull> Left."
    ids = backend._tokenizer(said, add_special_tokens=False)["input_ids"] + [2]
    limits: list[int] = []

    def generate(**inputs: Any) -> Any:
        limits.append(inputs["generation_config"].max_new_tokens)
        told = torch.tensor([ids[: limits[-1]]] * len(inputs["input_ids"]))
        return torch.cat([inputs["input_ids"], told], dim=1)

    backend._model = backend._load()
    monkeypatch.setattr(backend._model, "generate", generate)
    first, second = answers(backend, request(), request("Left?"))
    assert (first.text, first.reasoning, first.finish) == ("Left.", "It faces the red car.", "stop")
    assert 0 < first.usage.reasoning_tokens < first.usage.output_tokens == len(ids)
    assert (second.text, limits) == ("Left.", [8, 60, 60])
    backend._budget.thinking = 12
    (cut,) = backend.answer_all([request()])
    assert (cut.status, cut.text, cut.cut_off) == ("failed", "", True)
    assert "the reasoning came to the limit of its length (12 tokens)" in cut.error
    assert cut.reasoning.startswith("It faces")


def test_a_system_prompt_comes_first_even_where_the_template_has_no_place_for_it(
    checkpoint: Find, shown: Dataset
) -> None:
    backend = opened(checkpoint("llava"), shown)
    asked = request(system="Be brief.")
    (plain,) = answers(backend, request())
    (told,) = answers(backend, asked)
    template = backend._processor.chat_template
    backend._processor.chat_template = (
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no such role') }}{% endif %}" + template
    )
    (merged,) = answers(backend, asked)
    assert told.usage.input_tokens > plain.usage.input_tokens
    assert merged.usage.input_tokens > plain.usage.input_tokens


def test_pieces_of_text_side_by_side_stay_apart(checkpoint: Find, shown: Dataset) -> None:
    from fathom.inference.models.hf_families import Family
    from fathom.inference.models.hf_prompts import encode

    backend = opened(checkpoint("llama"), shown)
    prompt = Prompt(parts=(TextPart(text="One."), TextPart(text="Two.")))
    tokenizer = backend._processor
    ids = encode([prompt], tokenizer, Family(), lambda parts: []).inputs["input_ids"][0]
    assert "One.\nTwo." in tokenizer.decode(ids)
