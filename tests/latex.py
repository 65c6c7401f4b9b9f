"""A table in LaTeX, compiled as a user would."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fathom.store.files import write_text

HOSTILE = (
    "100%_&#$\\~^{}", "[0.5ex] a row's start", "*starred", "\\input{/etc/passwd}", "}\\end{table}", "a\n\nb",
    "c\x1b[2J\x00\x07", "tab\there", "--v2---", "<b>|\"'`?`", "llama–3 — “x” ‘y’ … «z»", "Ł. Ångström é",
    "σ Δ α τ π µ ° ² ₁ ½ ÷ · ± × − ≤ ≥ ≈ √ ∞ → ← ↑ ↓ ✓ ✗ ⌊⌋", "模型 модель 🦙 \u202e", "\\", "^^41", "%",
)  # fmt: skip
"""Names that would break a table in LaTeX, or steer it."""


def compiled(folder: Path, *tables: str) -> str:
    """Return the text of a document of nothing but the tables, in the base packages that their heads name."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    needs = set(re.findall(r"\\usepackage\{([^}]*)\}", "".join(tables)))
    assert needs == {"booktabs,graphicx"}
    body = "\n\\clearpage\n".join(tables)
    write_text(
        folder / "all.tex",
        f"\\documentclass{{article}}\n\\usepackage{{{needs.pop()}}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n",
    )
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex"]
    done = subprocess.run(words, cwd=folder, capture_output=True, timeout=300)
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, "\n".join(line for line in log.splitlines() if line[:1] in ("!", "l"))
    assert "undefined" not in log
    return log
