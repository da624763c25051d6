"""Methods compared: the plot that shows where each breaks, and files to keep."""
