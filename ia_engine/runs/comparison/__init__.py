"""Compares methods with equal budgets on one data set, or as a transformation becomes stronger."""
