"""Settings by name: every kind of field, parts inside parts, and sentences for what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from fathom.api import BENCHMARKS, benchmark_named
from fathom.benchmarks.fourdbench.authoring.settings import ObjectWriting
from fathom.benchmarks.seedbench.protocol import PROTOCOLS, SEEDBenchSettings
from fathom.benchmarks.stibench.authoring.settings import VideoWriting
from fathom.benchmarks.stibench.protocol import STIBenchSettings as OtherSettings
from fathom.curation.training import TrainingSettings
from fathom.records import InputError, Record
from fathom.settings import FIXED, INLINE, listed, names_of, with_settings


class Grading(Record, frozen=True, kw_only=True):
    """What is graded.

    share : how many, at least
    """

    share: Annotated[float, msgspec.Meta(le=1.0)] = 0.5


@dataclass(frozen=True)
class Table:
    """A table.

    legs, drawers : how many there are
    wood : what it is made of
        at its top
    span_m : how wide it is
    """

    legs: int = field(default=4, metadata={"least": 3})
    drawers: int = 0
    wood: Literal["oak", "pine"] = "oak"
    span_m: tuple[float, float] = (0.5, 1.5)

    def __post_init__(self) -> None:
        if self.drawers > self.legs:
            raise InputError(f"{self.drawers} drawers on {self.legs} legs: expected no more than legs")


@dataclass(frozen=True)
class House:
    """A house.

    lit : whether it is lit
    plan : a drawing of it
    colors : what it is painted with
    """

    lit: bool = False
    plan: Path | None = None
    colors: tuple[str, ...] = ("red",)
    table: Table = field(default_factory=Table, metadata=INLINE)
    rooms: Mapping[str, Any] = field(default_factory=lambda: {"hall": Table(legs=6)}, metadata=INLINE)
    weights: Mapping[str, float] = field(default_factory=lambda: {"a": 1.0})
    grading: Grading | None = field(default_factory=Grading, metadata={"name": "grade"})
    built: int = field(default=1900, metadata=FIXED)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"lit": "yes", "plan": "a/b.svg"}, House(lit=True, plan=Path("a/b.svg"))),
        (
            {"lit": True, "plan": Path("a"), "colors": ("blue", "green")},
            House(True, Path("a"), ("blue", "green")),
        ),
        ({"plan": "none", "colors": " blue , green"}, House(colors=("blue", "green"))),
        ({"drawers": "5", "legs": "8"}, House(table=Table(legs=8, drawers=5))),
        ({"span-m": "0.25,2"}, House(table=Table(span_m=(0.25, 2.0)))),
        ({"hall.wood": "pine"}, House(rooms={"hall": Table(legs=6, wood="pine")})),
        ({"hall": {"wood": "pine"}}, House(rooms={"hall": Table(legs=6, wood="pine")})),
        ({"hall": Table(legs=5)}, House(rooms={"hall": Table(legs=5)})),
        ({"weights.a": "0.123456789"}, House(weights={"a": 0.123456789})),
        ({"grade": "off"}, House(grading=None)),
        ({"grade": "on", "grade.share": 0.25}, House(grading=Grading(share=0.25))),
        (Table(legs=5), House(table=Table(legs=5))),
        (House(lit=True), House(lit=True)),
    ],
)
def test_settings_are_given_as_texts_as_values_and_as_settings(given: object, expected: House) -> None:
    assert with_settings(House(), given) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"colour": "red"}, "--set colour=red: there is no setting 'colour' of a house; did you mean colors"),
        ({"hall.wod": "pine"}, "--set hall.wod=pine: .* did you mean hall.wood"),
        ({"built": 3}, "there is no setting 'built'"),
        ({"legs": "2"}, "--set legs=2: expected a whole number of at least 3"),
        ({"legs": "4.5"}, "--set legs=4.5: expected a whole number"),
        ({"span_m": "1"}, "--set span_m=1: expected 2 values, separated by commas"),
        ({"span_m": "1,inf"}, "expected a number of at least 0"),
        ({"wood": "ash"}, "--set wood=ash: expected oak or pine"),
        ({"lit": "perhaps"}, "--set lit=perhaps: expected yes or no"),
        ({"weights.b": "1"}, "there is no setting 'weights.b'"),
        ({"grade": "off", "grade.share": "1"}, "with grade=off there is nothing to set"),
        ({"grade.share": "1.5"}, "--set grade.share=1.5: .*<= 1.0.*; correct the value"),
        ({"drawers": "9"}, "9 drawers on 4 legs"),
        (Grading(), "expected House or Table or a mapping of names to values, found Grading"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_name_and_what_there_is(given: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        with_settings(House(), given, " of a house")


def test_help_has_a_line_for_each_setting_with_its_type_its_unit_and_its_default() -> None:
    lines = {line.name: line for line in listed(House())}
    assert list(lines) == [
        "lit", "plan", "colors", "legs", "drawers", "wood", "span_m", "hall.legs", "hall.drawers",
        "hall.wood", "hall.span_m", "weights.a", "grade", "grade.share",
    ]  # fmt: skip
    assert (lines["wood"].takes, lines["wood"].what) == ("oak, pine", "what it is made of at its top")
    assert (lines["span_m"].takes, lines["span_m"].default) == ("number, number in m", "0.5,1.5")
    assert (lines["hall.legs"].default, lines["drawers"].what) == ("6", "how many there are")
    assert names_of(Table(), hyphens=True)[-1] == "span-m"


def test_every_setting_of_a_protocol_or_of_a_piece_of_work_says_what_it_is() -> None:
    protocols = [
        p for name in BENCHMARKS for p in benchmark_named(name).protocols.values() if p.own is not None
    ]
    every = [*(p.own for p in protocols), ObjectWriting(), VideoWriting(), TrainingSettings()]
    assert len(protocols) > 10
    assert {(type(own), line.name) for own in every for line in listed(own) if not line.what} == set()


def test_a_settings_object_replaces_all_settings_of_a_protocol_and_a_mapping_those_that_it_names() -> None:
    paper = PROTOCOLS["default"]
    assert paper.changed is not None
    assert paper.changed({"frames": 4}).own == replace(paper.own, frames=4)
    assert paper.changed(SEEDBenchSettings(frames=4)).own == SEEDBenchSettings(frames=4)
    assert SEEDBenchSettings(frames=4) != replace(paper.own, frames=4)
    with pytest.raises(InputError, match="of the protocol default: expected SEEDBenchSettings or a mapping"):
        paper.changed(OtherSettings())
