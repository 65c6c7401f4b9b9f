"""What a question was asked about, as the gallery shows it: pictures, and frames of videos."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.media.sampling import span_of
from fathom.pages.pictures import PagePicture, page_film, page_frame, page_picture
from fathom.records import DataError, FathomError, Media, MissingExtraError, Question
from fathom.reporting.data import ReportDataset

TIMED = ("at", "span")
"""Operators of programs whose arguments are seconds of the video."""

MOST_FRAMES, MOST_FILMS, MOST_PICTURES = 6, 4, 12
SIDE_PX, SMALL_PX = 960, 480
FILM_FRAMES, FILM_PX = 16, 240


@dataclass(frozen=True)
class MediaShot:
    """One picture or frame; `uri` is empty where it could not be read, and `words` say what it is."""

    words: str
    uri: str
    width: int
    height: int


@dataclass(frozen=True)
class Strip:
    """What belongs together, with a line about it: the frames of one video, or several pictures.

    `film` plays more frames of the video, as a data URI; "" for none.
    """

    words: str
    shots: tuple[MediaShot, ...]
    note: str = ""
    film: str = ""


def is_video(dataset: ReportDataset, media_id: str) -> bool:
    """Return whether a medium is a video; what is not listed is taken for a picture."""
    entry = dataset.media.get(media_id)
    return entry is not None and entry.kind == "video"


def picture_of(dataset: ReportDataset, media_id: str, longest_px: int = SIDE_PX) -> PagePicture:
    """Return a picture as a page carries it; its `uri` is empty where it cannot be read."""
    entry = dataset.media.get(media_id)
    try:
        found = page_picture(dataset.picture(media_id), longest_px)
    except (DataError, OSError, KeyError):
        found = None
    return found or PagePicture("", *(entry.size if entry else (640, 480)))


def strips_of(dataset: ReportDataset, question: Question) -> tuple[Strip, ...]:
    """Return the strips of a question: one of its pictures where they are several, one for each video."""
    pictures = [m for m in question.media if not is_video(dataset, m)]
    films = [m for m in question.media if is_video(dataset, m)]
    found = []
    if len(pictures) > 1 or (pictures and films):
        shots = [_shot(dataset, m, f"{i}") for i, m in enumerate(pictures[:MOST_PICTURES], 1)]
        found.append(Strip("", tuple(shots), _more(len(pictures), MOST_PICTURES, "pictures")))
    each = MOST_FRAMES if len(films) == 1 else MOST_FRAMES // 2
    shown = films[:MOST_FILMS]
    found += [_film(dataset, dataset.media[m], question, each, plays=m == films[0]) for m in shown]
    if len(films) > len(shown):
        found.append(Strip("", (), _more(len(films), MOST_FILMS, "videos")))
    return tuple(found)


def noun_of(dataset: ReportDataset, questions: Sequence[Question]) -> tuple[str, str]:
    """Return what the gallery's entries are called, one and several of them."""
    if not any(q.media for q in questions):
        seen = any(q.scene for q in questions)
        return ("scene", "scenes") if seen else ("set of questions", "sets of questions")
    films = [any(is_video(dataset, m) for m in q.media) for q in questions]
    if films and all(films):
        several = any(len(q.media) > 1 for q in questions)
        return ("set of videos", "sets of videos") if several else ("video", "videos")
    if any(films):
        return "picture or video", "pictures and videos"
    if any(len(q.media) > 1 for q in questions):
        return "set of pictures", "sets of pictures"
    return "picture", "pictures"


def _more(there: int, shown: int, what: str) -> str:
    return f"{shown} of {there} {what} are shown." if there > shown else ""


def _shot(dataset: ReportDataset, media_id: str, words: str) -> MediaShot:
    found = picture_of(dataset, media_id, SMALL_PX)
    return MediaShot(words, found.uri, found.width, found.height)


def _film(dataset: ReportDataset, media: Media, question: Question, most: int, plays: bool) -> Strip:
    """Return frames from the whole video, or from the stretch that the question names; and a film of them."""
    words = media.path.rpartition("/")[2] or media.id
    if question.span_s is not None:
        words += f", {question.span_s[0]:.1f} to {question.span_s[1]:.1f} s"
    try:
        shots = _frames(dataset, media, question, most)
        film = _playing(dataset, media, question) if plays and shots else ""
    except MissingExtraError as e:
        return Strip(words, (), f"No frame can be shown: {e}.")
    except (FathomError, OSError, KeyError):
        return Strip(words, (), "No frame can be shown: the file is not there, or cannot be decoded.")
    return Strip(words, shots, "" if shots else "No frame can be shown: how long it is, is not known.", film)


def _playing(dataset: ReportDataset, media: Media, question: Question) -> str:
    """Return a small film of what a question is asked about; "" where there is but one frame of it."""
    span, _ = _span(dataset, media, question)
    numbers = _chosen(span, (), FILM_FRAMES)
    if len(numbers) < 2 or media.fps <= 0:
        return ""
    passes_s = (numbers[-1] - numbers[0]) / (len(numbers) - 1) / media.fps
    return page_film(_pixels(dataset, media, numbers), round(1000 * passes_s), FILM_PX)


def _span(dataset: ReportDataset, media: Media, question: Question) -> tuple[Sequence[int], Sequence[int]]:
    """Return the frames of a video that a question is asked about, and all, of those that can be shown."""
    span: Sequence[int] = span_of(media, question.span_s, closed=bool(question.program))
    every: Sequence[int] = range(media.frames)
    if dataset.still is not None and media.stills:
        every = sorted(media.stills)
        span = [n for n in every if n in span] or every
    return span, every


def _frames(dataset: ReportDataset, media: Media, question: Question, most: int) -> tuple[MediaShot, ...]:
    if dataset.path is None or media.frames < 1:
        return ()
    span, every = _span(dataset, media, question)
    asked = asked_about(media, question, every if question.program else span)
    numbers = _chosen(span, asked, most)
    shots = []
    for number, found in zip(numbers, _pages(dataset, media, numbers), strict=True):
        # Two decimals where one would name another frame's time.
        digits = 2 if number in asked and round(number / media.fps, 1) != round(number / media.fps, 2) else 1
        at = f"{number / media.fps:.{digits}f} s" if media.fps > 0 else f"frame {number}"
        shots.append(MediaShot(at, found.uri, found.width, found.height))
    return tuple(shots)


def times_asked(question: Question) -> tuple[float, ...]:
    """Return the seconds that a question names: those of its program, without one the ends of its stretch."""
    if not question.program:
        return tuple(question.span_s or ())
    return tuple(sorted({float(arg) for step in question.program if step.op in TIMED for arg in step.args}))


def asked_about(media: Media, question: Question, there: Sequence[int]) -> list[int]:
    """Return the frames of those that there are which are nearest to the seconds that are asked about."""
    if media.fps <= 0 or not there:
        return []
    return sorted({min(there, key=lambda n: abs(n / media.fps - t)) for t in times_asked(question)})


def _chosen(there: Sequence[int], asked: Sequence[int], most: int) -> list[int]:
    """Return `most` of the frames that there are: those asked about, and evenly spread ones between."""
    kept = list(asked[:most])
    k = min(most, len(there))
    spread = [there[(2 * i + 1) * len(there) // (2 * k)] for i in range(k)] if k else []
    for number in sorted(spread, key=lambda n: -min((abs(n - a) for a in asked), default=0)):
        if len(kept) < k and number not in kept:
            kept.append(number)
    return sorted(kept)


def _pages(dataset: ReportDataset, media: Media, numbers: Sequence[int]) -> list[PagePicture]:
    """Return frames as a page carries them: from the pictures beside the video where there are some."""
    if dataset.still is not None and media.stills:
        stills = [page_picture(dataset.still(media.id, n), SMALL_PX) for n in numbers]
        return [s or PagePicture("", *media.size) for s in stills]
    return [page_frame(pixels) for pixels in _pixels(dataset, media, numbers)]


def _pixels(dataset: ReportDataset, media: Media, numbers: Sequence[int]) -> list[NDArray[np.uint8]]:
    """Return frames (height, width, 3) RGB, from the pictures beside the video where there are some."""
    if dataset.still is not None and media.stills:
        return [_decoded(dataset.still(media.id, n)) for n in numbers]
    if dataset.path is None:
        return []
    from fathom.media.video import read_frames

    return list(read_frames(dataset.path(media.id), numbers))


def _decoded(data: bytes) -> NDArray[np.uint8]:
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGB"), dtype=np.uint8)
