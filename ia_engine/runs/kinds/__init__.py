"""One module for each kind of run; `RUN_KINDS` in `ia_engine/runs/catalogue.py` lists them."""
