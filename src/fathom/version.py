"""The version of the project, which stands in every manifest."""

__version__ = "0.1.0"
