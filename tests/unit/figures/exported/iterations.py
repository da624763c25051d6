"""Experiment 1

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.attention.clusters.measures import measure
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.datasets.thinning import thin

RECIPE = '{"config": {"bases": ["crab", "seven", "snail"], "copies": 6, "distortions": [{"high": [1.1344640137963142, 10.0], "low": [-1.1344640137963142, -10.0], "transform": "se2"}], "fill": 0.54, "seed": 0, "size": 64}, "source": "experiment-1"}'
CONFIGS = [
    '{"bandwidth": "fixed", "beta": 15.0, "constant": 20.0, "group": "se2", "kernel": "rbf", "method": "ia", "nearest": 20, "neighbours": 5, "pairs": "needed", "quantile": 0.1, "rate": 1.0, "schedule": "annealed", "sigma": 0.0, "solver": "global", "steps": 2, "updates": 100}',
    '{"bandwidth": "fixed", "beta": 15.0, "constant": 20.0, "group": "se2", "kernel": "rbf", "method": "ka", "nearest": 20, "neighbours": 5, "pairs": "needed", "quantile": 0.1, "rate": 1.0, "schedule": "annealed", "sigma": 0.0, "solver": "global", "steps": 2, "updates": 100}',
]

data = thin(make(load_recipe(RECIPE)), 6)
v = data.points if hasattr(data, "points") else normalise(data.images)
for text in CONFIGS:
    config = AttentionConfig.from_json(text)
    for measured in measure(iterate(config, v), data.labels):
        print(config.method, measured.step.k, measured.clusters, measured.block_mass)
