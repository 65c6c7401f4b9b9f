"""One scene while it is asked about: what can be named, told and seen in it."""
