"""One run shared by several processes, on one machine or several."""
