"""The choices of a question: where false ones come from, and how they are drawn so that nothing tells."""
