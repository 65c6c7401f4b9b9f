"""A model as reader of last resort, with scripted replies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.extraction.model_reader import read_reply, reader_request, reader_requests
from fathom.extraction.shown_options import shown
from fathom.records import Question, Response, TextPart, Variant
from tests.extractors import EXTRACTORS

ASKED = Question(id="q", task="t", text="Which is nearer?", answer="cup", choices=("lamp", "cup"))
TURNED = Variant(name="turned", option_order=(1, 0))


def response(text: str, **more: object) -> Response:
    return Response(**{"key": "k", "question": "q", "status": "ok", "text": text, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "picked", "how"),
    [
        ('{"choice": "B"}', "cup", "reader"),
        ('```json\n{"choice": "A"}\n```', "lamp", "reader"),
        ('{"choice": "none"}', None, "reader: none stated"),
        ('{"choice": "C"}', None, "reader: no such option"),
        ('{"choice": "b"}', None, "reader: no such option"),
        ('{"choice": "cup"}', None, "reader: no such option"),
        ('{"choice": null}', None, "reader: unreadable"),
        ('{"choice": "B", "why": "it says so"}', None, "reader: unreadable"),
        ('The text states {"choice": "B"}', None, "reader: unreadable"),
        ("B", None, "reader: unreadable"),
        ("", None, "reader: unreadable"),
    ],
)
def test_a_reply_counts_only_as_it_was_asked_for(reply: str, picked: str | None, how: str) -> None:
    reading = read_reply(shown(ASKED), reply)
    assert (reading.picked, reading.how) == (picked, how)


def test_letters_mean_what_the_model_was_shown() -> None:
    assert read_reply(shown(ASKED, TURNED), '{"choice": "B"}').picked == "lamp"
    request = reader_request(ASKED, response("hm", variant=TURNED))
    part = request.prompt.parts[0]
    assert isinstance(part, TextPart) and '{"A":"cup","B":"lamp"}' in part.text


def test_only_what_no_rule_reads_is_put_to_the_reader_without_the_question() -> None:
    responses = [
        response("The answer is B."),
        response("The nearer one of the two, if I had to name one, is the thing to drink from."),
        response("refused", status="refused"),
        response("   "),
        response("hm", purpose="judge"),
        response("hm", variant=Variant(options_shown=False)),
        response("hm", question="another"),
    ]
    requests = list(reader_requests({"q": ASKED}, responses, EXTRACTORS["fathom"]))
    assert len(requests) == 1
    request = requests[0]
    assert (request.purpose, request.asked.possible) == ("judge", ("A", "B", "none"))
    text = request.prompt.system + "".join(p.text for p in request.prompt.parts if isinstance(p, TextPart))
    assert ASKED.text not in text
    assert (
        request.key
        and request.key == next(reader_requests({"q": ASKED}, responses, EXTRACTORS["fathom"])).key
    )


@given(st.text(), st.text())
def test_other_texts_make_other_requests_and_any_text_can_be_sent(first: str, second: str) -> None:
    keys = {reader_request(ASKED, response(text)).key for text in (first, second, first)}
    assert len(keys) == len({first, second})


def test_half_a_surrogate_pair_can_be_sent() -> None:
    assert reader_request(ASKED, response("\ud800")).key
