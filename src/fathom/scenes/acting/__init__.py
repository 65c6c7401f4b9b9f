"""Rooms in which somebody acts in time: walks, sits down, gets up, picks something up, puts it down, waves."""
