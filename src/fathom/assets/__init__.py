"""Models of things: the built-in library, and folders of glTF files with a manifest."""
