"""The generators: one file for each kind of scenes, and what belongs to that kind alone beside it."""
