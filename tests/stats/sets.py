"""Question sets in memory, clean or with a leak planted on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from fathom.records import Groups, Question

COLOURS = ("gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow")
THINGS = ("suv", "jet", "scooter", "school bus", "tandem bike")
POSSIBLE = {"color": COLOURS, "exist": ("Yes", "No"), "pose": ("left", "right", "front", "back")}
SYLLABLES = ("ta", "ro", "mi", "ke", "lun", "dor", "pis", "sal")


def clean(n: int, seed: int, per_scene: int = 10) -> list[Question]:
    """Questions whose answers are drawn evenly and on their own: nothing to guess."""
    g = np.random.default_rng([seed, 457])
    return [_question(i, g, per_scene) for i in range(n)]


def _question(i: int, g: np.random.Generator, per_scene: int) -> Question:
    asks = str(g.choice(list(POSSIBLE)))
    size, colour, obj = (str(g.choice(w)) for w in (("big", "tiny"), COLOURS, THINGS))
    side = str(g.choice(["to the left of", "behind", "in front of"]))
    scene = f"scene-{i // per_scene:04d}"
    return Question(
        id=f"{scene}-{i % per_scene}",
        task=str(g.choice(["L3_2d_spatial", "L4_pose"])),
        text=f"What is the {asks} of the {size} {colour} thing {side} the {obj}?",
        answer=str(g.choice(POSSIBLE[asks])),
        possible=POSSIBLE[asks],
        scene=scene,
        groups=Groups(cluster=scene),
        tags={"template": f"{asks}-{g.integers(3)}", "asks": asks},
    )


def with_options(n: int, seed: int, write: Callable[[np.random.Generator, bool], str]) -> list[Question]:
    """Questions with four options, each written by `write(generator, whether it is the right one)`."""
    g = np.random.default_rng([seed, 458])
    return [_with_options(q, g, write) for q in clean(n, seed)]


def _with_options(
    question: Question, g: np.random.Generator, write: Callable[[np.random.Generator, bool], str]
) -> Question:
    right = int(g.integers(4))
    options: list[str] = []
    while len(options) < 4:
        text = write(g, len(options) == right)
        if text not in options:
            options.append(text)
    return msgspec.structs.replace(question, choices=tuple(options), answer=options[right], possible=())


def words(g: np.random.Generator, count: int) -> str:
    return " ".join("".join(g.choice(SYLLABLES, 3)) for _ in range(count))


def even_options(n: int, seed: int) -> list[Question]:
    return with_options(n, seed, lambda g, right: words(g, int(g.integers(2, 6))))


def longest_is_right(n: int, seed: int) -> list[Question]:
    """The right option is often spelt out at greater length."""
    return with_options(n, seed, lambda g, right: words(g, int(g.integers(2, 6)) + 2 * right))


def precise_is_right(n: int, seed: int) -> list[Question]:
    """The right number was measured and has two decimals; most of the others were made up with one."""

    def number(g: np.random.Generator, right: bool) -> str:
        decimals = 2 if right or g.random() < 0.3 else 1
        return f"{g.uniform(0.5, 20):.{decimals}f} m"

    return with_options(n, seed, number)


def far_ahead_is_right(n: int, seed: int) -> list[Question]:
    """Of places of three numbers the right one mostly lies farther ahead than the others."""

    def place(g: np.random.Generator, right: bool) -> str:
        x, y, z = g.uniform(-9, 9), g.uniform(-9, 9), g.uniform(6, 12) if right else g.uniform(0, 9)
        return f"({x:.2f}, {y:.2f}, {z:.2f}) m"

    return with_options(n, seed, place)


def mostly_first(n: int, seed: int, share: float = 0.3) -> list[Question]:
    """The first possible answer of each form is right more often than the others."""
    g = np.random.default_rng([seed, 459])
    return [
        msgspec.structs.replace(q, answer=q.possible[0]) if g.random() < share else q for q in clean(n, seed)
    ]


def quotas(n: int, seed: int) -> list[Question]:
    """Each template keeps its answers level: the one that was rarer so far comes next."""
    return list(_levelled(clean(n, seed), seed))


def _levelled(questions: list[Question], seed: int) -> Iterator[Question]:
    g = np.random.default_rng([seed, 460])
    seen: dict[tuple[str, str], dict[str, int]] = {}
    for q in questions:
        counts = seen.setdefault((q.task, q.tags["template"]), dict.fromkeys(q.possible, 0))
        rarest = [a for a, k in counts.items() if k == min(counts.values())]
        answer = str(g.choice(rarest))
        counts[answer] += 1
        yield msgspec.structs.replace(q, answer=answer)


def alike_on_a_picture(n: int, seed: int) -> list[Question]:
    """On each picture one answer of each kind prevails, drawn evenly over pictures."""
    found: list[Question] = []
    for q in clean(n, seed, per_scene=40):
        g = np.random.default_rng([seed, int(q.scene[-4:]), len(q.possible)])
        mode = str(g.choice(q.possible))
        keep = np.random.default_rng([seed, 461, len(found)]).random() < 0.4
        found.append(q if keep else msgspec.structs.replace(q, answer=mode))
    return found


def sorted_by_answer(n: int, seed: int) -> list[Question]:
    """The file was written answer by answer."""
    return sorted(clean(n, seed), key=lambda q: q.answer)
