"""Household things of real size that stand on tables."""
