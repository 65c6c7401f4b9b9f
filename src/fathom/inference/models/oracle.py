"""`oracle`: computes every answer from the scene, as well as its eyes are made.

    position_sigma_m     standard deviation of the error in x and in y of every object (metres)
    heading_sigma_deg    standard deviation of the error in every heading (degrees)
    seed                 what the errors, and the guesses, follow from
    sees                 of videos: `sampled`, the frames in its prompt (default), or `all` there are

Where answers are computed from tracks (STI-Bench), the error in position is in x, y and z, at each frame
seen, of the camera as well, and there are two more:

    time_sigma_s         standard deviation of the error in the time of a frame (seconds)
    angle_sigma_deg      standard deviation of the error in every direction, about each axis (degrees), or
    angle_sigma_rad      the same in radians

and where pictures of a room are asked about (3DSRBench), how well it knows how the camera is held:

    roll_sigma_deg       standard deviation of the error in the camera's roll (degrees)
    pitch_sigma_deg      standard deviation of the error in the camera's pitch (degrees)
    assumes              `upright`: that no camera is rolled

Of videos, a question says what has to be seen to answer it. The oracle gives the right answer where it sees
all of that, and `finish` says "seen"; elsewhere it guesses, as below. A caption is one that people or the
builder wrote ("known").

Of pictures, it computes. Of a room in one picture (SEED-Bench) it knows what that shows, and nothing of
what lies beyond it. The errors are drawn once a scene, so that all questions about it are answered from one
mistaken view of it. What hides what is taken from the true scene: the noise does not move silhouettes. A
relation that is too close to call counts as what it is nearer to. Where the program finds no answer in the
mistaken scene (two objects fit a description that was unique), one of the answers possible is drawn, as
anybody would who has to answer; `finish` says "guessed" there, and "computed" elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import msgspec

from fathom.extraction.numeric_answers import is_measured
from fathom.geometry.poses import heading_rad, yaw_quaternion
from fathom.ground_truth.cell_files import TruthCells
from fathom.inference.backend import Context, Scalar, knows_answers, read_options
from fathom.inference.models.oracle_sampled import Sees, eyes_named, sees
from fathom.inference.models.oracle_tracks import Noise, with_errors
from fathom.inference.models.random import draw_answer, spoken
from fathom.inference.models.tracked import answer_on, frames_in, is_tracked
from fathom.media.cells import needs_of
from fathom.programs.engine import run
from fathom.programs.rules import rules_named
from fathom.programs.views.still import StillView, still_view
from fathom.programs.views.video import VideoView, video_view
from fathom.questions.contexts.video_visibility import Seeing, seen_by, sights_in
from fathom.records import InputError, Question, Request, Response, Scene, SceneObject, Step
from fathom.store.datasets import Dataset
from fathom.store.seeds import rng

UPRIGHT = "upright"

Solver = Callable[[tuple[Step, ...]], str | None]


class OracleBackend:
    """Runs each question's program on the scene that it sees; of videos, knows what their frames show."""

    name = "oracle"
    revision = ""
    notes: tuple[str, ...] = ()
    may_be_silent = True

    def __init__(
        self,
        dataset: Dataset,
        write_answer: Callable[[str], str],
        seed: str,
        position_sigma_m: float = 0.0,
        heading_sigma_deg: float = 0.0,
        eyes: Sees = "sampled",
        time_sigma_s: float = 0.0,
        angle_sigma_rad: float = 0.0,
        roll_sigma_deg: float = 0.0,
        pitch_sigma_deg: float = 0.0,
        assumes: str = "",
    ) -> None:
        further: dict[str, Scalar] = {
            "time_sigma_s": time_sigma_s, "angle_sigma_rad": angle_sigma_rad,
            "roll_sigma_deg": roll_sigma_deg, "pitch_sigma_deg": pitch_sigma_deg, "assumes": assumes,
        }  # fmt: skip
        self.parameters: Mapping[str, Scalar] = {
            "seed": seed, "position_sigma_m": position_sigma_m, "heading_sigma_deg": heading_sigma_deg,
            "sees": eyes, **{name: value for name, value in further.items() if value},
        }  # fmt: skip
        roll, pitch = math.radians(roll_sigma_deg), math.radians(pitch_sigma_deg)
        self._noise = Noise(position_sigma_m, time_sigma_s, angle_sigma_rad, roll, pitch, assumes == UPRIGHT)
        self._tracks_of = lru_cache(maxsize=32)(lambda scene_id: tracks_in(dataset, dataset.scene(scene_id)))
        self._seen_of = lru_cache(maxsize=32)(self._seen)
        self._eyes = eyes
        self._dataset = dataset
        self._write = write_answer
        self._seed = seed
        rules = str(dataset.manifest.settings.get("rules", "fathom"))

        def solver_of(scene_id: str) -> Solver:
            scene = with_noise(
                dataset.scene(scene_id), position_sigma_m, math.radians(heading_sigma_deg), seed
            )
            return solve_in(scene, rules)

        self._solver_of = lru_cache(maxsize=32)(solver_of)

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        """Return the answer to each request, computed, or guessed where the program finds none."""
        return [self._answer(r) for r in requests]

    def _answer(self, request: Request) -> Response:
        question = self._dataset.question(request.asked.id)
        if is_tracked(question):
            return self._tracked(request, question)
        if needs := needs_of(question):
            if sees(request, needs, self._dataset.media, self._eyes):
                return spoken(request, self.name, self._write(question.answer), "seen")
            return self._guess(request)
        if question.references and question.scene:
            return spoken(request, self.name, question.answer, "known")
        if not question.program or not question.scene:
            raise InputError(
                f"question {question.id}: has no {'scene' if question.program else 'program'} to compute its "
                "answer from; the oracle works on datasets that were built, not on imported ones"
            )
        answer = self._solver_of(question.scene)(question.program)
        if answer is not None:
            return spoken(request, self.name, self._write(answer), "computed")
        return self._guess(request)

    def _tracked(self, request: Request, question: Question) -> Response:
        """Return an answer from the tracks, as they are estimated from the frames that are seen."""
        needs = needs_of(question)
        withheld = request.variant.media_withheld
        if withheld or (needs and not sees(request, needs, self._dataset.media, self._eyes)):
            return self._guess(request)
        frames = frames_in(request.prompt) if self._eyes == "sampled" else ()
        seen, exact = self._seen_of(question.scene, frames), self._tracks_of(question.scene)
        answer = answer_on(question, seen, exact, self._seed)
        if answer is None:
            return self._guess(request)
        return spoken(request, self.name, self._write(answer), "computed")

    def _seen(self, scene_id: str, frames: tuple[int, ...]) -> VideoView:
        return with_errors(self._tracks_of(scene_id), self._noise, frames, self._seed)

    def _guess(self, request: Request) -> Response:
        if is_measured(request.asked):
            return spoken(request, self.name, "", "guessed")
        guess = draw_answer(request.asked, self._seed, request.variant)
        return spoken(request, self.name, self._write(guess), "guessed")


def tracks_in(dataset: Dataset, scene: Scene) -> VideoView:
    """Return the exact tracks of a scene; where all of it is one picture, with what that lets one see."""
    tracks, path = video_view(scene), dataset.truth_path(scene)
    if tracks.frames > 1 or not path.is_file():
        return tracks
    with TruthCells(path) as cells:
        return seen_by(tracks, sights_in(scene, cells), Seeing())


def with_noise(scene: Scene, position_sigma_m: float, heading_sigma_rad: float, seed: str) -> Scene:
    """Return the scene as a noisy eye sees it: positions and headings moved, everything else as it is.

    What the real shapes would hit is not known of things that stand elsewhere: the rectangles around them do.

    The same seed draws the same directions of error at every size of it, so that curves over it are smooth.
    """
    if not position_sigma_m and not heading_sigma_rad:
        return scene
    generator = rng(seed, "oracle", scene.id)
    moved: list[SceneObject] = []
    for obj in scene.objects:
        dx, dy, turn = generator.standard_normal(3)
        poses = tuple(
            msgspec.structs.replace(
                pose,
                position_m=(
                    pose.position_m[0] + position_sigma_m * float(dx),
                    pose.position_m[1] + position_sigma_m * float(dy),
                    pose.position_m[2],
                ),
                rotation_wxyz=yaw_quaternion(heading_rad(pose) + heading_sigma_rad * float(turn)),
            )
            for pose in obj.poses
        )
        moved.append(msgspec.structs.replace(obj, poses=poses))
    return msgspec.structs.replace(scene, objects=tuple(moved), sweeps=())


def solve_in(scene: Scene, rules_name: str) -> Solver:
    """Return what answers programs in one scene: the answer's text, or None where there is none.

    Raises InputError for a rule set that does not exist, and for a program that does not fit together.
    """
    strict = rules_named(rules_name)
    facts = still_view(scene, strict)

    @cache
    def nearest() -> StillView:
        return still_view(scene, replace(strict, dead_bands=False))

    def solve(program: tuple[Step, ...]) -> str | None:
        answer = run(program, facts, weighed=False).answer
        if answer is None and strict.dead_bands:
            answer = run(program, nearest(), weighed=False).answer
        return answer

    return solve


@knows_answers
def open_oracle(target: str, options: Mapping[str, str], context: Context) -> OracleBackend:
    """Return the oracle for the dataset that is asked. Raises InputError for an option it does not have."""
    kinds: dict[str, type[str] | type[int] | type[float]] = {
        "position_sigma_m": float,
        "heading_sigma_deg": float,
        "time_sigma_s": float,
        "angle_sigma_deg": float,
        "angle_sigma_rad": float,
        "roll_sigma_deg": float,
        "pitch_sigma_deg": float,
        "assumes": str,
        "seed": str,
        "sees": str,
    }
    values = read_options(options, kinds, "oracle")
    if "angle_sigma_deg" in values and "angle_sigma_rad" in values:
        raise InputError("--model oracle: angle_sigma_deg and angle_sigma_rad say the same; give one of them")
    if (assumed := str(values.get("assumes", ""))) not in ("", UPRIGHT):
        raise InputError(f"--model oracle: assumes expects {UPRIGHT}, found {assumed!r}")
    sigmas = {name: float(values.get(name, 0.0)) for name, kind in kinds.items() if kind is float}
    for name, value in sigmas.items():
        if not math.isfinite(value) or value < 0:
            raise InputError(f"--model oracle: {name} expects a number of 0 or more, found {value}")
    sigmas["angle_sigma_rad"] += math.radians(sigmas.pop("angle_sigma_deg"))
    return OracleBackend(
        context.dataset,
        context.write_answer,
        str(values.get("seed", context.seed)),
        **sigmas,
        eyes=eyes_named(str(values.get("sees", "sampled"))),
        assumes=assumed,
    )
