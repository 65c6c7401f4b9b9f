"""Questions, the programs that answer them, and what they can be seen in."""

from __future__ import annotations

from fathom.records.scene import Record


class Media(Record, frozen=True, kw_only=True):
    """One picture ("image") or video ("video") of a dataset.

    `path` is relative to the dataset's folder, or to the folder that its manifest names as `media_root`,
    where the files stay with whoever made them. `size` is width and height in pixels; a video has `frames`
    at `fps` a second. `view` tells the viewpoints of one scene apart.

    `stills` are the frames of a video that lie beside it as pictures, at `still_path`: number → SHA-256. They
    go out as they are. A video of which only stills were made has no file at `path`, and the `sha256` of its
    stills' hashes, in order, a line each.
    """

    id: str
    path: str
    kind: str
    size: tuple[int, int]
    sha256: str
    scene: str = ""
    view: int = 0
    time_s: float = 0.0
    frames: int = 0
    fps: float = 0.0
    stills: dict[int, str] = {}


def still_path(media: Media, frame: int) -> str:
    """Return where one still of a video lies, relative to what the video's own path is relative to."""
    return f"{media.path.rsplit('.', 1)[0]}/frame_{frame:04d}.png"


class Step(Record, frozen=True, kw_only=True):
    """One step of a question's program: the operator, the earlier steps it reads, and its arguments."""

    op: str
    inputs: tuple[int, ...] = ()
    args: tuple[str, ...] = ()


class Margin(Record, frozen=True, kw_only=True):
    """How far the relation on which the answer hangs is from its threshold.

    `value` is the signed distance from the threshold in `unit` (positive: the relation holds, or fails,
    as the answer says); `ratio` is that distance in units of the relation's tolerance.
    """

    relation: str
    value: float
    unit: str
    ratio: float
    between: tuple[str, ...] = ()


class Precision(Record, frozen=True, kw_only=True):
    """How finely a careful person could answer from what is shown, in `unit` (m, m/s, m/s², °)."""

    value: float
    unit: str


class Need(Record, frozen=True, kw_only=True):
    """One object that has to be seen, and the cells (view, frame) in each of which it can be.

    `cells` maps a view to the frames there, as ranges with both ends: "0-11,18". `what` says it in words.
    """

    what: str
    cells: dict[int, str]


class Evidence(Record, frozen=True, kw_only=True):
    """Where the answer can be seen: for each step the objects it selects, and the smallest visible share.

    Of videos from several views: whoever is shown at least one cell of every one of the `needs` can answer.
    """

    objects: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...] = ()
    smallest_visible_px: int = 0
    smallest_visible_fraction: float = 1.0
    needs: tuple[Need, ...] = ()


class Annotation(Record, frozen=True, kw_only=True):
    """One published annotation that a question comes from: its own words, and where they stand.

    `place` is file and line; the stretch of the video is in seconds, and empty where all of it is meant.
    """

    id: str
    place: str
    words: str
    start_s: float = 0.0
    stop_s: float = 0.0


class Groups(Record, frozen=True, kw_only=True):
    """Which questions belong together; what is joined when scoring is the protocol's to say."""

    cluster: str = ""
    flip: str = ""
    pair: str = ""


class Question(Record, frozen=True, kw_only=True):
    """One question with its answer, and the proof of it.

    `possible` lists the answers that a question of this form can have (the options of a blind guesser);
    `choices` are options shown to the model (0, 2, 4, 5 …). `answer` is one of `choices`, a text, or a
    number written out; `equivalents` are other texts that count as the same answer.
    """

    id: str
    task: str
    text: str
    answer: str
    media: tuple[str, ...] = ()
    scene: str = ""
    choices: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    equivalents: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    span_s: tuple[float, float] | None = None
    program: tuple[Step, ...] = ()
    margin: Margin | None = None
    evidence: Evidence | None = None
    bias_score: float | None = None
    sampled_error: float | None = None
    precision: Precision | None = None
    annotations: tuple[Annotation, ...] = ()
    groups: Groups = Groups()
    tags: dict[str, str] = {}
    source: str = ""


ABOUT_THE_ANSWER = frozenset(
    {
        *("views", "time", "distractors", "prior_answer", "nearest_error", "difficulty"),
        *("counterfactual", "n_objects", "picture_suggests", "options_mean", "explanation"),
        "blind",
    }
)
"""Tags that say what it takes to answer, what is false, what the pictures show, or whether readers were right
who did not see them: no backend is told."""


IN_WORDS_OF = "model:"
"""What the source of a question begins with that is asked in a model's words; the model's name follows."""


class UnansweredQuestion(Record, frozen=True, kw_only=True):
    """What a backend is shown of a question: no answer, no program, no margin.

    `to_last_frame`: the span ends with the frame at its end, and not before it, as a span of a program does.
    """

    id: str
    task: str
    text: str
    media: tuple[str, ...] = ()
    scene: str = ""
    choices: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    span_s: tuple[float, float] | None = None
    to_last_frame: bool = False
    tags: dict[str, str] = {}


def without_answer(question: Question) -> UnansweredQuestion:
    """Return the part of `question` that may be shown to a model."""
    return UnansweredQuestion(
        id=question.id,
        task=question.task,
        text=question.text,
        media=question.media,
        scene=question.scene,
        choices=question.choices,
        possible=question.possible,
        span_s=question.span_s,
        to_last_frame=question.span_s is not None and bool(question.program),
        tags={k: v for k, v in question.tags.items() if k not in ABOUT_THE_ANSWER},
    )
