"""Folders on disk: journals and recovery, manifests and hashes, formats of other kits."""
