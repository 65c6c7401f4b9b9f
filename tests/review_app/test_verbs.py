"""What people said goes to the other verbs: runs, verdicts, captions, another version of the dataset."""

from __future__ import annotations

import csv
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

import fathom
from fathom import api
from fathom.api.review_sources import media_of, source_of
from fathom.records import InputError, Manifest, Media, MediaPart, Step, Verdict
from fathom.review.checks import APART
from fathom.review.forms import values_of
from fathom.review.progress import progress_of, progress_text
from fathom.review.records import ReviewItem
from fathom.store.datasets import MEDIA, hash_of_stills, open_dataset
from fathom.store.files import read_json, read_jsonl, write_jsonl
from tests.review_app.setting import begun, dataset_of, with_video


def said(review: api.Review, who: str, answers: dict[str, list[dict[str, Any]]]) -> None:
    """Let somebody judge every item that they get, as told for each stage in order."""
    person = next(p for p in review.store.people() if p.name == who)
    number = 0
    while given := review.store.next_items(person, 1):
        for stage, sent in zip(review.task.stages, answers[given[0].item.name], strict=True):
            values = values_of(review.task, stage, given[0].item, sent)
            review.store.add(person, given[0].id, stage.name, values, f"{who}-client-{number}")
            number += 1


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset_of(tmp_path_factory.mktemp("squares"))


def test_people_are_scored_like_a_model(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work", task="answer", overlap=2)
    right = {f"q{k}": k % 2 for k in range(6)}
    said(review, "Ana", {q: [{"picked": k}] for q, k in right.items()})
    by_ben: dict[str, list[dict[str, Any]]] = {q: [{"picked": k}] for q, k in right.items()}
    by_ben |= {"q0": [{"picked": 1}], "q5": [{"unknown": "don't know"}]}
    said(review, "Ben", by_ben)
    folders = [path for path in review.export(tmp_path / "out") if path.is_dir()]
    runs = {str(read_json(f / "manifest.json", Manifest).settings["model"]): f for f in folders}
    assert set(runs) == {"Human", "Human Ana", "Human Ben"}
    assert fathom.score(runs["Human Ana"])["accuracy"].value == 1.0
    ben = fathom.score(runs["Human Ben"])["accuracy"]
    assert ben.value == pytest.approx(4 / 6) and ben.n == 6, "what somebody does not know counts as wrong"
    rows = list(csv.reader((tmp_path / "out" / "answers.csv").read_text().splitlines()))
    assert rows[0] == ["question", "person", "answer", "seconds"] and len(rows) == 13
    people = {
        row[0]: row[1:] for row in csv.reader((tmp_path / "out" / "people.csv").read_text().splitlines())
    }
    assert {name: row[:2] for name, row in people.items() if name != "person"} == {
        "Ana": ["6", "100.0"], "Ben": ["6", "66.7"], "all of them": ["12", "83.3"],
    }  # fmt: skip
    assert people["all of them"][-1] == "people and scenes"
    low, high = (float(v) for v in people["all of them"][2:4])
    assert low < 66.7 < 83.3 < high, "who else would answer is not known from two people"


def test_what_is_shown_again_tells_who_says_the_same_and_counts_nowhere_else(tmp_path: Path) -> None:
    review, _ = begun(dataset_of(tmp_path, 30), tmp_path / "work", task="answer", overlap=2, checks=0.2)
    people = {p.name: p for p in review.store.people()}
    shown: dict[str, list[str]] = {"Ana": [], "Ben": []}
    for who, seen in shown.items():
        while given := review.store.next_items(people[who], 4):
            name = given[0].item.name
            # Ben says something else of what he has seen before.
            sent = {"picked": 1 if who == "Ben" and name in seen else 0}
            values = values_of(review.task, review.task.stages[0], given[0].item, sent)
            review.store.add(people[who], given[0].id, "answer", values, f"{who}-client-{len(seen)}")
            seen.append(name)
    for seen in shown.values():
        twice = [name for name in dict.fromkeys(seen) if seen.count(name) > 1]
        apart = [len(seen) - 1 - seen[::-1].index(n) - seen.index(n) for n in twice]
        assert (len(seen), len(set(seen)), len(twice)) == (36, 30, 6) and min(apart) > APART
    found = progress_of(review.store, review.task, review.results())
    assert [(p.name, p.done, p.same, p.again) for p in found.people] == [("Ana", 30, 6, 6), ("Ben", 30, 0, 6)]
    assert (found.counts.items, found.counts.judgements, found.counts.settled) == (30, 60, 30)
    assert found.agreement.raw == 1.0, "what Ben said first is what Ana said"
    assert "Ben: 30 done, 0 of 6 shown again judged alike" in "\n".join(progress_text(found))
    review.export(tmp_path / "out")
    rows = list(csv.reader((tmp_path / "out" / "answers.csv").read_text().splitlines()))
    assert len(rows) == 61
    checks = list(csv.DictReader((tmp_path / "out" / "checks.csv").read_text().splitlines()))
    assert {(r["person"], r["first"], r["second"]) for r in checks} == {
        ("Ana", "left", "left"), ("Ben", "left", "right"),
    }  # fmt: skip
    review.store.undo(people["Ana"], "taken back 1")
    ana = progress_of(review.store, review.task, review.results()).people[0]
    assert ana.done + ana.again == 35 and ana.same == ana.again, "what is taken back counts nowhere"
    assert api.open_review(tmp_path / "work").plan.checks == 0.2


def test_planted_faults_tell_who_notices_and_count_nowhere_else(tmp_path: Path) -> None:
    """Ana says of each answer whether it is right; Ben says "right" of everything."""
    review, _ = begun(dataset_of(tmp_path, 30), tmp_path / "work", planted=0.2)
    people = {p.name: p for p in review.store.people()}
    shown: dict[str, list[str]] = {"Ana": [], "Ben": []}
    turn = 0
    while any((given := {who: review.store.next_items(people[who], 1) for who in shown}).values()):
        for who, dealt in given.items():
            for one in dealt:
                name, turn = one.item.name, turn + 1
                left = int(name[1:]) % 2 == 0
                right = one.item.hidden["The dataset's answer"] == ("left" if left else "right")
                verdict = "right" if right or who == "Ben" else "wrong"
                sent: list[dict[str, Any]] = [{"picked": 0}, {"verdict": verdict, "reason": "not so"}]
                for stage, more in zip(review.task.stages, sent, strict=True):
                    values = values_of(review.task, stage, one.item, more)
                    review.store.add(people[who], one.id, stage.name, values, f"client-{turn}-{stage.name}")
                shown[who].append(name)
    assert {who: len(seen) for who, seen in shown.items()} == {"Ana": 18, "Ben": 18}
    found = progress_of(review.store, review.task, review.results())
    assert [(p.name, p.done, p.noticed, p.planted) for p in found.people] == [
        ("Ana", 15, 3, 3), ("Ben", 15, 0, 3),
    ]  # fmt: skip
    assert (found.counts.items, found.counts.judgements) == (30, 30)
    text = "\n".join(progress_text(found))
    assert "Ben: 15 done, 0 of 3 planted mistakes noticed" in text
    assert "of 6 planted faults people noticed 3" in text
    review.export(tmp_path / "out")
    verdicts = list(read_jsonl(tmp_path / "out" / "verdicts.jsonl", Verdict))
    assert len(verdicts) == 30 and {v.decision for v in verdicts} == {"keep"}
    planted = list(csv.DictReader((tmp_path / "out" / "planted.csv").read_text().splitlines()))
    assert {(r["person"], r["expected"], r["said"]) for r in planted} == {
        ("Ana", "wrong", "wrong"), ("Ben", "wrong", "right"),
    }  # fmt: skip


def test_who_reads_chooses_what_a_planted_text_says(tmp_path: Path) -> None:
    review, _ = begun(
        dataset_of(tmp_path, 20), tmp_path / "work", task="answer", people=("Ana",), planted=0.1
    )
    (ana,) = (p for p in review.store.people() if p.name == "Ana")
    seen: list[tuple[str, bool]] = []
    while given := review.store.next_items(ana, 1):
        item = given[0].item
        told = "“" in item.text
        choice = item.text.split("“")[1].split("”")[0] if told else item.options[0]
        values = values_of(review.task, review.task.stages[0], item, {"picked": item.options.index(choice)})
        review.store.add(ana, given[0].id, "answer", values, f"client-{len(seen)}")
        seen.append((item.name, told))
    assert len(seen) == 22 and sum(told for _, told in seen) == 2
    (row,) = (p for p in progress_of(review.store, review.task, review.results()).people if p.name == "Ana")
    assert (row.done, row.noticed, row.planted) == (20, 2, 2)
    assert api.open_review(tmp_path / "work").plan.planted == 0.1


def test_only_tasks_with_labels_show_items_again(dataset: Path, tmp_path: Path) -> None:
    for option in ("checks", "planted"):
        for more in ({"task": "write", option: 0.1}, {option: 0.9}):
            with pytest.raises(InputError, match=f"--{option}"):
                begun(dataset, tmp_path / "work", **more)


def test_rejected_questions_go_and_the_reasons_stay(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work", overlap=2)
    fine: list[dict[str, Any]] = [{"picked": 0}, {"verdict": "right"}]
    told = {"verdict": "ambiguous", "reason": "two squares", "text": "Which side?"}
    wrong: list[dict[str, Any]] = [{"problem": "ambiguous"}, told]
    said(review, "Ana", {f"q{k}": wrong if k in (1, 2) else fine for k in range(6)})
    said(review, "Ben", {f"q{k}": wrong if k == 1 else fine for k in range(6)})
    text = review.apply(tmp_path / "next", "majority")
    assert "q1: ambiguous" in text and "not agreed on, and kept: q2" in text
    left = open_dataset(tmp_path / "next")
    assert [q.id for q in left.questions()] == ["q0", "q2", "q3", "q4", "q5"]
    kept = list(read_jsonl(tmp_path / "next" / "verdicts.jsonl", Verdict))
    assert len(kept) == 12
    assert {v.reason for v in kept if v.decision == "reject"} == {"ambiguous: two squares"}
    assert fathom.load_dataset(tmp_path / "next")
    review.apply(tmp_path / "worded", "all", edits=True)
    worded = {q.id: q.text for q in open_dataset(tmp_path / "worded").questions()}
    assert worded["q2"] == "Which side?", "one person words it so, nobody otherwise"
    assert review.status().startswith("Check questions: 6 of 6 items settled")
    again, _ = begun(tmp_path / "next", tmp_path / "second")
    bad: list[dict[str, Any]] = [{"picked": 0}, {"verdict": "wrong", "reason": "so"}]
    said(again, "Ana", {f"q{k}": bad if k == 3 else fine for k in range(6)})
    words = again.apply(tmp_path / "third", "majority")
    today = datetime.now(UTC).date().isoformat()
    assert f"round 1, {today}: 5 of 6 kept (83.3 %); 1 ambiguous" in words
    assert f"round 2, {today}: 4 of 5 kept (80.0 %); 1 wrong" in words
    rounds = [json.loads(line) for line in (tmp_path / "third" / "rounds.jsonl").read_text().splitlines()]
    assert [(r["judged"], r["kept"], r["gone"]) for r in rounds] == [
        (6, 5, {"ambiguous": 1}),
        (5, 4, {"wrong": 1}),
    ]
    assert not (dataset / "rounds.jsonl").exists()


def test_what_was_judged_in_part_is_not_counted_as_judged(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work")
    ana = next(p for p in review.store.people() if p.name == "Ana")
    (one, *_), (blind, shown) = review.store.next_items(ana, 6), review.task.stages
    values = values_of(review.task, blind, one.item, {"picked": 0})
    review.store.add(ana, one.id, blind.name, values, "client-0")
    with pytest.raises(InputError, match="no question was judged to the end yet"):
        review.apply(tmp_path / "next")
    other = next(g for g in review.store.next_items(ana, 6) if g.id != one.id)
    for stage, sent in ((blind, {"picked": 0}), (shown, {"verdict": "right"})):
        values = values_of(review.task, stage, other.item, sent)
        review.store.add(ana, other.id, stage.name, values, f"client-{stage.name}")
    words = review.apply(tmp_path / "next")
    assert "1 of 1 kept (100.0 %)" in words and "not agreed on" not in words
    assert f"not judged to the end, and kept: {one.item.name}" in words
    assert review.status().startswith("Check questions: 1 of 6 items settled")


def test_people_write_questions_on_photographs(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    (photos / "deep").mkdir(parents=True)
    for name in ("a.jpg", "deep/b.png"):
        Image.new("RGB", (40, 30), (200, 40, 40)).save(photos / name)
    (photos / "notes.txt").write_text("no picture")
    (photos / "out.jpg").symlink_to("/etc/hostname")
    plan = api.ReviewPlan(photos, "write", tmp_path / "work", ("Ana",), benchmark="3dsrbench")
    review, _ = api.begin_review(plan)
    form = {
        "question": "Which is higher?", "answer": "the cup", "distractors": ["the plate"],
        "task": "height_higher", "marks": [{"picture": 0, "box": [0.9, 0.1, 0.2, 0.4], "label": "cup"}],
    }  # fmt: skip
    said(review, "Ana", {"a.jpg": [form], "deep/b.png": [form]})
    (path,) = [p for p in review.export(tmp_path / "out") if p.name == "questions.jsonl"]
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["images"] for row in rows] == [["a.jpg"], ["deep/b.png"]]
    assert rows[0]["marks"][0]["box"] == [0.2, 0.1, 0.9, 0.4]
    made = api.import_dataset("jsonl", path, tmp_path / "made", media=photos)
    assert len(list(open_dataset(tmp_path / "made").questions())) == 2, made
    picture, _ = media_of(plan)
    with pytest.raises(InputError):
        picture(MediaPart(media="../work/review.sqlite"))


def test_people_s_questions_of_a_dataset_find_its_media_by_their_ids(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work", task="write", people=("Ana",))
    (ana,) = (p for p in review.store.people() if p.name == "Ana")
    given = review.store.next_items(ana, 1)[0]
    words = {"question": "What colour is it?", "answer": "blue", "distractors": ["red"], "task": "side"}
    stage = review.task.stages[0]
    review.store.add(ana, given.id, stage.name, values_of(review.task, stage, given.item, words), "client-1")
    review.export(tmp_path / "out")
    written = tmp_path / "out" / "questions.jsonl"
    api.import_dataset("jsonl", written, tmp_path / "theirs", media=dataset, copy=True)
    (question,) = open_dataset(tmp_path / "theirs").questions()
    own = {m.id: m.sha256 for m in map(open_dataset(dataset).media, given.item.about)}
    found = [open_dataset(tmp_path / "theirs").media(name).sha256 for name in question.media]
    assert found == list(own.values()) and question.answer == "blue"


def test_what_cannot_be_begun_is_said_in_a_sentence(dataset: Path, tmp_path: Path) -> None:
    for more, words in (
        ({"task": "nothing"}, "expected one of verify, answer"),
        ({"overlap": 3}, "each item needs so many people"),
        ({"tasks": ("nowhere",)}, "--only nowhere"),
        ({"task": "caption"}, "there is nothing to review"),
        ({"task": "answer", "protocol": "nothing"}, "--protocol nothing"),
        ({"people": ("Ana", "x" * 90)}, "1 to 80 characters"),
    ):
        with pytest.raises(InputError, match=words):
            begun(dataset, tmp_path / words[:5], **more)
    with pytest.raises(InputError, match="no photographs"):
        begun(tmp_path, tmp_path / "work")


def test_a_review_of_something_else_is_not_carried_on(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work")
    review.store.close()
    assert api.open_review(tmp_path / "work").plan.task == "verify"
    other = dataset_of(tmp_path / "other", 4)
    folder = open_dataset(other)
    kept = review.store.path
    import sqlite3

    db = sqlite3.connect(kept)
    db.execute("UPDATE meta SET value = ? WHERE key = 'source'", (str(folder.path.resolve()),))
    db.commit()
    db.close()
    with pytest.raises(InputError, match="put back what was reviewed"):
        api.open_review(tmp_path / "work")


def test_nobody_said_anything_yet(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work")
    with pytest.raises(InputError, match="nobody has said anything"):
        review.export(tmp_path / "out")


def test_texts_that_a_spreadsheet_would_run_are_kept_as_texts(tmp_path: Path) -> None:
    from fathom.review.writing import write_table

    path = write_table(tmp_path / "t.csv", ("a",), [("=1+1",), ("fine",), (-3,)])
    assert path.read_text().splitlines() == ["a", "'=1+1", "fine", "-3"]


def test_an_item_has_no_word_of_its_answer_before_its_stage(dataset: Path, tmp_path: Path) -> None:
    review, _ = begun(dataset, tmp_path / "work", task="answer")
    for item in review.store.items():
        assert isinstance(item, ReviewItem) and not item.hidden and "answer" not in item.facts


def test_views_that_were_not_rendered_are_not_shown(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / "films"
    shutil.copytree(dataset, folder)
    views = [
        Media(
            id=f"view{k}", path=f"media/view{k}.mp4", kind="video", size=(6, 4), frames=48, fps=12.0, view=k,
            stills=stills, sha256=hash_of_stills(stills),
        )
        for k, stills in enumerate(({0: "a" * 64, 8: "b" * 64}, {}, {24: "c" * 64}))
    ]  # fmt: skip
    write_jsonl(folder / MEDIA, views)
    shown = tuple(view.id for view in views)
    questions = [
        msgspec.structs.replace(q, media=shown if k else shown[:1])
        for k, q in enumerate(open_dataset(dataset).questions())
    ]
    write_jsonl(folder / "questions.jsonl", questions)
    source = source_of(api.ReviewPlan(folder, "verify", tmp_path / "work"))
    clips = [source.item(q).clips for q in questions]
    assert [(c.title, [f.frame for f in c.frames]) for c in clips[1]] == [
        ("view 0", [0, 8]),
        ("view 2", [24]),
    ]
    assert [c.title for c in clips[0]] == [""], "of one view nothing needs to be said"


def test_a_stretch_of_a_built_video_is_shown_with_the_frame_at_its_end(dataset: Path, tmp_path: Path) -> None:
    folder = with_video(dataset, tmp_path / "videos", (0.67, 2.67))
    asked = [
        msgspec.structs.replace(q, program=(Step(op="scene"),) * (k % 2))
        for k, q in enumerate(open_dataset(folder).questions())
    ]
    write_jsonl(folder / "questions.jsonl", asked)
    review, _ = begun(folder, tmp_path / "work")
    clips = {item.about[0]: item.clips[0] for item in review.store.items()}
    shown = {name: [f.frame for f in clip.frames] for name, clip in clips.items()}
    for question in asked:
        assert clips[question.id].times_s == pytest.approx([k / 30 for k in shown[question.id]])
        # A built question names the frames 20 and 80; an imported one may mean what lies before its end.
        assert shown[question.id] == ([*range(20, 90, 10)] if question.program else [*range(20, 80, 10)])
