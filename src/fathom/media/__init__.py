"""Images and video in and out, frame and view sampling."""
