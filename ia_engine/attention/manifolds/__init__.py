"""Two images, or a few: the landscape of their distance and turning by hand."""
