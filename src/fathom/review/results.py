"""What people said, taken together: the entries that count, labels, consensus, agreement, and progress."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from fathom.review.records import ReviewEntry, ReviewItem
from fathom.stats.agreement import RaterAgreement, agreement, pairwise_kappa

Rule = Literal["all", "majority", "adjudicated"]
"""When a label is an item's: all say it; more than half do; or, where people disagree, the last does."""

Said = Mapping[str, Mapping[str, Any]]
"""Stage → the values that a person gave in it."""


@dataclass(frozen=True)
class ReviewTable:
    """What a task tells of what people said, as a table; a float is a share of one."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]


@dataclass(frozen=True)
class Results:
    """Everything that was said in a review of some stages; `label` is what a person's values come to."""

    stages: Sequence[str]
    label: Callable[[Said], str]
    items: Mapping[str, ReviewItem]
    entries: Sequence[ReviewEntry]

    @cached_property
    def said(self) -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
        """Item → person → stage → values, of the entries that count: the last of each."""
        found: dict[str, dict[str, dict[str, dict[str, Any]]]] = {}
        for entry in self.entries:
            if not entry.undone:
                by_person = found.setdefault(entry.item, {}).setdefault(entry.person, {})
                by_person[entry.stage] = entry.values
        return found

    @cached_property
    def labels(self) -> dict[str, dict[str, str]]:
        """Item → person → label, of whoever has been through all stages, in the order in which they were."""
        stages = set(self.stages)
        return {
            item: {
                person: label
                for person, values in by_person.items()
                if stages <= set(values) and (label := self.label(values))
            }
            for item, by_person in self.said.items()
        }

    @cached_property
    def seconds(self) -> dict[str, dict[str, float]]:
        """Item → person → how long all stages took, in seconds."""
        found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for entry in self.entries:
            if not entry.undone:
                found[entry.item][entry.person] += entry.seconds
        return found

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Everybody who said something that counts, by name."""
        return tuple(sorted({e.person for e in self.entries if not e.undone}))

    def agreement(self, part: str = "") -> RaterAgreement:
        """Return how far people agree, over all items or over those of one group."""
        return agreement([v for name, v in self.labels.items() if not part or self.items[name].group == part])

    def kappas(self) -> dict[tuple[str, str], tuple[float | None, int]]:
        """Return Cohen's κ for every two people, and over how many items."""
        return pairwise_kappa(list(self.labels.values()))

    def parts(self) -> tuple[str, ...]:
        """Return the groups of items, in the order of the items."""
        return tuple(dict.fromkeys(item.group for item in self.items.values()))

    def disputed(self) -> list[str]:
        """Return the items about which people disagree, without a majority."""
        return [
            name for name, v in self.labels.items() if len(v) > 1 and not consensus(v.values(), "majority")
        ]


def consensus(labels: Iterable[str], rule: Rule) -> str:
    """Return the label on which people agree by a rule, "" where they do not.

    Under "adjudicated" the label of the last person counts where the ones before did not agree.

    >>> consensus(["right", "wrong", "right"], "majority")
    'right'
    """
    said = [label for label in labels if label]
    if not said:
        return ""
    top, count = Counter(said).most_common(1)[0]
    if rule == "all":
        return top if count == len(said) else ""
    if 2 * count > len(said):
        return top
    return said[-1] if rule == "adjudicated" and len(said) > 2 else ""
