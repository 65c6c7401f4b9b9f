"""From a pool of objects to those of a dataset: what goes says why.

Objects go, in this order, because they cannot be read, do not move, do not measure up, are graded low by the
classifier, are duplicates, were rejected by people, or because the mix is to be even.

Ref: 4D-Bench §3.3.1, §3.3.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from fathom.curation.agreement import LEAST_SPEED, Agreement, Compared, agreement
from fathom.curation.balance import CategoryMotions, Evenness, balanced, evenness
from fathom.curation.duplicates import Duplicates, DuplicateSettings, Fingerprint, find_duplicates
from fathom.curation.figures import write_composition
from fathom.curation.measuring import Grade, MeasuredObject, PoolObject, measure
from fathom.curation.motion import MotionSettings, static_reason
from fathom.curation.quality import Floors, look_reasons, shape_reasons
from fathom.curation.verdicts import apply_verdicts
from fathom.records import InputError, Verdict
from fathom.records.scene import Record
from fathom.store.files import write_json

FILE, FIGURE = "curation.json", "composition"

STAGES = ("unreadable", "static", "quality", "classifier", "duplicate", "verdict", "balance")
"""Why objects go, in the order in which it is asked."""


class CurationSettings(Record, frozen=True, kw_only=True):
    """What objects are asked for.

    motion : what counts as motion
    least_speed : how fast something moves at least, in the object's size a second
    floors : what an object must measure
    least_grade : the probability that people would keep an object, at least, where a quality filter grades
    duplicates : how near is a duplicate
    most : how many objects are picked for an even mix; 0: all that are left
    seed : what is drawn follows from it
    strict : stops at the first object that cannot be read, instead of leaving it out
    """

    motion: MotionSettings = MotionSettings()
    least_speed: float = LEAST_SPEED
    floors: Floors = Floors()
    least_grade: float = 0.5
    duplicates: DuplicateSettings = DuplicateSettings()
    most: int = 0
    seed: str = "curation"
    strict: bool = False


AS_USUAL = CurationSettings()


class Dropped(Record, frozen=True, kw_only=True):
    """An object that goes, at which stage, and why in words."""

    name: str
    stage: str
    reason: str


class Curation(Record, frozen=True, kw_only=True):
    """Which objects stay and why each of the others goes.

    `left` counts those that are left after each stage; `agreement` compares motion found with true motion,
    where that is known; `before` and `after` are the mix before and after balancing. `unknown_verdicts` are
    names in verdicts that no object has; `assets` and clips of theirs ("asset / clip") went before anything
    was made of them.
    """

    settings: CurationSettings
    kept: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    left: dict[str, int]
    agreement: tuple[Agreement, ...] = ()
    duplicates: Duplicates = Duplicates(clusters=())
    before: Evenness
    after: Evenness
    unknown_verdicts: tuple[str, ...] = ()
    assets: tuple[Dropped, ...] = ()


def curate(
    objects: Iterable[PoolObject],
    settings: CurationSettings = AS_USUAL,
    grade: Grade | None = None,
    verdicts: Iterable[Verdict] = (),
    progress: Callable[[int, MeasuredObject], None] = lambda done, measured: None,
) -> Curation:
    """Return which objects stay. They are measured one after the other, and none is held.

    `progress` is told how many are measured, and what the last came to. Raises InputError where two objects
    have one name; with `settings.strict` also what an unreadable one raises.
    """
    found = []
    for done, candidate in enumerate(objects, 1):
        found.append(measure(candidate, settings.motion, grade, settings.strict))
        progress(done, found[-1])
    return decide(found, settings, verdicts)


def decide(
    measured: Sequence[MeasuredObject],
    settings: CurationSettings = AS_USUAL,
    verdicts: Iterable[Verdict] = (),
) -> Curation:
    """Return which of the measured objects stay, whatever the order in which they are given."""
    pool = {m.name: m for m in sorted(measured, key=lambda m: m.name)}
    if len(pool) < len(measured):
        twice = next(name for name, n in Counter(m.name for m in measured).items() if n > 1)
        raise InputError(f"objects to curate: {twice!r} is given twice; give each object a name of its own")
    sieve = _Sieve(pool)
    sieve.drop("unreadable", {m.name: m.failed for m in sieve.left() if m.failed})
    sieve.drop("static", {m.name: _static(m, settings.motion) for m in sieve.left()})
    sieve.drop("quality", {m.name: _poor(m, settings.floors) for m in sieve.left()})
    sieve.drop("classifier", {m.name: _graded_low(m, settings.least_grade) for m in sieve.left()})
    prints = [_print(m) for m in sieve.left()]
    duplicates = find_duplicates(prints, settings.duplicates)
    sieve.drop("duplicate", duplicates.reasons())
    judged = apply_verdicts([m.name for m in sieve.left()], verdicts)
    sieve.drop("verdict", judged.dropped)
    kinds = {m.name: CategoryMotions(m.category, m.motions) for m in sieve.left()}
    picked = balanced(kinds, settings.most or len(kinds), settings.seed)
    reason = f"not picked: the mix of {len(picked)} objects is more even without it"
    sieve.drop("balance", dict.fromkeys(sorted(kinds.keys() - set(picked)), reason))
    return Curation(
        settings=settings,
        kept=tuple(m.name for m in sieve.left()),
        dropped=tuple(sieve.dropped),
        left=sieve.counts,
        agreement=_agreement(pool.values(), settings),
        duplicates=duplicates,
        before=evenness(kinds.values()),
        after=evenness([kinds[name] for name in picked], list(kinds.values())),
        unknown_verdicts=tuple(name for name in judged.unknown if name not in pool),
    )


class _Sieve:
    """The objects that are left, and why the others are not."""

    def __init__(self, pool: Mapping[str, MeasuredObject]) -> None:
        self.pool = dict(pool)
        self.dropped: list[Dropped] = []
        self.counts = {"all": len(pool)}

    def left(self) -> list[MeasuredObject]:
        return list(self.pool.values())

    def drop(self, stage: str, reasons: Mapping[str, str]) -> None:
        """Take out those that have a reason that is not empty."""
        for name in sorted(n for n, reason in reasons.items() if reason):
            self.dropped.append(Dropped(name=name, stage=stage, reason=reasons[name]))
            del self.pool[name]
        self.counts[stage] = len(self.pool)


def _static(measured: MeasuredObject, settings: MotionSettings) -> str:
    return static_reason(measured.motion, settings) if measured.motion else ""


def _poor(measured: MeasuredObject, floors: Floors) -> str:
    shape = shape_reasons(measured.shape, floors) if measured.shape else ()
    look = look_reasons(measured.look, floors) if measured.look else ()
    return "; ".join((*shape, *look))


def _graded_low(measured: MeasuredObject, least: float) -> str:
    if measured.grade is None or measured.grade >= least:
        return ""
    return f"graded {measured.grade:.2f} by the classifier, at least {least:.2f} asked for"


def _print(measured: MeasuredObject) -> Fingerprint:
    return measured.fingerprint or Fingerprint(name=measured.name)


def _agreement(measured: Iterable[MeasuredObject], settings: CurationSettings) -> tuple[Agreement, ...]:
    compared = [
        Compared(m.asset or m.name, m.motion, np.array(m.true_steps))
        for m in measured
        if m.motion is not None and m.true_steps is not None
    ]
    return agreement(compared, settings.motion, settings.least_speed) if compared else ()


def curation_rows(curation: Curation) -> list[tuple[str, ...]]:
    """Return how many objects each stage leaves and takes, as rows of text, the heading first."""
    rows: list[tuple[str, ...]] = [("stage", "left", "gone")]
    before = curation.left["all"]
    for stage, left in curation.left.items():
        rows.append((stage, f"{left:,}", f"{before - left:,}" if stage != "all" else ""))
        before = left
    return rows


def write_curation(folder: Path, curation: Curation, tasks: Mapping[str, int] | None = None) -> None:
    """Write `curation.json`, and the figure of what the dataset is made of as SVG, PDF and PNG.

    `tasks` are the numbers of questions of each subtask, where there are any yet.
    """
    write_json(folder / FILE, curation)
    panels: dict[str, Mapping[str, int]] = {"Questions by subtask": tasks} if tasks else {}
    panels["Objects by category"] = {c: n for c, n in curation.after.categories.items() if n}
    panels["Objects by kind of motion"] = {
        m.replace("_", " "): n for m, n in curation.after.motions.items() if n
    }
    write_composition(panels, folder / "figures" / FIGURE)
