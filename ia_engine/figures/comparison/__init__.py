"""Figures of a comparison of methods: plots and exports."""
