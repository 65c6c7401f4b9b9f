"""Furniture of real size, and the shells of rooms that it stands in."""
