"""What the documents say of EPIC-KITCHENS-100's annotations is what a dry run of them prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fathom.benchmarks.seedbench.videos.authoring.prompts import write_prompt
from fathom.benchmarks.seedbench.videos.balancing import NOT_EXCHANGED
from fathom.benchmarks.seedbench.videos.kept import all_drafts
from fathom.benchmarks.seedbench.videos.prediction import NOT_NEXT, NOTHING_BEFORE, TOO_EARLY
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.formats.actions.reading import read_actions
from fathom.formats.import_findings import ImportFindings
from fathom.records import TextPart
from tests.actions.test_walk import REAL, Run

DOC = Path(__file__).resolve().parents[2] / "docs" / "benchmarks" / "seed-bench-written.md"


@pytest.mark.skipif(not REAL.is_dir(), reason=f"{REAL} is not there: real annotations are not tried")
def test_the_numbers_in_the_documents_are_those_of_a_dry_run(fathom: Run) -> None:
    text = DOC.read_text(encoding="utf-8").partition("### What can be guessed")[2]
    printed = fathom("import", "seed-bench", str(REAL), "--layout", "annotations", "--dry-run").out
    rows = dict(
        re.findall(r"^\| action prediction \| (.+?) \| [\d,]+ \| (.+?) \|$", printed, flags=re.MULTILINE)
    )
    said = dict(re.findall(r"^\| ([^|]+?) \| [^|]+ \| ([^|]+?) \|$", text, flags=re.MULTILINE))
    assert len(rows) == 15
    for guesser, share in rows.items():
        assert said[guesser] == re.sub(r" \| ([\d.]+) to ([\d.]+)", r" [\1, \2]", share), guesser
    (imported,) = re.findall(r"^([\d,]+) imported", printed, flags=re.MULTILINE)
    assert f"{imported} are asked for" in text.replace("\n", " ")
    for reason in (NOT_NEXT, NOTHING_BEFORE, TOO_EARLY, NOT_EXCHANGED):
        (count,) = re.findall(rf"{re.escape(reason)}: ([\d,]+),", printed)
        assert re.search(rf"\b{count}\b", text), reason


@pytest.mark.skipif(not REAL.is_dir(), reason=f"{REAL} is not there: real annotations are not tried")
def test_requests_for_wrong_options_have_about_2000_characters() -> None:
    annotations = read_actions(REAL, ImportFindings())
    sizes = []
    for draft in all_drafts(annotations, VideoQuestionSettings(), ImportFindings()):
        prompt = write_prompt(draft)
        sizes.append(sum(len(p.text) for p in prompt.parts if isinstance(p, TextPart)) + len(prompt.system))
    assert len(sizes) > 6000
    assert 1700 < min(sizes) <= max(sizes) < 3000, (min(sizes), max(sizes))
