"""What can be seen, exactly: rays through pixel centres, and answers derived from them a second time."""
