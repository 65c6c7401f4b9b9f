"""The operators of programs, written again from their meaning."""
