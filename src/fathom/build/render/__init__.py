"""The beauty pass: physically based pictures of a scene."""
