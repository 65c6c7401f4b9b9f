"""Videos as programs see them: where the camera and all things are at every frame, and what can be measured.

tracks = tracks_of(scene).with_seen(frames, seen)     # fathom.programs.tracks.facts
expressions(tracks, span)["mug-2"]                    # fathom.programs.referring: its words
run(question.program, tracks)                         # fathom.programs.engine: value, unit, tolerance
"""
