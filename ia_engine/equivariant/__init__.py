"""Paper 3: attentive group equivariant convolutional networks."""
