"""Points

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.attention.clusters.measures import measure
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.datasets.thinning import thin

RECIPE = '{"config": {"blobs": 3, "points": 40, "radius": 1.5, "seed": 0, "spread": 0.25}, "source": "blobs"}'
CONFIGS = [
    '{"bandwidth": "fixed", "beta": 15.0, "constant": 20.0, "group": "se2", "kernel": "rbf", "method": "ka", "nearest": 20, "neighbours": 5, "pairs": "needed", "quantile": 0.1, "rate": 1.0, "schedule": "annealed", "sigma": 0.0, "solver": "global", "steps": 2, "updates": 100}',
]

data = thin(make(load_recipe(RECIPE)), 30)
v = data.points if hasattr(data, "points") else normalise(data.images)
for text in CONFIGS:
    config = AttentionConfig.from_json(text)
    for measured in measure(iterate(config, v), data.labels):
        print(config.method, measured.step.k, measured.clusters, measured.block_mass)
