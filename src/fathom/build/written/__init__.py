"""Questions that a model writes, another checks, two try blind, and people review.

    requests.py   what each step asks, as folders that `fathom run` answers
    drafts.py     what a writer said → questions, or why not
    judging.py    what checkers and blind readers said
    review.py     the file that people fill in
    steps.py      what to do next, and what came of each step

Ref: 4D-Bench §3.3.2.
"""
