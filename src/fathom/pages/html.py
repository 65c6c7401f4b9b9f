"""HTML in which no text from outside can become markup.

Everything that a template prints is escaped; data for scripts travels as JSON that cannot end its element;
and a page names the hash of the one script it carries, so that a browser runs nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from functools import cache
from importlib.resources import files

import jinja2
import msgspec
from markupsafe import Markup

from fathom.english import rounded
from fathom.pages.charts import Cell
from fathom.pages.names import number_of
from fathom.pages.terms import meaning, terms_of

# What a browser would drop, swallow or turn around: shown as its own picture or code instead.
_CONTROLS = {i: 0x2400 + i for i in range(32) if chr(i) not in "\t\n"} | {0x7F: 0x2421}
_UNSHOWABLE = re.compile("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_INLINE = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def visible(text: str) -> str:
    """Return `text` with every character that a page would hide, refuse or obey written out.

    Control characters become their pictures (␀), lone surrogates and non-characters U+FFFD, and marks that
    turn the direction of writing their names in brackets, so that no text can disguise another.
    """
    text = _UNSHOWABLE.sub("\ufffd", text.replace("\r\n", "\n").translate(_CONTROLS))
    return _TURNING.sub(lambda m: f"[{unicodedata.name(m[0])}]", text)


def script_json(value: object) -> Markup:
    """Return `value` as JSON for a script element: nothing in it can close the element or open a comment."""
    text = msgspec.json.encode(_visible_throughout(value)).decode()
    return Markup(text.translate(_INLINE))


def _visible_throughout(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {_visible_throughout(k): _visible_throughout(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_visible_throughout(v) for v in value]
    return value


@cache
def static(name: str) -> str:
    """Return the text of a style sheet or script that comes with the package."""
    return (files("fathom.pages") / "static" / name).read_text(encoding="utf-8")


def content_security_policy(*scripts: str, pictures: str = "") -> str:
    """Return the policy of a page that runs only `scripts`, shows only its own pictures, loads nothing.

    `pictures` names further places that pictures may come from.
    """
    digests = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    sources = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; "
        f"img-src {' '.join(('data:', pictures)).rstrip()}; "
        "base-uri 'none'; form-action 'none'"
    )


def data_uri(data: bytes, kind: str) -> str:
    """Return `data` as a data URI of the media type `kind`."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _finalize(value: object) -> object:
    """Return what a template prints for `value`: text made visible before it is escaped."""
    if isinstance(value, Markup):
        return value
    return visible(value) if isinstance(value, str) else value


def percent(share: float | None) -> str:
    """Return a share between 0 and 1 in per cent with one decimal, a dash for None."""
    return "–" if share is None else rounded(100 * share)


def number(share: float | None) -> str:
    """Return a share between 0 and 1 in per cent for a style or a script, nothing for None."""
    return "" if share is None else f"{100 * share:.6g}"


def range_words(cell: Cell) -> str:
    """Return the interval of a cell in per cent (`66.0–76.1`), nothing where there is none."""
    if cell.low is None or cell.high is None:
        return ""
    return f"{percent(cell.low)}–{percent(cell.high)}"


def interval_words(cell: Cell) -> str:
    """Return a cell in per cent with its interval: `71.4 (66.0–76.1)`."""
    between = range_words(cell)
    return percent(cell.value) + (f" ({between})" if between else "")


@cache
def environment() -> jinja2.Environment:
    """Return the environment of all pages, which share its compiled templates: everything escaped, an unknown
    name is an error.
    """
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("fathom.pages", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"percent": percent, "number": number, "range": range_words, "interval": interval_words}
    found.filters |= {"number_of": number_of, "meaning": meaning, "terms": terms_of}
    return found


def render(template: str, style: str, script: str, pictures: str = "", **values: object) -> str:
    """Return the page of `template`; `style` and `script` name files of the package that it carries.

    `pictures` names places beside the page itself that its pictures may come from.
    """
    code = static(script)
    return (
        environment()
        .get_template(template)
        .render(
            style=Markup(static(style)),
            script=Markup(code),
            policy=content_security_policy(code, pictures=pictures),
            script_json=script_json,
            **values,
        )
    )
