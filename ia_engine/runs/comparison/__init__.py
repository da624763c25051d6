"""Any methods on one data set at equal budgets, and how each fares as a transformation grows."""
