"""People who act in videos: a body that is made anew for each posture."""
