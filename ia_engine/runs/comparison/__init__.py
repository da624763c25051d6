"""Methods compared on one data set at equal budgets, and as a transformation gets stronger."""
