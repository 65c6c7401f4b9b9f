"""From text to a choice, a number or a caption: the versioned extraction policies."""
