"""An independent reader of 4D-Bench's questions: what the words say, compared with the program.

It knows the records and nothing else: its words, its grammar and how it finds the object that is meant are
its own. Ref: docs/benchmarks/4d-bench-questions.md, "The proof of the words".
"""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.reader import read_text

__all__ = ["read_text"]
