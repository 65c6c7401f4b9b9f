"""Which objects stay: what moves, what looks good, what is new, and as even a mix as the pool allows."""
