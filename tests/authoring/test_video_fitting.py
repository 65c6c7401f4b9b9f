"""Descriptions held against the truth of a video."""

from __future__ import annotations

from collections import Counter

import pytest

from fathom.benchmarks.stibench.authoring.description_check import (
    ANOTHER,
    LARGER,
    NOT_THERE,
    NOT_UNDERSTOOD,
    NOTHING,
    ONLY_PEOPLE,
    SEVERAL,
    UNSURE,
    DescriptionFit,
    fit,
)
from fathom.benchmarks.stibench.authoring.vocabulary import DescriptionVocabulary
from fathom.programs.engine import traced
from fathom.programs.referring import expressions
from fathom.programs.views.video import VideoView
from fathom.questions.contexts.video import VideoContext


def whole(tracks: VideoView) -> tuple[int, int]:
    return 0, tracks.frames - 1


def seen(tracks: VideoView) -> list[int]:
    return [k for k in range(len(tracks.objects)) if tracks.seen[:, k].any() and not tracks.stands[k]]


def a_noun(stages: list[VideoContext], several: bool) -> tuple[VideoView, list[int]]:
    """Return the objects that share a noun, or one whose noun nobody else has, in some video."""
    for stage in stages:
        t = stage.tracks
        counts = Counter(t.names[k] for k in seen(t))
        for noun, n in counts.items():
            if (n > 1) == several:
                return t, [k for k in seen(t) if t.names[k] == noun]
    pytest.skip("no video has such things")


def held(words: str, obj: int, t: VideoView, vocabulary: DescriptionVocabulary) -> DescriptionFit:
    return fit(words, t.objects[obj], t, whole(t), vocabulary)


def test_what_the_grammar_says_fits_its_object_and_no_other(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    count = 0
    for t in (s.tracks for s in stages):
        for name, e in expressions(t).items():
            if e is None:
                continue
            count += 1
            found = fit(e.words, name, t, whole(t), vocabulary)
            assert found.outcome == "fits", (e.words, found)
            answered = traced(found.program, t)
            assert answered.selected(t)[-1] == (name,)
            assert answered.least.ratio >= 1
            others = [t.objects[k] for k in seen(t) if t.objects[k] != name]
            assert all(fit(e.words, o, t, whole(t), vocabulary).outcome != "fits" for o in others)
    assert count > 10


def test_a_noun_of_several_objects_is_ambiguous(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t, alike = a_noun(stages, several=True)
    found = held(f"the {t.names[alike[0]]}", alike[0], t, vocabulary)
    assert (found.outcome, found.reason) == ("rejected", SEVERAL)
    assert t.objects[alike[1]] in found.detail


def test_what_is_nowhere_in_the_video_is_not_there(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t, (obj, *_) = a_noun(stages, several=False)
    found = held("the motorcycle", obj, t, vocabulary)
    assert (found.outcome, found.reason, found.detail) == ("rejected", NOT_THERE, "motorcycle")
    named = held(f"the {t.names[obj]} to the left of the motorcycle", obj, t, vocabulary)
    assert (named.outcome, named.reason) == ("rejected", NOT_THERE)
    assert held("the dragon", obj, t, vocabulary).reason == NOT_UNDERSTOOD


def test_words_for_another_object_are_rejected(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t, (obj, *_) = a_noun(stages, several=False)
    other = next(k for k in seen(t) if t.names[k] != t.names[obj])
    assert held(f"the {t.names[obj]}", other, t, vocabulary).reason == ANOTHER


def test_a_color_or_motion_that_is_wrong_fits_nothing(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t, (obj, *_) = a_noun(stages, several=False)
    color = next(c for c in ("pink", "teal", "beige") if c != t.colors[obj])
    assert held(f"the {color} {t.names[obj]}", obj, t, vocabulary).outcome != "fits"
    assert held(f"the {t.names[obj]} that turns left", obj, t, vocabulary).reason in (NOTHING, UNSURE)


def test_words_that_truth_does_not_know_are_for_people(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t, (obj, *_) = a_noun(stages, several=False)
    found = held(f"the shiny {t.names[obj]}", obj, t, vocabulary)
    assert (found.outcome, found.reason, found.detail) == ("people", ONLY_PEOPLE, "shiny")
    assert traced(found.program, t).selected(t)[-1] == (t.objects[obj],)


def test_a_word_of_size_is_held_against_the_truth_and_is_no_proof(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t, alike = a_noun(stages, several=True)
    volumes = {k: float(t.sizes_m[k].prod()) for k in alike}
    smallest = min(alike, key=lambda k: volumes[k])
    words = f"the largest {t.names[smallest]}"
    assert held(words, smallest, t, vocabulary).outcome == "rejected"
    largest = max(alike, key=lambda k: volumes[k])
    rivals = [v for k, v in volumes.items() if k != largest]
    if volumes[largest] > LARGER * max(rivals):
        assert held(words, largest, t, vocabulary).outcome == "people"


def test_one_noun_for_another_is_for_people(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    for stage in stages:
        t = stage.tracks
        for k in seen(t):
            if t.names[k] == "mug" and "cup" not in t.names:
                found = held(f"the {t.colors[k]} cup", k, t, vocabulary)
                assert (found.outcome, found.reason) == ("people", UNSURE)
                return
    pytest.skip("no video has a mug")


def test_what_fits_a_span_need_not_fit_the_whole_video(
    stages: list[VideoContext], vocabulary: DescriptionVocabulary
) -> None:
    t = stages[0].tracks
    for k in seen(t):
        span = int(t.shown[2]), int(t.shown[-3])
        found = expressions(t, span).get(t.objects[k])
        if found is not None:
            held_there = fit(found.words, t.objects[k], t, span, vocabulary)
            assert held_there.outcome == "fits"
            assert held_there.program[0].op == "span"
