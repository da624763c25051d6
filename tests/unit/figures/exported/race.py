"""Race

Run in the project's folder: PYTHONPATH=. .venv/bin/python run.py
"""

from ia_engine.equivariant.race import RaceConfig, run_race

CONFIG = '{"digits": 200, "iterations": 10, "seed": 0}'

for race in run_race(RaceConfig.from_json(CONFIG)):
    for name, lane in race.lanes.items():
        if lane:
            print(name, lane[-1].iteration, lane[-1].error, lane[-1].test)
