"""What must stay the same while code is moved: digests of what small builds ask and show."""
