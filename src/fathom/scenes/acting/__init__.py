"""Rooms in which somebody acts in time: walks, sits down, gets up, takes something, puts it down, waves."""
