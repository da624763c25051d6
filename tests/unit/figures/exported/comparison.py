"""Compare

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.runs.comparison.compare import compare, results_of
from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.plan import plan_comparison
from ia_engine.runs.comparison.rows import to_row

RECIPE = '{"config": {"bases": ["crab", "seven", "snail"], "copies": 6, "distortions": [{"high": [1.1344640137963142, 10.0], "low": [-1.1344640137963142, -10.0], "transform": "se2"}], "fill": 0.54, "seed": 0, "size": 64}, "source": "experiment-1"}'
CONFIG = '{"averagings": 0, "budget": 10.0, "images": 100, "k": 3, "methods": ["kmeans", "ka"], "seed": 0}'

data = make(load_recipe(RECIPE))
plan = plan_comparison(ComparisonConfig.from_json(CONFIG), data)
for result in results_of(list(compare(plan, data))):
    print(to_row(result))
