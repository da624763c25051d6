"""The parts of the Data page: three ways to a data set, and what is shown of it."""
