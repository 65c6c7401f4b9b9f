"""The kinds of work for people, by name; each is one file. Others are named as "module:attribute"."""

from __future__ import annotations

from fathom.named import named_attribute
from fathom.records import InputError
from fathom.review.task import ReviewTask

TASKS: dict[str, str] = {
    "verify": "fathom.review.tasks.verify:VERIFY",
    "answer": "fathom.review.tasks.answer:ANSWER",
    "caption": "fathom.review.tasks.caption:CAPTION",
    "revise": "fathom.review.tasks.revise:REVISE",
    "errors": "fathom.review.tasks.errors:ERRORS",
    "quality": "fathom.review.tasks.quality:QUALITY",
    "forms": "fathom.review.tasks.forms:FORMS",
    "write": "fathom.review.tasks.write:WRITE",
    "drafts": "fathom.review.tasks.drafts:DRAFTS",
    "descriptions": "fathom.review.tasks.compare:DESCRIPTIONS",
    "compare": "fathom.review.tasks.compare:COMPARE",
}


def task_named(name: str) -> ReviewTask:
    """Return a task by its name or its "module:attribute". Raises InputError where there is none."""
    where = TASKS.get(name, name)
    found = named_attribute(where, "--task") if ":" in where else None
    if not isinstance(found, ReviewTask):
        raise InputError(f"--task {name}: expected one of {', '.join(TASKS)}, or module:attribute of a task")
    return found
