"""A run that is shared by several processes, on one or more machines."""
