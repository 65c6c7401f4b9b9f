"""Captions to scores: two protocols, what a missing tool does, and captions that change only themselves."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.records import Groups, InputError, Question, SampleScore, Score, Status
from fathom.scoring.metrics.captions.captions import (
    Captioned,
    CaptionTools,
    captions_of,
    human_captions,
    tools_from,
)
from fathom.scoring.metrics.captions.protocols import PROTOCOLS
from fathom.scoring.metrics.captions.scoring import CaptionScores, score_captions
from tests.captions.recorded import BY_CAPTION, FREQUENCIES, OF_ALL, PAIRS

RECORDED = [Captioned(f"object-{i}", c, refs) for i, (c, refs) in enumerate(PAIRS)]
STAND_IN = ("bleu", "rouge_l", "cider_d")
"""Metrics of `coco` that need nothing installed."""


def value(scores: CaptionScores, name: str) -> Score:
    return next(s for s in scores.scores if s.name == name)


@pytest.fixture
def frequencies(tmp_path: Path) -> Path:
    path = tmp_path / "frequencies.json"
    path.write_bytes(msgspec.json.encode({"documents": 40, "frequencies": FREQUENCIES}))
    return path


def test_coco_gives_what_the_coco_evaluation_gave() -> None:
    found = score_captions(RECORDED, "coco", metrics=STAND_IN)
    for n in range(1, 5):
        assert value(found, f"bleu_{n}").value == pytest.approx(OF_ALL[f"coco bleu_{n}"], abs=1e-12)
    for name in ("rouge_l", "cider_d"):
        recorded = BY_CAPTION[f"coco {name}"]
        assert value(found, name).value == pytest.approx(sum(recorded) / len(recorded), abs=1e-12)
        assert [v[name] for v in found.by_caption] == pytest.approx(recorded, abs=1e-12)


def test_plain_keeps_capitals_and_punctuation_and_takes_the_mean_over_objects(frequencies: Path) -> None:
    tools = CaptionTools(document_frequencies=frequencies)
    found = score_captions(RECORDED, "plain", tools, metrics=("bleu", "rouge_l", "cider"))
    recorded = {f"bleu_{n}": BY_CAPTION[f"plain bleu_{n}"] for n in range(1, 5)}
    recorded |= {"rouge_l": BY_CAPTION["plain rouge_l"], "cider": BY_CAPTION["plain cider with frequencies"]}
    for name, values in recorded.items():
        assert value(found, name).value == pytest.approx(sum(values) / len(values), abs=1e-9)
    assert "frequencies.json" in value(found, "cider").method


def test_the_same_captions_differ_between_protocols() -> None:
    coco = score_captions(RECORDED, "coco", metrics=("bleu",))
    plain = score_captions(RECORDED, "plain", metrics=("bleu",))
    assert value(coco, "bleu_4").value != pytest.approx(value(plain, "bleu_4").value, abs=0.05)
    assert {s.group["protocol"] for s in (*coco.scores, *plain.scores)} == {"coco", "plain"}


def test_every_method_says_by_what_captions_became_words() -> None:
    for score in score_captions(RECORDED, "coco", metrics=STAND_IN).scores:
        assert "PTB" in score.method


def test_a_missing_tool_leaves_a_score_without_value_that_says_what_is_missing() -> None:
    found = score_captions(RECORDED, "plain")
    for name in ("cider", "meteor", "bert_score", "sbert"):
        assert value(found, name).value is None
        assert value(found, name).note
    assert "coco-val.p" in value(found, "cider").note
    assert value(found, "rouge_l").value


def test_a_metric_asked_for_by_name_raises_what_it_misses() -> None:
    with pytest.raises(InputError, match="bert-base-uncased"):
        score_captions(RECORDED, "plain", metrics=("bert_score",))


def test_the_idf_of_the_corpus_goes_by_another_name_and_is_flagged() -> None:
    found = score_captions(RECORDED, "plain", CaptionTools(corpus_idf=True), metrics=("cider",))
    (score,) = found.scores
    assert score.name == "cider_corpus_idf"
    assert "comparable neither" in score.note


@pytest.mark.parametrize(("protocol", "metric"), [("4d", ()), ("coco", ("spice",))])
def test_an_unknown_protocol_or_metric_is_named(protocol: str, metric: Sequence[str]) -> None:
    with pytest.raises(InputError, match="4d" if not metric else "spice"):
        score_captions(RECORDED, protocol, metrics=metric)


def test_no_caption_gives_no_score() -> None:
    for protocol in PROTOCOLS:
        assert score_captions([], protocol).scores == ()


def test_bert_score_and_cosines_take_part(tiny_bert: Path) -> None:
    tools = CaptionTools(bert=tiny_bert, bert_layer=2, sbert=tiny_bert)
    found = score_captions(RECORDED, "plain", tools, metrics=("bert_score", "sbert"))
    assert all(s.value and 0 < s.value <= 1 and s.low is not None for s in found.scores)
    assert found.by_caption[-1] == {"bert_score": 0.0, "sbert": 0.0}


def test_an_interval_holds_the_value_and_does_not_hang_on_the_order_of_captions() -> None:
    many = [Captioned(f"object-{i:03}", *PAIRS[i % 5]) for i in range(60)]
    first = score_captions(many, "coco", metrics=STAND_IN, seed=3)
    second = score_captions(many[::-1], "coco", metrics=STAND_IN, seed=3)
    for a, b in zip(first.scores, second.scores, strict=True):
        assert a.low is not None and a.high is not None and a.value is not None
        assert a.low < a.value < a.high
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-9)


def test_captions_of_one_object_are_drawn_together() -> None:
    apart = [Captioned(f"o{i}", *PAIRS[i % 5]) for i in range(50)]
    together = [Captioned(f"o{i % 5}", *PAIRS[i % 5], repeat=i // 5) for i in range(50)]
    widths = []
    for captions in (apart, together):
        (score,) = score_captions(captions, "coco", metrics=("rouge_l",)).scores
        assert score.low is not None and score.high is not None
        widths.append(score.high - score.low)
    assert widths[1] > 1.5 * widths[0]


STRANGE = [
    "a\rb",
    "\u2028a knight\u2029",
    "",
    "\n",
    "dog " * 10_000,
    "😀" * 200,
    "||| SCORE",
    "\ud800 lone",
    "NaN",
]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(STRANGE), st.text(max_size=30)), min_size=1, max_size=4))
def test_a_strange_caption_changes_no_other_captions_values(strange: list[str]) -> None:
    plain = [Captioned(f"o{i}", c, refs) for i, (c, refs) in enumerate(PAIRS)]
    mixed = [*plain[:3], *(Captioned(f"s{i}", t, PAIRS[0][1]) for i, t in enumerate(strange)), *plain[3:]]
    others = [*range(3), *range(3 + len(strange), len(mixed))]
    tools = CaptionTools(ptb_jar=None, corpus_idf=True)
    for protocol, metrics in (("coco", ("bleu", "rouge_l")), ("plain", ("bleu", "rouge_l"))):
        alone = score_captions(plain, protocol, tools, metrics=metrics).by_caption
        found = score_captions(mixed, protocol, tools, metrics=metrics).by_caption
        assert [found[i] for i in others] == list(alone)
        assert all(0 <= v <= 1 + 1e-12 for row in found for v in row.values())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["", " ", "\r\n", "\u2028", "."]), min_size=2, max_size=4))
def test_captions_without_a_word_get_0_everywhere_and_no_nan(blank: list[str]) -> None:
    captions = [Captioned(f"o{i}", t, PAIRS[i][1]) for i, t in enumerate(blank)]
    for score in score_captions(captions, "coco", metrics=STAND_IN).scores:
        assert (score.value, score.low, score.high) == (0, 0, 0)
    no_dots = [c for c in captions if c.candidate.strip() != "."]
    for row in score_captions(no_dots, "plain", CaptionTools(corpus_idf=True)).by_caption:
        assert set(row.values()) == {0.0}


def question(name: str = "q", references: tuple[str, ...] = PAIRS[0][1]) -> Question:
    return Question(id=name, task="captioning", text="Describe it.", answer="", references=references,
                    groups=Groups(cluster=f"scene of {name}"))  # fmt: skip


def sample_score(name: str = "q", status: Status = "ok", picked: str | None = "a knight") -> SampleScore:
    return SampleScore(
        question=name, task="captioning", extractor="caption-1", status=status, value=0, picked=picked
    )


def test_marks_become_captions_and_what_never_came_is_an_empty_one() -> None:
    sample_scores = [sample_score(), sample_score(status="refused", picked=None), sample_score(picked=None)]
    found = captions_of([question()], sample_scores)
    assert [c.candidate for c in found] == ["a knight", "", ""]
    assert {c.cluster for c in found} == {"scene of q"}
    scores = score_captions(found, "coco", metrics=("rouge_l",))
    details = [values["rouge_l"] for values in scores.by_caption]
    assert details[0] > 0
    assert details[1:] == [0, 0]


def test_a_mark_of_no_question_with_references_is_an_error() -> None:
    with pytest.raises(InputError, match="expected a question with reference captions"):
        captions_of([question(references=())], [sample_score()])


def test_the_human_row_holds_one_caption_against_the_others() -> None:
    questions = [question(f"q{i}") for i in range(40)]
    found = human_captions(questions, seed=1)
    for caption in found:
        assert sorted([caption.candidate, *caption.references]) == sorted(PAIRS[0][1])
    assert {c.candidate for c in found} == set(PAIRS[0][1])
    assert human_captions(questions[::-1], seed=1)[::-1] == found
    assert human_captions(questions, seed=2) != found
    with pytest.raises(InputError, match="at least 2"):
        human_captions([question(references=("alone",))], seed=1)


def test_tools_are_found_by_environment_variables() -> None:
    tools = tools_from({"FATHOM_WORDNET": "/w", "FATHOM_BERT": "", "OTHER": "/x"}, corpus_idf=True)
    assert tools == CaptionTools(wordnet=Path("/w"), corpus_idf=True)
