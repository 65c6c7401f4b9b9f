"""The built-in street set: what stands and goes in streets, made by code, at real sizes."""
