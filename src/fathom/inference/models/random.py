"""`random`: every answer that a question can have is equally likely; its accuracy is chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fathom.extraction.numeric_answers import is_measured
from fathom.inference.backend import Context, Scalar, read_options
from fathom.records import InputError, Request, Response, UnansweredQuestion, Variant
from fathom.store.seeds import rng

DESCRIBED = "caption"
"""The task of describing, to which no list of answers belongs: a baseline says nothing to it."""


class RandomBackend:
    """Draws from the answers possible, from a seed, the question's id and the order of its options."""

    name = "random"
    revision = ""
    notes: tuple[str, ...] = ()
    may_be_silent = True

    def __init__(self, seed: str, write_answer: Callable[[str], str]) -> None:
        self.parameters: Mapping[str, Scalar] = {"seed": seed}
        self._seed = seed
        self._write = write_answer

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        """Return one drawn answer a request."""
        return [spoken(r, self.name, self._said(r)) for r in requests]

    def _said(self, request: Request) -> str:
        described = request.asked.task == DESCRIBED and not request.asked.choices
        if described or is_measured(request.asked):
            return ""
        return self._write(draw_answer(request.asked, self._seed, request.variant))


def draw_answer(asked: UnansweredQuestion, seed: str, variant: Variant) -> str:
    """Return one of the answers possible, each as likely as the others, and drawn anew in every pass.

    Raises InputError where the dataset does not say which answers are possible.
    """
    answers = answers_possible(asked)
    drawn = rng(seed, "random answer", asked.id, variant.repeat, *variant.option_order)
    return answers[int(drawn.integers(len(answers)))]


def answers_possible(asked: UnansweredQuestion) -> tuple[str, ...]:
    """Return the choices shown, else the answers that the question's form can have."""
    answers = asked.choices or asked.possible
    if not answers:
        raise InputError(
            f"question {asked.id}: has neither choices nor possible answers, so that there is nothing to "
            "guess from; leave the baseline out for this dataset"
        )
    return answers


def spoken(request: Request, model: str, text: str, finish: str = "stop") -> Response:
    """Return the response in which `model` says `text`."""
    return Response(
        key=request.key,
        question=request.asked.id,
        status="ok",
        text=text,
        variant=request.variant,
        purpose=request.purpose,
        finish=finish,
        model=model,
    )


def open_random(target: str, options: Mapping[str, str], context: Context) -> RandomBackend:
    """Return the random baseline; its one option is the seed."""
    values = read_options(options, {"seed": str}, "random")
    return RandomBackend(str(values.get("seed", context.seed)), context.write_answer)
