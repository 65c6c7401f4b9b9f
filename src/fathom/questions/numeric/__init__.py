"""Five options whose nearest false one is wrong by a sampled error, and which do not tell the right one.

Ref: STI-Bench §3.2, fine-grained adjustment.
"""
