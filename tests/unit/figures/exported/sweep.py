"""Sweep

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.rows import to_row
from ia_engine.runs.comparison.sweep import SweepConfig, SweepPlan, sweep

SWEEP = '{"copies": 3, "pictures": "drawings", "strengths": 2, "sweep": "rotation"}'
CONFIG = '{"averagings": 0, "budget": 10.0, "images": 100, "k": 0, "methods": ["kmeans"], "seed": 0}'

plan = SweepPlan(SweepConfig.from_json(SWEEP), ComparisonConfig.from_json(CONFIG))
for item in sweep(plan):
    if item.moment.result is not None:
        print(plan.steps[item.at], to_row(item.moment.result))
