"""Comparison of methods: plots and exports."""
