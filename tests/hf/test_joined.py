"""Several pictures for models that the library shows one: joined behind the Q-Former, frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fathom.records import MediaPart, Prompt, Request, TextPart
from fathom.store.datasets import Dataset
from tests.hf.reference import Reference
from tests.hf.shown import OPTIONS, answers, opened, request
from tests.needed import needs

pytestmark = needs("torch", "transformers")

NAMES = ("blip2", "instructblip_t5", "instructblip_llama")
THREE = ("p0", "p2", "p4")

Find = Callable[[str], Path]
Ask = Callable[[str], Reference]


@pytest.fixture(scope="module")
def reference(checkpoint: Find, shown: Dataset) -> Ask:
    return cache(lambda name: Reference(checkpoint(name), shown))


def embedded(library: Reference, asked: Request) -> Any:
    """Return the embeddings of a prompt: what the language model is given of each picture by itself, and then
    the words.
    """
    import torch

    model, seen = library.model, []
    hook = model.language_projection.register_forward_hook(lambda _, __, out: seen.append(out))
    words = None
    said = TextPart(text="".join(p.text for p in asked.prompt.parts if isinstance(p, TextPart)))
    for picture in [p for p in asked.prompt.parts if isinstance(p, MediaPart)]:
        inputs = library.inputs(msgspec.structs.replace(asked, prompt=Prompt(parts=(picture, said))))
        with torch.no_grad():
            model.generate(**inputs, max_new_tokens=1)
        ids = inputs["input_ids"][0]
        words = ids[ids != model.config.image_token_index][None]
    hook.remove()
    with torch.no_grad():
        return torch.cat([*seen, model.get_input_embeddings()(words)], dim=1)


@pytest.mark.parametrize("name", NAMES)
def test_three_pictures_are_answered_as_by_a_language_model_that_is_given_all_three(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    import torch

    asked = request(pictures=THREE)
    (found,) = answers(opened(checkpoint(name), shown), asked)
    library = reference(name)
    given = embedded(library, asked)
    queries = library.model.config.num_query_tokens
    assert given.shape[1] > 3 * queries
    mask = torch.ones(given.shape[:2], dtype=torch.long)
    out = library.model.language_model.generate(
        inputs_embeds=given, attention_mask=mask, do_sample=False, max_new_tokens=8
    )[0]
    assert found.text == library.tokenizer.decode(out, skip_special_tokens=True).strip()


@pytest.mark.parametrize("name", NAMES)
def test_options_behind_three_pictures_are_as_likely_as_there(
    name: str, checkpoint: Find, shown: Dataset, reference: Ask
) -> None:
    import torch

    asked = request(pictures=THREE, options=OPTIONS)
    (found,) = answers(opened(checkpoint(name), shown), asked)
    library = reference(name)
    given = embedded(library, asked)
    wanted = []
    for text in OPTIONS:
        option = torch.tensor([library.tokenizer(text, add_special_tokens=False)["input_ids"]])
        with torch.no_grad():
            if name == "instructblip_t5":
                logits = library.model.language_model(inputs_embeds=given, labels=option).logits
            else:
                behind = library.model.get_input_embeddings()(option)
                whole = torch.cat([given, behind], dim=1)
                logits = library.model.language_model(inputs_embeds=whole).logits[
                    :, -option.shape[1] - 1 : -1
                ]
        scores = torch.log_softmax(logits[0].double(), dim=-1)
        wanted.append(float(scores.gather(1, option[0][:, None]).sum()))
    assert found.option_logprobs == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_which_picture_comes_first_matters_and_numbers_of_pictures_do_not_share_a_batch(
    name: str, checkpoint: Find, shown: Dataset
) -> None:
    backend = opened(checkpoint(name), shown, batch=4)
    some = [THREE, THREE[::-1], ("p0",), ("p0", "p2"), THREE]
    asked = [request(pictures=pictures, options=OPTIONS) for pictures in some]
    first, turned, one, two, again = answers(backend, *asked)
    assert first.option_logprobs == pytest.approx(again.option_logprobs, abs=1e-4)
    for other in (turned, one, two):
        pairs = zip(other.option_logprobs, first.option_logprobs, strict=True)
        assert max(abs(a - b) for a, b in pairs) > 1e-3
    assert all(len({len(r.prompt.parts) for r in group}) == 1 for group in backend._groups(asked))
