import json
import math

from ia_engine.shell.lines import to_json


def test_json_contains_null_instead_of_nan_and_infinity():
    row = {"a": math.nan, "b": math.inf, "c": 0.5, "d": None}
    assert json.loads(to_json(row)) == {"a": None, "b": None, "c": 0.5, "d": None}


def test_nested_values_in_json_contain_null_instead_of_nan_and_infinity():
    row = {"ours": {"error": math.nan, "more": [1.5, -math.inf, {"deep": math.nan}]}}
    expected = {"ours": {"error": None, "more": [1.5, None, {"deep": None}]}}
    assert json.loads(to_json(row)) == expected
