"""A pair or a few images: the landscape of their distance, and rotation by hand."""
