"""Geometry on plain arrays: poses, cameras, boxes, visibility, relations."""
