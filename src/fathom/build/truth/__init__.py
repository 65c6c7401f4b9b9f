"""The truth pass, and the second derivation of answers from what it saw."""
