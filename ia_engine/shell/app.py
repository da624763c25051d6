"""`app`: opens the app in the browser. Streamlit runs in this process until it is interrupted."""

import argparse
import runpy
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from ia_engine import files
from ia_engine.errors import EngineError
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Parser


def run(argv: Sequence[str]) -> None:
    """Start the server. Raises EngineError if Streamlit is not installed."""
    values = _parse(argv)
    if find_spec("streamlit") is None:
        raise EngineError(
            "the app needs streamlit, which is not installed: run 'pip install \".[app]\"' in the "
            "folder of the project"
        )
    options = ["--server.headless", "true"] if values.no_browser else []
    options += [] if values.port is None else ["--server.port", str(values.port)]
    sys.argv = ["streamlit", "run", str(files.APP / "server.py"), *options]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = Parser("python -m ia_engine app", description=COMMANDS["app"], allow_abbrev=False)
    parser.add_argument(
        "--port", type=_to_port, metavar="N", help="port of the server (default 8501)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only start the server")
    return parser.parse_args(argv)


def _to_port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"must be between 1 and 65535; got {text!r}")
    return int(text)
