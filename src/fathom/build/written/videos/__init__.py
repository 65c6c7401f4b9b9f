"""Descriptions, questions and options of videos that a model writes from the truth, checked by the truth.

    footage.py     a dataset's videos while they are written about, and their truth in words
    vocabulary.py  the closed vocabulary of descriptions
    parsing.py     words → what they say
    fitting.py     what they say → does it fit this thing and nothing else, for certain
    facts.py       accepted descriptions → facts with five options, derived twice
    asking.py      does a model's question ask for the fact that it was given
    review.py      what only people can decide
    steps.py       what to do next, and what came of each step

Ref: STI-Bench §3.2.
"""
