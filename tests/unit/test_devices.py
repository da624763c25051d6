import torch

from ia_engine.devices import describe_device, list_devices


def test_cpu_is_always_listed_and_every_device_is_torchs(monkeypatch):
    assert list_devices()[-1] == "cpu"
    assert [torch.device(name).type for name in list_devices()][-1] == "cpu"


def test_gpus_come_first_and_are_called_by_their_names(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda name: f"Card of {name}")
    assert list_devices()[:2] == ("cuda:0", "cuda:1")
    assert describe_device("cuda:1") == "Card of cuda:1 (cuda:1)"
    assert describe_device("cpu") == "the CPU"
