"""`fathom check` on imported datasets, and pruning of what is guessed blind."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom import api
from fathom.records import DataError, InputError, Question, Verdict
from fathom.stats.pruning import prune, wanted
from fathom.store.files import read_jsonl, write_jsonl
from fathom.store.seeds import rng


def leaky(clean: int = 160, leaking: int = 40) -> list[Question]:
    """Fair questions, and some in which the right option is the only long one."""
    questions = []
    for i in range(clean + leaking):
        g = rng("leaky", i)
        texts = [str(t) for t in g.permutation(["ash", "birch", "cedar", "elm", "oak", "pine"])[:4]]
        right = int(g.integers(4))
        if i >= clean:
            texts[right] += ", which is right as it happens"
        questions.append(
            Question(
                id=f"{'leak' if i >= clean else 'fair'}-{int(g.integers(10**9))}",
                task="trees",
                text="Which tree is it?",
                choices=tuple(texts),
                answer=texts[right],
            )
        )
    return [questions[i] for i in rng("order").permutation(len(questions))]


def test_pruning_finds_the_questions_that_leak() -> None:
    found = prune(leaky(120, 80), 40, rounds=2)
    leaks = sum(p.question.startswith("leak") for p in found.pruned)
    assert len(found.pruned) == 40
    assert leaks >= 36
    assert found.before.folds[0].accuracy > found.after.folds[0].accuracy
    assert [p.round for p in found.pruned] == sorted(p.round for p in found.pruned)


def test_the_forest_is_grown_again_after_each_round() -> None:
    found = prune(leaky(60, 20), 9, rounds=3)
    assert [p.round for p in found.pruned] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert found.after.n == 71


@pytest.mark.parametrize(("text", "there", "number"), [("50", 200, 50), ("10%", 200, 20), ("0.1", 205, 20)])
def test_a_number_or_a_share_can_be_pruned(text: str, there: int, number: int) -> None:
    assert wanted(text, there) == number


@pytest.mark.parametrize("text", ["0", "-3", "many", "150%", "1.5", "nan"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected how many questions to take out"):
        wanted(text, 100)


@pytest.fixture
def imported(made: Callable[[str], Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(made("3dsrbench"), tmp_path / "imported"))


def test_an_imported_set_has_no_scene_to_derive_from_and_passes(imported: Path) -> None:
    found = api.check_dataset(imported)
    assert found.passed
    assert "72 questions, every file as it was made" in found.text
    assert "no scene to derive from" in found.text
    assert "Blind stress test" in found.text


def test_a_video_that_was_changed_is_found(made: Callable[[str], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(made("sti-bench"), tmp_path / "changed")
    with (folder / "media" / "scene0001_00.mp4").open("ab") as f:
        f.write(b"!")
    with pytest.raises(DataError, match=r"scene0001_00\.mp4: is not the picture"):
        api.check_dataset(folder, blind=False)


def test_captions_cannot_be_guessed_blind_and_that_is_said(made: Callable[[str], Path]) -> None:
    found = api.check_dataset(made("captions"))
    assert found.passed
    assert "no question has two or more possible answers to guess among" in found.text


def test_pruning_writes_verdicts_and_keeps_those_of_others(imported: Path) -> None:
    ids = [q.id for q in read_jsonl(imported / "questions.jsonl", Question)]
    others = Verdict(question=ids[0], reviewer="somebody", decision="keep")
    write_jsonl(imported / "verdicts.jsonl", [others])
    for number in (3, 2):
        text = api.check_dataset(imported, prune=str(number)).text
        verdicts = list(read_jsonl(imported / "verdicts.jsonl", Verdict))
        assert verdicts[0] == others
        assert len(verdicts) == 1 + number
        assert {v.question for v in verdicts[1:]} <= set(ids)
        assert all(v.decision == "reject" and "bias score +" in v.reason for v in verdicts[1:])
    assert "before and after 2 of 72 questions are rejected in 2 rounds" in text
