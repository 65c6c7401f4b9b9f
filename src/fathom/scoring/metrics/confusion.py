"""Confusion matrices: how often each label was picked where another was right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.records import Score
from fathom.scoring.metrics.labels import OTHER, UNREAD, AttributeLabels


def confusion_matrix(labels: AttributeLabels) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the picked labels (columns) and the counts, (right labels, picked labels).

    Rows are `labels.names`; columns are the same, then other words, then what could not be read.
    """
    columns = (*labels.names, OTHER, UNREAD)
    row, column = ({name: i for i, name in enumerate(names)} for names in (labels.names, columns))
    counts = np.zeros((len(labels.names), len(columns)), dtype=np.intp)
    for right, picked in labels.pairs:
        counts[row[right], column[picked]] += 1
    return columns, counts


def confusion(labels: AttributeLabels) -> list[Score]:
    """Return a score for each cell that is not empty: the share of its row, with the row's count."""
    columns, counts = confusion_matrix(labels)
    return [
        Score(
            name="confusion",
            value=float(counts[i, j] / counts[i].sum()),
            n=int(counts[i].sum()),
            method="share of the questions with this answer",
            group={"attribute": labels.attribute, "answer": labels.names[i], "picked": columns[j]},
        )
        for i, j in np.argwhere(counts > 0).tolist()
    ]
