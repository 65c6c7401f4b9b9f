"""The metrics of both protocols run on the captions, and know an object's own from another's."""

from __future__ import annotations

import pytest

from fathom.authoring.captions.grammar import captions_of
from fathom.authoring.captions.questions import caption_question
from fathom.records import SampleScore, Scene
from fathom.scoring.metrics.captions.captions import Captioned, CaptionTools
from fathom.scoring.metrics.captions.captions import captions_of as as_marked
from fathom.scoring.metrics.captions.scoring import score_captions
from tests.authoring.captions import LEXICON, drawn_scene, obj, scene


def differing(number: int) -> Scene:
    """Return an object that differs from the next one in all that captions tell of."""
    noun, verb = (("fox", "eat"), ("robot", "jump"), ("ox", "attack"), ("spider", "gallop"))[number % 4]
    color = ("red", "blue", "gray", "yellow")[number % 4]
    parts = {"M": {"word": ("hooves", "tail", "belly", "wings")[number % 4], "color": "black"}}
    return scene(obj("t0", noun, color, acts=(verb,), parts=parts), name=str(number))


@pytest.mark.parametrize("protocol", ["coco", "plain"])
def test_an_objects_own_caption_scores_above_another_objects(protocol: str) -> None:
    five = [[c.text for c in captions_of(differing(n), LEXICON, "0")] for n in range(4)]
    tools = CaptionTools(corpus_idf=True)
    own, other = [], []
    for n, each in enumerate(five):
        for k, caption in enumerate(each):
            rest = tuple(each[:k] + each[k + 1 :])
            own.append(Captioned(str(n), caption, rest, repeat=k))
            other.append(Captioned(str(n), five[(n + 1) % 4][k], rest, repeat=k))
    right = {s.name: s.value for s in score_captions(own, protocol, tools).scores if s.value is not None}
    wrong = {s.name: s.value for s in score_captions(other, protocol, tools).scores if s.value is not None}
    assert {"bleu_1", "rouge_l"} < right.keys()
    assert any(name.startswith("cider") for name in right)
    assert all(right[name] > 1.15 * wrong[name] for name in right), (right, wrong)
    assert all(
        right[name] > 3 * wrong[name] for name in right if name in ("bleu_4", "cider_d", "cider_corpus_idf")
    )


def test_a_caption_that_is_a_reference_word_for_word_scores_full() -> None:
    question = caption_question(drawn_scene(2), captions_of(drawn_scene(2), LEXICON, "0"), ())
    said = SampleScore(
        question=question.id, task="caption", extractor="p", status="ok", value=0, picked=question.answer
    )
    found = score_captions(as_marked([question], [said]), "plain", CaptionTools(corpus_idf=True))
    assert {s.name: s.value for s in found.scores}["bleu_4"] == pytest.approx(1.0)
