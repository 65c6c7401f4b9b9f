"""Wrong options that a model writes: requests, replies, blind readers, people, and the dataset."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom import api
from fathom.authoring.engine import Next, next_step
from fathom.authoring.filters import BLIND_RIGHT
from fathom.authoring.outcomes import Rejected
from fathom.authoring.replies import EMPTY, NO_JSON
from fathom.authoring.requests import rounds
from fathom.authoring.review import FILE, REJECTED
from fathom.benchmarks.seedbench.authoring.lengths import TOLD_BY_LENGTH
from fathom.benchmarks.seedbench.videos.authoring import AUTHORING
from fathom.benchmarks.seedbench.videos.authoring.prompts import write_prompt
from fathom.benchmarks.seedbench.videos.authoring.replies import RIGHT
from fathom.benchmarks.seedbench.videos.authoring.settings import ClipWriting
from fathom.benchmarks.seedbench.videos.authoring.steps import BEFORE, BY_A_MODEL
from fathom.benchmarks.seedbench.videos.drafts import VideoDraft
from fathom.benchmarks.seedbench.videos.kept import ANNOTATIONS, kept_drafts
from fathom.records import InputError, Question, Request, TextPart
from fathom.store.datasets import open_dataset
from fathom.store.files import read_jsonl
from fathom.store.requests import open_requests
from tests.actions.lies import PREDICTION, PROCEDURE, RECOGNITION
from tests.actions.scripted import OTHERS, filled_in, reader, right_option, writer
from tests.authoring.answering import answer, words_of
from tests.cli.conftest import Ended
from tests.hf.conftest import checkpoint, one_thread
from tests.needed import needs
from tests.review_app.test_drafts import begun, decided

__all__ = ["checkpoint", "one_thread"]

TASKS = (RECOGNITION, PREDICTION, PROCEDURE)

Run = Callable[..., Ended]


def questions(path: Path) -> list[Question]:
    return list(open_dataset(path).questions())


def answers_of(path: Path) -> dict[str, str]:
    return {q.id: q.answer for q in questions(path)}


def go_on(clips: Path, work: Path, *runs: Path, settings: ClipWriting | None = None) -> Next:
    return next_step(AUTHORING, open_dataset(clips), work, runs, settings)


def read_by_three(clips: Path, work: Path, known: frozenset[str] = frozenset()) -> Next:
    answers = answers_of(clips)
    return go_on(clips, work, *(answer(work, "blind", f"r{k}", reader(answers, known, k)) for k in range(3)))


def rejected(work: Path) -> list[Rejected]:
    return list(read_jsonl(work / "rejected.jsonl", Rejected))


def test_drafts_are_those_that_the_questions_were_made_of(clips: Path) -> None:
    settings, found = kept_drafts(clips)
    assert settings.predictions == "drawn"
    for q in questions(clips):
        draft = found[q.id]
        assert (draft.task, draft.text, draft.answer.text) == (q.task, q.text, q.answer)
        assert [a.id for a in draft.actions] == [a.id for a in q.annotations]
    assert ANNOTATIONS in open_dataset(clips).manifest.files


def test_a_writer_reads_what_is_annotated_and_no_clip(clips: Path, tmp_path: Path) -> None:
    found = go_on(clips, tmp_path / "work")
    asked = {r.asked.id: r for r in open_requests(rounds(tmp_path / "work", "write")[0]).requests()}
    by_id = {q.id: q for q in questions(clips)}
    assert found.step == "write"
    assert asked.keys() == by_id.keys()
    for name, request in asked.items():
        assert all(isinstance(part, TextPart) for part in request.prompt.parts)
        text, question = words_of(request), by_id[name]
        assert right_option(request) == question.answer
        assert all(a.words.replace("_", " ") in text for a in question.annotations)
        wrong = [c for c in question.choices if c != question.answer]
        assert question.task == "procedure_understanding" or not all(f"- {c}\n" in text for c in wrong)
    listed = next(words_of(r) for r in asked.values() if r.asked.tags["subtask"] == PROCEDURE)
    assert "All actions that this activity has:\n- eat cereals\n- pour cereals\n- pour milk\n" in listed


def test_times_of_a_prediction_are_counted_from_the_end_of_the_clip(drafts: dict[str, VideoDraft]) -> None:
    draft = drafts[PREDICTION]
    text = "\n".join(p.text for p in write_prompt(draft).parts if isinstance(p, TextPart))
    before, _, after = text.partition("From the end of the clip to the end of the right action:")
    assert "- -" in before.partition("times from its end on:")[2]
    assert f"- +1.0 s to +2.0 s: {draft.answer.text}\n" in after


def test_what_a_writer_says_of_no_question_is_left_out_with_a_sentence(clips: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    go_on(clips, work, settings=ClipWriting(most=3))

    def speak(request: Request) -> str | None:
        said = {RECOGNITION: "I cannot see it.", PROCEDURE: json.dumps([right_option(request)] * 3)}
        return said.get(request.asked.tags["subtask"], writer(request))

    found = go_on(clips, work, answer(work, "write", "small", speak))
    assert found.step == "blind"
    assert Counter(r.reason for r in rejected(work) if r.step == "write") == {NO_JSON: 3, RIGHT: 3}
    assert {r.writer for r in rejected(work)} == {"scripted-small"}


def test_a_second_writer_stands_in_where_the_first_was_rejected(clips: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    go_on(clips, work, settings=ClipWriting(dimensions=(PREDICTION,), most=4))
    first = answer(
        work, "write", "one", lambda r: writer(r) if r.asked.id < "action_prediction:P01_11" else ""
    )
    second = answer(work, "write", "two", writer)
    go_on(clips, work, first, second)
    asked = [r.asked.id for r in open_requests(rounds(work, "write")[0]).requests()]
    taken = sum(name < "action_prediction:P01_11" for name in asked)
    reasons = Counter(r.reason for r in rejected(work) if r.step == "write")
    assert reasons == Counter({BEFORE: taken, EMPTY: len(asked) - taken})


def test_what_all_readers_get_right_goes_and_people_decide_the_rest(clips: Path, tmp_path: Path) -> None:
    work, answers = tmp_path / "work", answers_of(clips)
    go_on(clips, work)
    found = go_on(clips, work, answer(work, "write", "small", writer))
    assert found.step == "blind"
    asked = [r.asked.id for r in open_requests(rounds(work, "blind")[0]).requests()]
    gone, refused = frozenset(asked[:1]), frozenset(asked[-1:])
    found = read_by_three(clips, work, gone)
    assert found.step == "review"
    assert f"right blind by all readers: 1 of {len(asked):,}" in found.say
    assert [r.id for r in rejected(work) if r.reason == BLIND_RIGHT] == list(gone)
    (work / FILE).write_bytes(filled_in((work / FILE).read_bytes(), answers, refused))
    done = go_on(clips, work)
    assert done.done
    assert {q.id for q in done.questions} == set(asked) - gone - refused
    assert [(r.id, r.detail) for r in rejected(work) if r.reason == REJECTED] == [(*refused, "two are right")]
    lengths = [r for r in rejected(work) if r.reason == TOLD_BY_LENGTH]
    assert len(asked) + len(lengths) == len(answers)
    assert "| action prediction | the longest option |" in done.say
    assert "written by models, % | 95 % interval | by rule, % | 95 % interval |" in done.say
    for q in done.questions:
        assert q.answer == answers[q.id]
        assert q.tags["distractors"] == BY_A_MODEL
        assert q.source == "written:scripted-small"
        assert q.tags["write"] == "scripted-small"
        assert q.annotations


def test_people_decide_on_pages_that_show_the_clip(clips: Path, tmp_path: Path) -> None:
    work, answers = tmp_path / "work", answers_of(clips)
    go_on(clips, work, settings=ClipWriting(dimensions=(PREDICTION,), most=4))
    go_on(clips, work, answer(work, "write", "small", writer))
    read_by_three(clips, work)
    review = begun(work, tmp_path / "review", "Ana")
    right = {"picked": lambda item: item.options.index(answers[item.about[0]])}
    seen = decided(review, "Ana", {"decision": "keep", "kind": "never asked", **right})
    assert seen
    assert all(item.clips and not item.choices and not item.facts for item in seen)
    review.export(tmp_path / "out")
    api.write_questions(clips, work, decisions=[tmp_path / "out"], out=tmp_path / "with")
    assert {q.id for q in questions(tmp_path / "with")} == {item.about[0] for item in seen}


@needs("torch", "transformers")
def test_a_model_that_writes_no_json_is_told_so(
    clips: Path, tmp_path: Path, checkpoint: Callable[[str], Path]
) -> None:
    work = tmp_path / "work"
    go_on(clips, work, settings=ClipWriting(most=2))
    model = f"hf:{checkpoint('llama')}"
    api.run_model(work / "write" / "01", model, tmp_path / "run", options={"max_new_tokens": "12"})
    found = go_on(clips, work, tmp_path / "run")
    assert found.done and not found.questions
    assert Counter(r.reason for r in rejected(work)) == {NO_JSON: 6}


def test_another_dimension_is_none_of_a_clip(clips: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    go_on(clips, work, settings=ClipWriting(dimensions=(PREDICTION,), most=4))
    go_on(clips, work, answer(work, "write", "small", writer))
    read_by_three(clips, work)
    filled = filled_in((work / FILE).read_bytes(), answers_of(clips), frozenset())
    (work / FILE).write_bytes(filled.replace(b'"dimension":"action_prediction"', b'"dimension":"scene"', 1))
    with pytest.raises(InputError, match=r"there is no dimension 'scene'; there are action_prediction"):
        go_on(clips, work)


@pytest.mark.parametrize(
    "settings", [{"dimensions": ("scene_understanding",)}, {"readers": 0}, {"factor": 0.5}, {"most": -1}]
)
def test_settings_that_make_no_sense_get_one_sentence(
    clips: Path, tmp_path: Path, settings: dict[str, object]
) -> None:
    with pytest.raises(InputError, match=r"expected|none of clips"):
        go_on(clips, tmp_path / "work", settings=ClipWriting(**settings))  # type: ignore[arg-type]


def test_the_whole_way_by_the_command_line(fathom: Run, clips: Path, raw: Path, tmp_path: Path) -> None:
    work, answers = tmp_path / "work", answers_of(clips)

    def said(*words: object) -> str:
        ended = fathom(*map(str, words))
        assert ended.code == 0, ended.out + ended.err
        return ended.out

    def run(step: str, name: str, speak: Callable[[Request], str]) -> Path:
        script = tmp_path / f"{name}.jsonl"
        asked = open_requests(work / step / "01").requests()
        script.write_text(
            "".join(json.dumps({"question": r.asked.id, "text": speak(r)}) + "\n" for r in asked)
        )
        said("run", work / step / "01", "--model", f"scripted:{script}", "--out", tmp_path / name, "--quiet")
        return tmp_path / name

    assert "factor=2.5" in said("write-questions", clips, "--help")
    assert "fathom run" in said("write-questions", clips, work)
    assert said("write-questions", clips, work) == said("write-questions", clips, work)
    said("write-questions", clips, work, "--responses", run("write", "written", writer))
    runs = [run("blind", f"r{k}", reader(answers, frozenset(), k)) for k in range(3)]
    told = said("write-questions", clips, work, *(w for r in runs for w in ("--responses", r)))
    assert "lines wait for people" in told
    (work / FILE).write_bytes(filled_in((work / FILE).read_bytes(), answers, frozenset()))
    out = tmp_path / "written-set"
    assert "chance: 25 %" in said("write-questions", clips, work, "--out", out)
    kept = questions(out)
    assert {q.task for q in kept} == set(TASKS)
    assert all(q.tags["distractors"] == BY_A_MODEL for q in kept)
    assert "every file as it was made" in said("check", out, "--quiet")
    said("run", out, "--model", "random", "--out", tmp_path / "random", "--quiet")
    assert "Action Prediction" in said("score", tmp_path / "random")
    assert all(open_dataset(out).media_bytes(name) for q in kept for name in q.media)
    again = fathom("write-questions", str(out), str(tmp_path / "again")).sentence()
    assert "written by a model already" in again
    wrong = {c for q in kept if q.task == PREDICTION for c in q.choices if c != q.answer}
    assert wrong == set(OTHERS)
