"""Every answer derived a second time, from what rays see; it shares nothing with the first derivation."""
