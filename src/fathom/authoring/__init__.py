"""Questions and captions by models and by people: one engine for all benchmarks.

    engine.py      one call: what can be done is done, and what is to be done next is said
    protocol.py    what a benchmark supplies: its steps, its settings, and the function that goes through them
    work.py        what that function works with: asking models, hearing them, waiting for people
    requests.py    the folders of requests that `fathom run` answers
    runs.py        the runs that answer them, and what was said
    submission.py  what was not asked yet is asked, and who is waited for is said
    prompts.py     prompt sets, from data files
    replies.py     from a reply to what it says, and what no text of a question may hold
    candidates.py  a question before it is accepted
    filters.py     what checkers refuse, and what all blind readers get right, goes
    review.py      the file in which people decide
    outcomes.py    what became of everything, as a table
    adding.py      from questions that were kept to a dataset that has them
    information/   what is known of pictures before questions are written about them
    captions/      captions: said from the record by a grammar, checked a second time, written by people

What a model is told, and how its replies are read, belongs to a benchmark: `benchmarks/NAME/authoring/`.
"""
