"""How much of a map lies on what is drawn, and how much beside it."""

from torch.nn import functional

from ia_engine.shapes import Heat, Images


def weigh_ink(attention: Heat, v: Images) -> tuple[float, float]:
    """The mean of a map [... y x] over the ink of the picture [1 c h w], and over the rest."""
    heat = attention.flatten(0, -3).mean(0) if attention.ndim > 2 else attention
    ink = functional.adaptive_avg_pool2d(v.mean(1), (heat.shape[-2], heat.shape[-1]))[0]
    on, beside = (float((heat * w).sum() / w.sum().clamp_min(1e-12)) for w in (ink, 1 - ink))
    return on, beside
