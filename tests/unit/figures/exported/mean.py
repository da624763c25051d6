"""Mean

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.figures.mean import film_mean, plan_mean

RECIPE = '{"config": {"bases": ["crab", "seven", "snail"], "copies": 6, "distortions": [{"high": [1.1344640137963142, 10.0], "low": [-1.1344640137963142, -10.0], "transform": "se2"}], "fill": 0.54, "seed": 0, "size": 64}, "source": "experiment-1"}'
CONFIG = '{"group": "se2", "rate": 1.5, "schedule": "greedy", "sigma": 0.0, "start": "pairwise", "steps": 1}'
CLASS = 'Crab'

plan, few = plan_mean(MeanConfig.from_json(CONFIG), make(load_recipe(RECIPE)), CLASS)
for film in film_mean(plan, few):
    step = film.steps[-1]
    print(step.k, step.objective, step.sharpness)
