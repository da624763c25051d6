"""K-means

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.runs.clustering.drive import cluster
from ia_engine.runs.clustering.plan import plan_clusters

RECIPE = '{"config": {"bases": ["crab", "seven", "snail"], "copies": 6, "distortions": [{"high": [1.1344640137963142, 10.0], "low": [-1.1344640137963142, -10.0], "transform": "se2"}], "fill": 0.54, "seed": 0, "size": 64}, "source": "experiment-1"}'
CONFIG = '{"batch": 128, "colors": "kept", "curriculum": "shares", "edition": 2, "encoder": "quick", "exchange": 0.3, "focus": 0.0, "iterations": 6000, "k": 3, "model": "kmeans", "outside": "border", "period": 50, "predictors": "apart", "rate": 0.003, "reassign": 0.2, "sequence": "", "shares": [], "start": "sample"}'
SEED, SECONDS = 0, 1.0  # CPU seconds; the end depends on the machine

data = make(load_recipe(RECIPE))
plan = plan_clusters(ClusterConfig.from_json(CONFIG), data, SEED, SECONDS)
*_, last = cluster(plan, data)
print(last.iteration, last.loss, last.score and last.score.acc)
print(last.newest.result.assignments.tolist())
