"""What a build of questions came to."""
