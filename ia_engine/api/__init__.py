"""The functions that `ia_engine` offers to notebooks and programs; their inputs and results."""
