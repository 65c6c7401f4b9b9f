"""Models of objects: the built-in library, and folders of glTF files with a manifest."""
