"""Blender in a process of its own: formats that are not read here, and a second reader to check ours."""
