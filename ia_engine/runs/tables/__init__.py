"""The papers' tables at the papers' own schedules, computed seed by seed: `make tables`."""
