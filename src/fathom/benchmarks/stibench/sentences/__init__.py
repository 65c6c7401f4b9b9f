"""An independent reader of STI-Bench's sentences: what a question and its options say, against its program.

read_text(question, scene)      # agree, disagree, or unreadable, and why

It shares no word, table or formula with what writes questions and answers them: its grammar, its geometry
and its units are its own.
"""

from fathom.benchmarks.stibench.sentences.reader import read_text

__all__ = ["read_text"]
