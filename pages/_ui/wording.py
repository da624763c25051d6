"""How numbers, durations, parameters and options are written on the screen."""

from typing import Final


def number(x: float) -> str:
    """At most six digits, without trailing zeros."""
    return str(x) if isinstance(x, int) else f"{x:.6g}"


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, as coarse as a waiting time is needed."""
    if seconds < 1:
        return "less than 1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


LABELS: Final = {
    "group": "Ignored transformations",
    "beta": "Bandwidth",
    "kernel_beta": "Kernel bandwidth",
    "sigma": "Smoothing",
    "steps": "Iterations",
    "images": "Images",
    "solver": "Pose solver",
    "schedule": "Smoothing schedule",
    "rate": "Step size",
    "updates": "Updates",
    "kernel": "Kernel",
    "bandwidth": "Rule for β",
    "neighbours": "Neighbours",
    "quantile": "Quantile",
    "constant": "Constant",
    "averagings": "Averaging steps",
    "sweep": "Varied transformation",
    "pictures": "Pictures",
    "strengths": "Strengths",
    "pairs": "Compared pairs",
    "nearest": "Nearest images",
    "k": "Clusters",
    "budget": "CPU time",
    "each": "CPU time per method",
    "more": "Additional CPU time",
    "model": "Model",
    "encoder": "Encoder",
    "start": "Initialisation",
    "curriculum": "When modules start",
    "outside": "Outside the canvas",
    "colors": "Colours",
    "predictors": "Pose predictors",
    "batch": "Batch size",
    "focus": "Centre weighting",
    "reassign": "Reassign rare prototypes below",
    "exchange": "Replace redundant prototypes below",
}
"""Labels of parameters; the symbol and the unit follow."""

OPTIONS: Final = {
    "se2": "rotation + translation",
    "similarity": "similarity: with scaling",
    "affine": "affine: with shear",
    "projective": "projective: with tilt",
    "global": "global search",
    "descent": "gradient descent",
    "rbf": "Gaussian",
    "laplace": "Laplace",
    "softmax": "inner product",
    "local": "local: k-th neighbour",
    "theorem": "Theorem 4.1",
    "topk": "largest k weights",
    "dti-kmeans": "DTI K-means",
    "dti-gmm": "DTI GMM",
    "ti": "TI",
    "kmeans": "K-means",
    "gmm": "GMM",
    "resnet20": "ResNet-20",
    "resnet18": "ResNet-18",
    "shares": "scheduled",
    "convergence": "on convergence",
    "off": "at once",
    "needed": "all relevant",
    "apart": "one per prototype",
    "shift": "translation",
    "scale": "scaling",
}
"""Titles of options; an option without a title is shown by its name."""


def word_of(option: str) -> str:
    """The title of an option, or its name."""
    return OPTIONS.get(option, option)
