"""Reference captions of objects: said from the record, checked against it in another way, written by people.

facts.py      what a caption can say of an object, acts.py of what it does
phrases.py    how it is said, looks.py of how it looks, changing.py of what comes and goes;
              english.py: verbs, numbers, what is many
grammar.py    five captions in five styles
claims.py     what a caption claims, beside its words
claim_checks.py  the second check: every claim against the scene, as it is played (played.py);
              words.py: every word against the claims
book.py       the captions of a dataset with their claims
questions.py  the task to describe an object
people.py     captions that people wrote or revised
"""
