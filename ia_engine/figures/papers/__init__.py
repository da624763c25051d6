"""What was computed of a paper's figure or table, as drawings."""
