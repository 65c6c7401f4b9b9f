"""All five benchmarks over an endpoint: what goes out is what the paper shows, picture by picture."""

from __future__ import annotations

import base64
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.said import scored

pytest.importorskip("av", reason="the package av is not installed")
pytest.importorskip("pyarrow", reason="the package pyarrow is not installed")

from fathom import api
from fathom.pages.published import NOT_OFFICIAL, OFFICIAL
from fathom.store.datasets import Dataset
from tests.five import sets
from tests.five.conftest import Find
from tests.five.runs import responses, rows_of, sample_scores, score, scores
from tests.importing import shapes
from tests.inference.endpoints import Reply, completion, serving

ALWAYS = "(B)"
PROMPT_TOKENS = 3


@dataclass(frozen=True)
class Sent:
    """One request: the letters of its parts (t for text, p for a picture), and what they hold."""

    body: Mapping[str, object]

    @property
    def messages(self) -> list[dict[str, object]]:
        return self.body["messages"]  # type: ignore[return-value]

    @property
    def parts(self) -> list[dict[str, object]]:
        return self.messages[0]["content"]  # type: ignore[return-value]

    @property
    def shape(self) -> str:
        return "".join({"text": "t", "image_url": "p"}[str(part["type"])] for part in self.parts)

    @property
    def texts(self) -> list[str]:
        return [str(part["text"]) for part in self.parts if part["type"] == "text"]

    @property
    def pictures(self) -> list[bytes]:
        urls: list[Mapping[str, str]] = [
            part["image_url"]  # type: ignore[misc]
            for part in self.parts
            if part["type"] == "image_url"
        ]
        return [base64.b64decode(url["url"].partition(";base64,")[2]) for url in urls]

    @property
    def details(self) -> set[str | None]:
        return {
            part["image_url"].get("detail")  # type: ignore[attr-defined]
            for part in self.parts
            if part["type"] == "image_url"
        }

    @property
    def told(self) -> list[tuple[int, int]]:
        """Which film each picture is from, and which of its frames."""
        return [sets.told(picture) for picture in self.pictures]


def reply(before: int, body: str) -> Reply:
    """Say B, describe a lid, or tell how likely a continuation is: the longer, the less."""
    asked = json.loads(body)
    if "prompt_logprobs" in asked:
        said = asked["messages"][1]["content"] if len(asked["messages"]) > 1 else ""
        told: list[dict[str, dict[str, float]] | None] = [None]
        told += [{str(t): {"logprob": -1.0}} for t in range(PROMPT_TOKENS)]
        told += [{str(100 + ord(letter)): {"logprob": -ord(letter) / 100}} for letter in said]
        return 200, {**completion("x"), "prompt_logprobs": told}, {}
    if '"Answer"' in asked["messages"][0]["content"][-1].get("text", ""):
        return 200, completion('{"Reasoning": "It is near.", "Answer": "left"}'), {}
    if "caption:" in body:
        return 200, completion("caption: A lid that turns."), {}
    return 200, completion(ALWAYS), {}


@dataclass(frozen=True)
class Asked:
    """A run over the endpoint: what was sent, and what scoring it said."""

    sent: Sequence[Sent]
    run: Path
    said: str


def ask(dataset: Dataset, out: Path, protocol: str = "default", options: str = "", **settings: str) -> Asked:
    changed = {name.replace("_", "-"): value for name, value in settings.items()}
    with serving(reply) as server:
        model = f"openai:m@{server.url}{options}"
        ran = api.run_model(dataset.path, model, out, protocol=protocol, settings=changed, concurrency=4)
        assert ran.failed == 0, ran.text
        sent = [Sent(body) for body in server.bodies]
        api.run_model(dataset.path, model, out, protocol=protocol, settings=changed)
        assert len(server.bodies) == len(sent), "a second run asks nothing"
    return Asked(sent, out, scored(out))


# 4D-Bench


def test_4d_bench_sends_six_frames_of_each_of_three_views_view_by_view(dataset: Find, tmp_path: Path) -> None:
    asked = ask(dataset("4d-bench"), tmp_path / "run")
    steps = (0, 4, 8, 12, 16, 20)
    shown = {
        uid: [(sets.film_of(uid, view), step) for view in (1, 8, 16) for step in steps] for uid in shapes.UIDS
    }
    assert sorted(sent.told for sent in asked.sent) == sorted(
        shown[uid] for uid in shapes.UIDS for _ in range(5)
    )
    for sent in asked.sent:
        assert sent.shape == "t" + 18 * "p" + "t"
        assert sent.details == {"low"}
        assert "18 frames of 3 videos" in sent.texts[0]
        assert "Every 6 frames in a row are of one video" in sent.texts[0]
        assert "Which way does the lid turn?" in sent.texts[1]
        assert "(A) Left\n(B) Right\n(C) It does not\n(D) Both ways" in sent.texts[1]
        assert sent.texts[1].endswith("such as (A).")
        assert (sent.body["model"], sent.body["temperature"]) == ("m", 0)


def test_4d_bench_in_the_order_of_time_sends_every_moment_from_all_views(
    dataset: Find, tmp_path: Path
) -> None:
    asked = ask(dataset("4d-bench"), tmp_path / "run", order="time-major", sampling="linspace")
    steps = (0, 4, 9, 13, 18, 23)
    shown = {
        uid: [(sets.film_of(uid, view), step) for step in steps for view in (1, 8, 16)] for uid in shapes.UIDS
    }
    assert sorted(sent.told for sent in asked.sent) == sorted(
        shown[uid] for uid in shapes.UIDS for _ in range(5)
    )
    assert all("Every 3 frames in a row show the same moment" in sent.texts[0] for sent in asked.sent)


def test_4d_bench_captions_are_asked_of_the_same_frames_in_full_detail(dataset: Find, tmp_path: Path) -> None:
    asked = ask(dataset("4d-bench-captions"), tmp_path / "run", "captions")
    assert len(asked.sent) == 3
    for sent in asked.sent:
        assert [frame for _, frame in sent.told] == 3 * [0, 4, 8, 12, 16, 20]
        assert sent.details == {None}
        assert sent.texts[-1].endswith("caption: <your sentence>")
    assert {m.picked for m in sample_scores(asked.run)} == {"A lid that turns."}
    found = {
        s.name for s in scores(asked.run) if s.group.get("protocol") == "4dbench" and s.value is not None
    }
    assert {"bleu_4", "rouge_l"} <= {name.casefold().replace("-", "_") for name in found}


# SEED-Bench

SEED_FRAMES = {
    0: (2, 7, 12, 16, 21, 26, 30, 35),  # 39 of 40 frames: the last one is left out
    1: (15, 16, 17, 18, 19, 21, 22, 23),  # from 1.5 to 2.5 s at 10 a second
    2: (14, 20, 26, 32, 38, 43, 49, 55),  # from frame 12 on; the segment ends beyond the film
}


def test_seed_bench_sends_a_picture_as_it_lies_and_eight_frames_of_each_film(
    dataset: Find, tmp_path: Path
) -> None:
    found = dataset("seed-bench")
    asked = ask(found, tmp_path / "run", "generation")
    films = [sent for sent in asked.sent if len(sent.pictures) > 1]
    assert sorted(sent.told for sent in films) == [
        [(film, frame) for frame in frames] for film, frames in SEED_FRAMES.items()
    ]
    lying = {m: found.media_bytes(m) for q in found.questions() for m in q.media if m.endswith("_34")}
    stills = [sent.pictures for sent in asked.sent if len(sent.pictures) == 1]
    assert len(lying) == 3
    assert len(stills) == 14
    assert {data for (data,) in stills} == set(lying.values())
    for sent in asked.sent:
        assert sent.shape == len(sent.pictures) * "p" + "t"
        assert "\nA. One\nB. Two\nC. Three\nD. Four\n" in sent.texts[0]


def test_seed_bench_asks_how_likely_each_hidden_option_is_behind_the_same_pictures(
    dataset: Find, tmp_path: Path
) -> None:
    asked = ask(dataset("seed-bench"), tmp_path / "run")
    assert len(asked.sent) == 17 * (1 + 4)
    by_prompt: dict[str, list[Sent]] = {}
    for sent in asked.sent:
        by_prompt.setdefault(json.dumps(sent.messages[0]), []).append(sent)
        assert "Three" not in sent.texts[-1]
        assert sent.texts[-1].startswith("Question: ")
        assert sent.texts[-1].endswith("\nAnswer:")
    for group in by_prompt.values():
        behind = [str(sent.messages[1]["content"]) for sent in group if len(sent.messages) > 1]
        questions = len(group) // 5
        assert behind.count("One") == behind.count("Two") == behind.count("Four") == questions
        assert {len(sent.messages) for sent in group} == {1, 2}
    assert {m.extractor for m in sample_scores(asked.run)} == {"rank-sum-1"}
    assert {m.picked for m in sample_scores(asked.run)} == {"One"}, (
        "the shortest, and of the earliest letters"
    )
    first = responses(asked.run)[0].option_logprobs
    assert first == pytest.approx([-sum(map(ord, text)) / 100 for text in ("One", "Two", "Three", "Four")])
    assert {r.option_tokens for r in responses(asked.run)} == {(3, 3, 5, 4)}


# STI-Bench


@pytest.mark.parametrize(
    ("settings", "frames", "rate"),
    [
        ({}, [i * 60 // 29 for i in range(30)], "4.83"),
        ({"frames": "20"}, [i * 60 // 19 for i in range(20)], "3.17"),
        ({"sampling": "floor-step"}, list(range(0, 60, 2)), "5.00"),
        ({"span": "segment"}, [20 + i * 40 // 29 for i in range(30)], "7.25"),
    ],
)
def test_sti_bench_sends_thirty_frames_behind_the_question(
    dataset: Find, tmp_path: Path, settings: Mapping[str, str], frames: list[int], rate: str
) -> None:
    asked = ask(dataset("sti-bench"), tmp_path / "run", **settings)
    assert Counter(sent.told[0][0] for sent in asked.sent) == {0: 3, 1: 3, 2: 2}
    for sent in asked.sent:
        film = sent.told[0][0]
        assert sent.told == [(film, frame) for frame in frames]
        assert sent.shape == "t" + len(frames) * "p"
        assert f"at about {rate} frames per second" in sent.texts[0]
        assert "from 2 to 6.5 seconds" in sent.texts[0]
        assert "(A) 0.1 m/s\n(B) 0.2 m/s\n(C) 0.3 m/s\n(D) 0.4 m/s\n(E) 0.5 m/s" in sent.texts[0]


# 3DSRBench


@pytest.mark.parametrize(
    ("protocol", "requests"), [("default", 56), ("circular", 56), ("flip", 24), ("both", 56)]
)
def test_3dsrbench_sends_every_rotation_of_the_options_where_rotations_are_joined(
    dataset: Find, tmp_path: Path, protocol: str, requests: int
) -> None:
    asked = ask(dataset("3dsrbench"), tmp_path / "run", protocol)
    orders = Counter(
        sent.texts[0].partition("Options:\n")[2].partition("\n\n")[0].replace("\n", " ")
        for sent in asked.sent
    )
    two = {"A. lamp B. cup": 20, "A. cup B. lamp": 20}
    four = {
        "A. front B. left C. back D. right": 4,
        "A. left B. back C. right D. front": 4,
        "A. back B. right C. front D. left": 4,
        "A. right B. front C. left D. back": 4,
    }
    shown = {**two, **four}
    if protocol == "flip":
        shown = {
            k: n for k, n in shown.items() if k in ("A. lamp B. cup", "A. front B. left C. back D. right")
        }
    assert orders == shown
    assert len(asked.sent) == requests
    assert {sent.shape for sent in asked.sent} == {"pt"}


def test_3dsrbench_shows_the_mirror_image_where_the_mirrored_question_is_asked(
    dataset: Find, tmp_path: Path
) -> None:
    asked = ask(dataset("3dsrbench"), tmp_path / "run", "flip")
    dark_left = Counter(
        bool(np.asarray(Image.open(io.BytesIO(sent.pictures[0])).convert("L"))[0, 0] < 60)
        for sent in asked.sent
    )
    assert dark_left == {True: 12, False: 12}


def test_3dsrbench_who_always_says_b_is_right_in_no_group_of_rotations(dataset: Find, tmp_path: Path) -> None:
    asked = ask(dataset("3dsrbench"), tmp_path / "run", "both")
    found = {way: score(asked.run, f"accuracy_{way}") for way in ("plain", "circular", "flip", "both")}
    assert {way: s.n for way, s in found.items()} == {"plain": 56, "circular": 24, "flip": 28, "both": 12}
    # B is right in one rotation of each question: 24 of 56 passes.
    assert found["plain"].value == pytest.approx(24 / 56)
    assert found["flip"].value == pytest.approx(12 / 28)
    assert (found["circular"].value, found["both"].value) == (0.0, 0.0)


# PulseCheck457


def test_pulsecheck457_sends_the_task_the_picture_and_the_question(dataset: Find, tmp_path: Path) -> None:
    found = dataset("pulsecheck457")
    asked = ask(found, tmp_path / "run")
    assert len(asked.sent) == 21
    lying = {q.text: found.media_bytes(q.media[0]) for q in found.questions()}
    numbers: Counter[bytes] = Counter()
    for sent in asked.sent:
        assert sent.shape == "tpt"
        assert any(f"Question: {text}" in sent.texts[1] for text in lying)
        assert '"Answer": "<answer>"' in sent.texts[1]
        numbers[sent.pictures[0]] += 1
    assert sorted(numbers.values()) == [7, 7, 7]
    assert score(asked.run, "accuracy").value == pytest.approx(4 / 21)


# all of them

PRINTED = {
    "4d-bench": "88.98 89.29 94.39 91.04 89.71 91.08",
    "seed-bench": "57.80 2 38.31 1 52.73 2",
    "pulsecheck457": "74.46 62.88 56.14 48.40 42.41 38.41 37.01",
    "sti-bench": "1 41.4 38.7 53.8 36.9 33.9 33.1 52.5 47.4 50.4",
    "3dsrbench": "20.9 25.0 25.0 16.8 20.1",
}
"""A published row of each benchmark's first table."""


@pytest.mark.parametrize("name", sorted(sets.OFFICIAL.keys() - {"4d-bench-captions"}))
def test_blind_no_picture_goes_out_of_any(name: str, dataset: Find, tmp_path: Path) -> None:
    asked = ask(dataset(name), tmp_path / "run", "blind")
    assert {sent.shape.count("p") for sent in asked.sent} == {0}
    assert len(sample_scores(asked.run)) == len(asked.sent) // (5 if name == "seed-bench" else 1)
    assert len(sample_scores(asked.run)) >= sets.OFFICIAL[name].questions
    sorry = "withheld" in " ".join(asked.sent[0].texts)
    assert sorry == (name != "seed-bench"), "nothing but the question's own words where likelihood is asked"


@pytest.mark.parametrize("name", sorted(sets.OFFICIAL.keys() - {"4d-bench-captions"}))
def test_published_rows_stand_above_ours_and_a_part_is_not_called_official(
    name: str, dataset: Find, tmp_path: Path
) -> None:
    asked = ask(dataset(name), tmp_path / "run")
    official = sets.OFFICIAL[name]
    assert len(sample_scores(asked.run)) == official.requests
    assert {m.status for m in sample_scores(asked.run)} == {"ok"}
    table = next(t for t in api.benchmark_named(official.benchmark).tables if any(n for n, _ in t.ours))
    rows = rows_of(asked.said, f"{table.title}, published and ours")
    published = [row for row in rows if row.partition(", published")[1]]
    assert len(published) == len(table.rows)
    assert any(row.startswith("m ") for row in rows)
    printed = dict.fromkeys(" ".join(row.partition(", published")[2].split()) for row in published)
    assert PRINTED[name] in printed, "with the decimals that the paper gives them"
    assert NOT_OFFICIAL in asked.said
    assert OFFICIAL not in asked.said
