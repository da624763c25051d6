import ast
from pathlib import Path

import torch

from ia_engine.devices import describe_device, list_devices

ENGINE = Path(__file__).parents[2] / "ia_engine"
FACTORIES = {
    *("arange", "empty", "eye", "full", "linspace", "logspace", "ones", "rand", "randint", "randn"),
    *("randperm", "scalar_tensor", "tensor", "tril_indices", "triu_indices", "zeros"),
}


def test_the_cpu_is_always_the_last_device_in_the_list(monkeypatch):
    assert list_devices()[-1] == "cpu"
    assert [torch.device(name).type for name in list_devices()][-1] == "cpu"


def test_gpus_are_listed_first_and_described_by_their_names(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda name: f"Card of {name}")
    assert list_devices()[:2] == ("cuda:0", "cuda:1")
    assert describe_device("cuda:1") == "Card of cuda:1 (cuda:1)"
    assert describe_device("cpu") == "the CPU"


def find_factory_calls(source):
    """The line and the keywords of each call of a torch factory; the keyword of **options is
    None.
    """
    return [
        (call.lineno, {keyword.arg for keyword in call.keywords})
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in FACTORIES
        and getattr(call.func.value, "id", None) == "torch"
    ]


def test_every_call_that_creates_a_tensor_specifies_its_device():
    calls = {
        (str(path.relative_to(ENGINE)), line): keywords
        for path in ENGINE.rglob("*.py")
        for line, keywords in find_factory_calls(path.read_text("utf-8"))
    }
    assert len(calls) > 100
    assert [call for call, keywords in calls.items() if not keywords & {"device", None}] == []
