"""The oracle knows what the pictures in its prompt show, and guesses the rest."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.media.cells import can_answer, cells_shown, needs_of
from fathom.records import InputError, Question, Response, without_answer
from fathom.store.datasets import MANIFEST, QUESTIONS, Dataset, open_dataset
from fathom.store.files import read_json, write_json, write_jsonl
from fathom.store.runs import open_run


def run(dataset: Path, out: Path, model: str = "oracle", protocol: str = "default", **settings: str) -> Path:
    set_ = {name.replace("_", "-"): value for name, value in settings.items()}
    api.run_model(dataset, model, out, protocol=protocol, settings=set_)
    return out


def answers(path: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(path).responses()}


def right(dataset: Dataset, path: Path) -> set[str]:
    said = answers(path)
    return {q.id for q in dataset.questions() if said[q.id].text == q.answer}


def seen_by_evidence(dataset: Dataset, **settings: str) -> set[str]:
    """The questions that the default protocol shows enough of, from the records alone."""
    protocol = api.benchmark_named("4d-bench").protocols["default"]
    assert protocol.changed is not None
    protocol = protocol.changed({name.replace("_", "-"): value for name, value in settings.items()})
    found = set()
    for question in dataset.questions():
        asked = without_answer(question)
        prompt = protocol.prompt(asked, protocol.variants(asked)[0], dataset.media)
        if can_answer(needs_of(question), cells_shown(prompt, question.media, dataset.media)):
            found.add(question.id)
    return found


def test_it_says_seen_exactly_where_the_evidence_does(objects: Path, tmp_path: Path) -> None:
    dataset = open_dataset(objects)
    said = answers(run(objects, tmp_path / "run", views="6"))
    seen = {question for question, response in said.items() if response.finish == "seen"}
    assert seen == seen_by_evidence(dataset, views="6")
    assert {r.finish for r in said.values()} == {"seen", "guessed"}
    assert seen <= right(dataset, tmp_path / "run")


def test_what_it_does_not_see_it_guesses_one_option_as_often_as_another(
    objects: Path, tmp_path: Path
) -> None:
    dataset = open_dataset(objects)
    counts: Counter[bool] = Counter()
    for seed in range(8):
        said = answers(run(objects, tmp_path / f"{seed}", f"oracle:seed={seed}", views="1", frames="1"))
        for q in dataset.questions():
            if said[q.id].finish == "guessed":
                counts[said[q.id].text == q.answer] += 1
    share, n = counts[True] / counts.total(), counts.total()
    assert abs(share - 0.25) < 3.5 * (0.25 * 0.75 / n) ** 0.5


def test_whoever_is_shown_more_is_right_wherever_he_was(objects: Path, tmp_path: Path) -> None:
    dataset = open_dataset(objects)
    shown = [("1", "1"), ("1", "6"), ("2", "6"), ("6", "12"), ("24", "48")]
    before: set[str] = set()
    for views, frames in shown:
        path = run(objects, tmp_path / f"{views}x{frames}", view_choice="even", views=views, frames=frames)
        now = right(dataset, path)
        assert before <= now
        before = now
    assert len(before) == 120


def test_a_blind_oracle_guesses_even_with_all_eyes(objects: Path, tmp_path: Path) -> None:
    for model in ("oracle", "oracle:sees=all"):
        said = answers(run(objects, tmp_path / model.replace(":", "-"), model, "blind"))
        assert {r.finish for r in said.values()} == {"guessed"}


def test_all_eyes_see_every_frame_whatever_the_prompt_shows(objects: Path, tmp_path: Path) -> None:
    dataset = open_dataset(objects)
    path = run(objects, tmp_path / "run", "oracle:sees=all", views="1", frames="1")
    assert right(dataset, path) == {q.id for q in dataset.questions()}


def test_other_eyes_are_refused(objects: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sees expects sampled or all, found 'none'"):
        run(objects, tmp_path / "run", "oracle:sees=none")


def test_a_caption_of_what_was_built_is_known(objects: Path, tmp_path: Path) -> None:
    dataset = open_dataset(objects)
    question = next(iter(dataset.questions()))
    caption = Question(
        id="caption", task="caption", text="", answer="A fox gallops.", references=("A fox gallops.",),
        media=question.media, scene=question.scene,
    )  # fmt: skip
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "media.jsonl").write_bytes((objects / "media.jsonl").read_bytes())
    write_jsonl(folder / QUESTIONS, [caption])
    manifest = read_json(objects / MANIFEST, type(dataset.manifest))
    write_json(folder / MANIFEST, msgspec.structs.replace(manifest, identity="another"))
    (said,) = answers(run(folder, tmp_path / "run")).values()
    assert (said.text, said.finish) == ("A fox gallops.", "known")


def test_the_cost_of_a_guess_is_what_the_options_say(objects: Path, tmp_path: Path) -> None:
    """Accuracy agrees with the evidence within what the luck of the guesses can move it."""
    dataset = open_dataset(objects)
    questions = list(dataset.questions())
    for views in ("1", "3", "12"):
        path = run(objects, tmp_path / views, views=views)
        guessed = len(questions) - len(seen_by_evidence(dataset, views=views))
        expected = (len(questions) - guessed) + guessed / 4
        luck = (guessed * 0.25 * 0.75) ** 0.5
        assert abs(len(right(dataset, path)) - expected) <= 3 * luck
