"""The engine alone, with a benchmark of one step, as a third one would supply it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.authoring.adding import with_written
from fathom.authoring.engine import Next, next_step
from fathom.authoring.protocol import Authoring, Writing
from fathom.authoring.replies import failure_of, one_line
from fathom.authoring.requests import ModelStep, rounds
from fathom.authoring.work import Work
from fathom.benchmarks.fourdbench.authoring.prompts import PROMPTS as OF_OBJECTS
from fathom.benchmarks.pulsecheck457 import BENCHMARK as PULSECHECK457
from fathom.benchmarks.stibench.authoring.prompts import PROMPTS as OF_VIDEOS
from fathom.records import DataError, InputError, Prompt, Question, Record, TextPart, UnfitError
from fathom.store.datasets import MANIFEST, Dataset, open_dataset
from fathom.store.files import write_json
from fathom.store.requests import open_requests
from fathom.store.subjects import subjects_of
from tests.authoring.answering import answer
from tests.authoring.objects import make_objects

SOURCE = Path(__file__).parents[2] / "src" / "fathom"
TELL = ModelStep("tell", "write", "have a model tell")


class Telling(Record, frozen=True, kw_only=True):
    seed: str = "0"
    word: str = "what"


def begin(dataset: Dataset, settings: Telling) -> Writing:
    subjects = {s.id: s for s in subjects_of(dataset)}
    return Writing(subjects, {"all": "Everything"}, settings.seed, partial(told, settings))


def told(settings: Telling, work: Work) -> list[Question]:
    """Return a question for each subject of which anything is told."""
    prompt = Prompt(parts=(TextPart(text=f"Say {settings.word}."),))
    work.ask(TELL, [work.request(TELL, name, "all", prompt) for name in work.subjects])
    found = []
    for run in work.replies(TELL):
        for name in run.asked:
            response = run.responses[name]
            failed = failure_of(response)
            work.outcomes.count(TELL.name, "all", failed or "told", not failed)
            if failed:
                work.outcomes.reject(TELL.name, name, name, "", run.model, failed)
                continue
            text = one_line(response.text)
            media = tuple(m.id for m in work.subjects[name].media)
            found.append(Question(id=f"{name}_told", task="all", text=text, answer="yes", media=media,
                                  choices=("yes", "no"), source=f"told:{run.model}"))  # fmt: skip
    return found


def check_word(settings: Telling) -> None:
    if not settings.word:
        raise InputError("word: expected one")


def refuse_lies(dataset: Dataset, questions: object) -> None:
    raise UnfitError("a lie")


AUTHORING = Authoring(
    needs="anything", fits=lambda dataset: True, settings=Telling(), key="telling", check=check_word,
    begin=begin, steps=("tell",), model_steps=(TELL,), version="toy-1", source="told:",
    note="{count} were told by {models}",
)  # fmt: skip


BENCHMARK = replace(PULSECHECK457, name="telling", authoring=(f"{__name__}:AUTHORING",))


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return open_dataset(make_objects(tmp_path / "dataset"))


def gone_on(dataset: Dataset, work: Path, *runs: Path, settings: Telling | None = None) -> Next:
    return next_step(AUTHORING, dataset, work, runs, settings)


def test_a_benchmark_of_one_step_goes_the_whole_way(dataset: Dataset, tmp_path: Path) -> None:
    work = tmp_path / "work"
    first = gone_on(dataset, work, settings=Telling(word="why"))
    assert (first.step, first.say.partition(":")[0]) == ("tell", "have a model tell")
    requests = list(open_requests(rounds(work, "tell")[0]).requests())
    assert {r.asked.tags["words"] for r in requests} == {"toy-1"}
    assert not (work / "tell" / "01" / "media.jsonl").exists()  # it shows nothing
    names = [r.asked.id for r in requests]
    run = answer(work, "tell", "voice", lambda r: "Is it so?" if r.asked.id == names[0] else None)
    last = gone_on(dataset, work, run)
    assert (last.done, len(last.questions), last.table.count("tell")) == (True, 1, 2)
    assert "Everything" in str(last.table).splitlines()[0]
    assert (work / "rejected.jsonl").read_text().count("the request failed") == 1
    assert with_written(AUTHORING, dataset, tmp_path / "with", last.questions) == 1
    made = open_dataset(tmp_path / "with")
    assert [q.text for q in made.questions()] == ["Is it so?"]
    assert made.manifest.notes[-1] == "1 were told by scripted-voice"


def test_a_benchmark_from_outside_writes_its_questions_its_own_way(dataset: Dataset, tmp_path: Path) -> None:
    here = f"{__name__}:BENCHMARK"
    write_json(dataset.path / MANIFEST, msgspec.structs.replace(dataset.manifest, benchmark=here))
    said = api.write_questions(dataset.path, tmp_path / "work", settings={"word": "who"})
    assert "steps, in their order: tell\nhave a model tell: fathom run" in said
    assert "Say who." in (tmp_path / "work" / "tell" / "01" / "requests.jsonl").read_text()


def test_what_a_benchmark_cannot_prove_is_not_added(dataset: Dataset, tmp_path: Path) -> None:
    question = Question(id="q", task="all", text="Is it?", answer="yes", choices=("yes", "no"))
    with pytest.raises(UnfitError, match="a lie"):
        with_written(
            Authoring(**{**vars(AUTHORING), "prove": refuse_lies}), dataset, tmp_path / "with", [question]
        )
    assert not (tmp_path / "with").exists()


def test_work_is_refused_whose_settings_make_no_sense_or_were_changed(
    dataset: Dataset, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    with pytest.raises(InputError, match="word: expected one"):
        gone_on(dataset, work, settings=Telling(word=""))
    assert not (work / "settings.json").exists()
    gone_on(dataset, work)
    with pytest.raises(InputError, match="other settings \\(word is what there, and why now\\)"):
        gone_on(dataset, work, settings=Telling(word="why"))
    for text in ('{"dataset": "%s"}', '{"dataset": "%s", "telling": {"word": 3}}'):
        (work / "settings.json").write_text(text % dataset.manifest.identity)
        with pytest.raises(DataError, match=r"settings\.json: .*restore the file"):
            gone_on(dataset, work)


def test_the_engine_names_no_benchmark() -> None:
    for path in (SOURCE / "authoring").glob("*.py"):
        assert not re.search(r"(?i)4d-?bench|fourdbench|sti-?bench", path.read_text()), path.name


TOLD = {
    "1": "99614eb4598b7306",
    "videos-1": "a040a81a7eabc201",
}
"""Version of a prompt set → hash of all that it says."""


def test_what_models_are_told_changes_only_with_its_version() -> None:
    found = {
        p.version: hashlib.sha256(msgspec.json.encode(p)).hexdigest()[:16] for p in (OF_OBJECTS, OF_VIDEOS)
    }
    assert found == TOLD
