"""Text as LaTeX: whatever stands in it, it compiles with the base packages of any engine."""

from __future__ import annotations

import unicodedata
from itertools import groupby

from fathom.records import printable_line

_SIGNS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\`{}", "–": "--", "—": "---", "…": r"\dots{}",
    "‘": r"\textquoteleft{}", "’": "'", "“": r"\textquotedblleft{}", "”": r"\textquotedblright{}",
    "ß": r"{\ss}", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}", "ø": r"{\o}", "Ø": r"{\O}",
    "ł": r"{\l}", "Ł": r"{\L}", "§": r"\S{}", "¶": r"\P{}",
}  # fmt: skip

_SYMBOLS = {
    "≥": r"\geq", "≤": r"\leq", "≈": r"\approx", "≠": r"\neq", "±": r"\pm", "×": r"\times", "÷": r"\div",
    "√": r"\surd", "∞": r"\infty", "←": r"\leftarrow", "→": r"\rightarrow", "↑": r"\uparrow",
    "↓": r"\downarrow", "−": "-", "½": r"\frac12", "·": r"\cdot", "°": r"^\circ", "²": "^2", "³": "^3",
    "✓": r"\surd", "✗": r"\times", "⌊": r"\lfloor", "⌋": r"\rfloor", "µ": r"\mu",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon", "η": r"\eta",
    "θ": r"\theta", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "π": r"\pi", "ρ": r"\rho",
    "σ": r"\sigma", "τ": r"\tau", "φ": r"\phi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Δ": r"\Delta",
    "Σ": r"\Sigma", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
}  # fmt: skip
"""Signs of LaTeX's formulas."""

_MARKS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
"""Accents that LaTeX puts on any letter."""

_JOINED = "-',"
"""Signs of which LaTeX makes another where two of one kind stand together."""


def latex_text(text: str) -> str:
    """Return a text as LaTeX that shows it as it is, in one line.

    What pdfLaTeX has no sign for is shown by XeLaTeX and LuaLaTeX alone, and named (U+6A21) by pdfLaTeX.
    """
    plain = "".join(" " if unicodedata.category(c) == "Zs" else c for c in unicodedata.normalize("NFC", text))
    line = printable_line(plain).strip()
    shown, before = [], ""
    for known, signs in groupby(line, _is_known):
        if not known:
            shown.append(_engines_own("".join(signs)))
            continue
        for sign in signs:
            shown.append("{}" * (sign in _JOINED and sign == before) + _sign(sign))
            before = sign
    # In front of a row, these two would be taken for an argument of the line break before it.
    if line[:1] in ("[", "*"):
        shown[0] = f"{{{shown[0]}}}"
    return "".join(shown)


def _is_known(sign: str) -> bool:
    if " " <= sign <= "~" or sign in _SIGNS or sign in _SYMBOLS:
        return True
    letter, *marks = list(unicodedata.normalize("NFD", sign))
    return sign < "\u0180" and letter.isascii() and len(marks) == 1 and marks[0] in _MARKS


def _sign(sign: str) -> str:
    return f"${_SYMBOLS[sign]}$" if sign in _SYMBOLS else _SIGNS.get(sign, sign)


def _engines_own(signs: str) -> str:
    """Return signs as an engine for Unicode shows them, and named for one that is not."""
    named = " ".join(f"U+{ord(sign):04X}" for sign in signs)
    return f"\\ifdefined\\Umathchar {signs}\\else {named}\\fi{{}}"
