"""A scene as programs see it: a still, an animated scene, a video."""
