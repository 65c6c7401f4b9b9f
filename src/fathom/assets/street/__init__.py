"""The built-in street set: what stands and goes in streets, at real sizes."""
