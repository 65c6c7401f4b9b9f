"""What a model reads of each benchmark, and what can be set about it."""

from __future__ import annotations

import msgspec
import pytest

from fathom.api import BENCHMARKS, benchmark_named
from fathom.benchmarks.fourdbench.protocol import COUNT, DESCRIBE
from fathom.benchmarks.seedbench.tasks import NUMBERS, NUMBERS_SECOND
from fathom.benchmarks.stibench.tasks import setting_of_video
from fathom.media.sampling import floor_step, linspace, segment_centre
from fathom.records import (
    ClipPart,
    InputError,
    Media,
    MediaPart,
    Prompt,
    Protocol,
    Question,
    Step,
    TextPart,
    UnansweredQuestion,
    Variant,
    pictures_of,
    without_answer,
)
from tests.protocols.made import image, video

OTHERS = tuple(name for name in BENCHMARKS if name != "pulsecheck457")
CHOICES = ("one", "two", "three", "four")


def protocol(benchmark: str, name: str = "default", **settings: str) -> Protocol:
    found = benchmark_named(benchmark).protocols[name]
    assert found.changed is not None
    return found.changed({k.replace("_", "-"): v for k, v in settings.items()})


def put(
    p: Protocol, media: list[Media], task: str = "t", variant: Variant | None = None, **more: object
) -> Prompt:
    fields: dict[str, object] = {"text": "Which?", "choices": CHOICES, **more}
    asked = UnansweredQuestion(id="q", task=task, media=tuple(m.id for m in media), **fields)  # type: ignore[arg-type]
    return p.prompt(asked, variant or p.variants(asked)[0], {m.id: m for m in media}.__getitem__)


def words(prompt: Prompt) -> str:
    return "\n".join(part.text for part in prompt.parts if isinstance(part, TextPart))


def shape(prompt: Prompt) -> str:
    """Letters for the parts in their order: t for text, p for pictures, c for a clip; runs are one letter."""
    letters = {TextPart: "t", MediaPart: "p", ClipPart: "c"}
    every = "".join(letters[type(part)] for part in prompt.parts)
    return "".join(c for i, c in enumerate(every) if i == 0 or every[i - 1] != c)


VIEWS = [video(f"o/{v}", frames=61, fps=20.0, view=v) for v in (0, 1, 4, 8, 12, 16)]


# 4D-Bench


def test_4d_bench_shows_six_frames_of_each_of_the_views_1_8_and_16_view_by_view() -> None:
    prompt = put(protocol("4d-bench"), VIEWS)
    steps = floor_step(61, 6)
    assert pictures_of(prompt) == [MediaPart(media=f"o/{v}", frame=f) for v in (1, 8, 16) for f in steps]
    assert shape(prompt) == "tpt"
    assert "18 frames of 3 videos" in words(prompt)
    assert "Every 6 frames in a row are of one video" in words(prompt)
    assert "(A) one\n(B) two\n(C) three\n(D) four" in words(prompt)


def test_4d_bench_in_the_order_of_time_shows_all_views_of_a_moment_together() -> None:
    prompt = put(protocol("4d-bench", order="time-major", sampling="linspace"), VIEWS)
    steps = linspace(61, 6)
    assert pictures_of(prompt) == [MediaPart(media=f"o/{v}", frame=f) for f in steps for v in (1, 8, 16)]
    assert "Every 3 frames in a row show the same moment" in words(prompt)


def test_4d_bench_says_the_time_of_each_frame_where_that_is_set() -> None:
    prompt = put(protocol("4d-bench", time_stamps="yes", views="1", frames="2"), VIEWS)
    assert [p.text for p in prompt.parts[1:5:2] if isinstance(p, TextPart)] == [
        "View 1, 0.00 s:",
        "View 1, 1.50 s:",
    ]


@pytest.mark.parametrize(("views", "shown"), [("1", [0]), ("2", [0, 8]), ("6", [0, 1, 4, 8, 12, 16])])
def test_4d_bench_spreads_any_other_number_of_views_around_the_object(views: str, shown: list[int]) -> None:
    pictures = pictures_of(put(protocol("4d-bench", views=views, frames="1"), VIEWS))
    assert [p.media for p in pictures] == [f"o/{v}" for v in shown]


def test_4d_bench_shows_a_model_of_videos_one_clip() -> None:
    prompt = put(protocol("4d-bench", show="clip"), VIEWS)
    (clip,) = (part for part in prompt.parts if isinstance(part, ClipPart))
    assert len(clip.frames) == 18
    assert clip.fps == pytest.approx(2.0)


def test_4d_bench_gives_hints_only_where_there_is_something_to_count() -> None:
    p = protocol("4d-bench", counting_hints="yes")
    assert COUNT in words(put(p, VIEWS, "object_counting"))
    assert COUNT not in words(put(p, VIEWS, "action"))
    assert COUNT not in words(put(protocol("4d-bench"), VIEWS, "object_counting"))


def test_4d_bench_asks_for_a_caption_in_its_form() -> None:
    prompt = put(protocol("4d-bench", "captions"), VIEWS, "caption", text="", choices=())
    assert len(pictures_of(prompt)) == 18
    assert words(prompt).endswith("caption: <your sentence>")
    assert DESCRIBE in words(prompt)
    assert "style" not in words(put(protocol("4d-bench", "captions", examples="no"), VIEWS, "caption"))


# SEED-Bench


def test_seed_bench_asks_for_the_likelihood_of_option_texts_that_are_not_shown() -> None:
    prompt = put(protocol("seed-bench"), [image("i")])
    assert words(prompt) == "Question: Which?\nAnswer:"
    assert prompt.continuations == CHOICES
    assert pictures_of(prompt) == [MediaPart(media="i")]


def test_seed_bench_samples_the_segment_that_a_question_names() -> None:
    clip = video("v", frames=300, fps=15.0)
    prompt = put(protocol("seed-bench"), [clip], "procedure_understanding", span_s=(2.0, 6.0))
    assert [p.frame for p in pictures_of(prompt)] == [30 + i for i in segment_centre(60, 8)]
    whole = put(protocol("seed-bench", span="whole"), [clip], "procedure_understanding", span_s=(2.0, 6.0))
    assert [p.frame for p in pictures_of(whole)] == list(segment_centre(300, 8))


def test_seed_bench_leaves_out_the_last_frame_where_an_action_is_recognised() -> None:
    clip = video("v", frames=100)
    for task, n in (("action_recognition", 99), ("scene_understanding", 100)):
        frames = [p.frame for p in pictures_of(put(protocol("seed-bench"), [clip], task))]
        assert frames == list(segment_centre(n, 8))


def test_seed_bench_can_show_options_and_let_the_model_write() -> None:
    prompt = put(protocol("seed-bench", "generation"), [image("i")])
    assert prompt.continuations == ()
    assert "A. one\nB. two\nC. three\nD. four" in words(prompt)
    letters = put(protocol("seed-bench", options="shown", continuation="letter"), [image("i")])
    assert letters.continuations == ("A", "B", "C", "D")
    assert words(letters).endswith("D. four\nAnswer:")


def test_seed_bench_puts_images_among_the_words_where_the_question_has_them() -> None:
    media = [image("i"), image("j")]
    prompt = put(protocol("seed-bench"), media, text="From <img> to <img> what changed?")
    parts = [
        p.text if isinstance(p, TextPart) else p.media for p in prompt.parts if not isinstance(p, ClipPart)
    ]
    assert parts == ["From", "i", "to", "j", "Question: what changed?\nAnswer:"]


def test_the_numbers_of_seed_benchs_dimensions_go_up_to_12_and_to_24() -> None:
    assert list(NUMBERS) == list(range(1, 13))
    assert list(NUMBERS_SECOND) == list(range(1, 25))
    assert NUMBERS[10] == NUMBERS_SECOND[20] == "action_recognition"


# STI-Bench

STREET = video("street", frames=120, fps=12.0)


def test_sti_bench_shows_30_frames_of_the_whole_video_after_the_text() -> None:
    prompt = put(protocol("sti-bench"), [STREET], span_s=(2.0, 6.5))
    assert [p.frame for p in pictures_of(prompt)] == list(linspace(120, 30))
    assert shape(prompt) == "tp"
    assert "about 2.92 frames per second" in words(prompt)
    assert "from 2 to 6.5 seconds" in words(prompt)


def test_sti_bench_can_show_fewer_frames_another_way_or_the_stretch_alone() -> None:
    for settings, frames in (
        ({"frames": "20"}, linspace(120, 20)),
        ({"sampling": "floor-step"}, floor_step(120, 30)),
        ({"rate": "1"}, tuple(range(0, 120, 12))),
        ({"span": "segment", "frames": "3"}, (24, 50, 77)),
    ):
        prompt = put(protocol("sti-bench", **settings), [STREET], span_s=(2.0, 6.5))
        assert [p.frame for p in pictures_of(prompt)] == list(frames), settings


def test_the_segment_of_a_built_question_ends_with_the_frame_that_it_names() -> None:
    p = protocol("sti-bench", span="segment", frames="3")
    asked = Question(
        id="q", task="t", text="Which?", answer="one", choices=CHOICES, media=("street",), span_s=(2.0, 6.5)
    )
    built = msgspec.structs.replace(asked, program=(Step(op="span", args=("2.0", "6.5")),))
    for question, frames in ((asked, (24, 50, 77)), (built, (24, 51, 78))):
        told = without_answer(question)
        prompt = p.prompt(told, p.variants(told)[0], {"street": STREET}.__getitem__)
        assert tuple(part.frame for part in pictures_of(prompt)) == frames


def test_sti_bench_is_silent_about_a_rate_that_is_not_wanted_or_not_known() -> None:
    assert "per second" not in words(put(protocol("sti-bench", fps_sentence="no"), [STREET]))
    assert "per second" not in words(put(protocol("sti-bench"), [video("v", fps=0.0)]))


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("videos/segment-10_front_camera.mp4", "outdoor"),
        ("scene0001_00.mp4", "indoor"),
        ("000123.mp4", "desktop"),
        ("holiday.mp4", ""),
    ],
)
def test_the_name_of_a_video_tells_what_kind_of_scene_it_shows(name: str, setting: str) -> None:
    assert setting_of_video(name) == setting


# 3DSRBench


def test_3dsrbench_puts_every_rotation_of_the_options() -> None:
    p = protocol("3dsrbench")
    asked = UnansweredQuestion(id="q", task="t", text="Which?", media=("i",), choices=("left", "right"))
    first, second = (p.prompt(asked, v, lambda _: image("i")) for v in p.variants(asked))
    assert "A. left\nB. right" in words(first)
    assert "A. right\nB. left" in words(second)
    assert shape(first) == "pt"
    assert len(protocol("3dsrbench", "flip").variants(asked)) == 1
    assert len(protocol("3dsrbench", "both").variants(asked)) == 2


# all of them


@pytest.mark.parametrize("benchmark", OTHERS)
def test_what_is_withheld_is_not_shown_and_nothing_is_said_of_it(benchmark: str) -> None:
    p = benchmark_named(benchmark).protocols["blind"]
    prompt = put(p, [VIEWS[1]])
    assert not pictures_of(prompt)
    assert all(
        v.media_withheld for v in p.variants(UnansweredQuestion(id="q", task="t", text="?", choices=CHOICES))
    )
    assert "You see" not in words(prompt)
    assert prompt.continuations or "withheld" in words(prompt)


@pytest.mark.parametrize("benchmark", OTHERS)
def test_media_stand_before_or_after_the_text_as_set(benchmark: str) -> None:
    before = put(protocol(benchmark, media="before"), [VIEWS[1]])
    after = put(protocol(benchmark, media="after"), [VIEWS[1]])
    assert shape(before).endswith("pt")
    assert shape(after).endswith("tp")


@pytest.mark.parametrize("benchmark", OTHERS)
def test_reasoning_is_asked_for_where_that_is_set_and_ends_in_a_letter(benchmark: str) -> None:
    said = words(put(protocol(benchmark, "generation", reasoning="yes"), [VIEWS[1]]))
    assert "step by step" in said
    assert said.endswith("Answer: (X)")


@pytest.mark.parametrize("benchmark", OTHERS)
def test_every_setting_is_recorded_and_changed_where_the_protocol_is(benchmark: str) -> None:
    for p in benchmark_named(benchmark).protocols.values():
        assert p.changed is not None
        changed = p.changed({"max-tokens": "7", "detail": "high", "max-side-px": "512"})
        assert changed.settings == {**p.settings, "max-tokens": 7, "detail": "high", "max-side-px": 512}
        assert changed.parameters == {"temperature": 0, "max_tokens": 7, "detail": "high", "max_side_px": 512}
        assert p.changed({}).settings == p.settings
        assert {"answer", "options", "media", "reasoning", "grouping", "early-stop"} <= p.settings.keys()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"colour": "red"}, "there is no setting 'colour' of the protocol .*; there are answer, "),
        ({"frames": "many"}, "a whole number of at least 1"),
        ({"frames": "0"}, "at least 1"),
        ({"rate": "nan"}, "at least 0"),
        ({"media": "beside"}, "expected before or after"),
        ({"blind": "perhaps"}, "expected yes or no"),
        ({"options": "hidden", "grouping": "circular"}, "cannot be rotated"),
        ({"answer": "likelihood", "options": "hidden", "continuation": "letter"}, "a letter means nothing"),
        ({"show": "clip", "time-stamps": "yes"}, "no room for text"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_in_words(settings: dict[str, str], why: str) -> None:
    p = benchmark_named("sti-bench").protocols["default"]
    assert p.changed is not None
    with pytest.raises(InputError, match=why):
        p.changed(settings)


def test_more_options_than_letters_are_refused() -> None:
    with pytest.raises(InputError, match="letters go to J"):
        put(protocol("3dsrbench"), [image("i")], choices=tuple(map(str, range(11))))


@pytest.mark.parametrize("benchmark", OTHERS)
def test_protocols_join_what_their_grouping_says(benchmark: str) -> None:
    for p in benchmark_named(benchmark).protocols.values():
        expected = {"plain": (), "circular": ("circular",), "flip": ("flip",), "both": ("circular", "flip")}
        assert p.joined == expected[str(p.settings["grouping"])]
