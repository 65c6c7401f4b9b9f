"""What has to be seen of an animated scene to answer a question."""
