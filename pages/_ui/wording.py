"""How numbers, parameters and their options are written on the screen."""

from typing import Final


def number(x: float) -> str:
    """At most six digits, without trailing zeros."""
    return str(x) if isinstance(x, int) else f"{x:.6g}"


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, in the precision that one waits in."""
    if seconds < 1:
        return "less than 1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


LABELS: Final = {
    "group": "Ignore",
    "beta": "Sharpness",
    "kernel_beta": "Kernel's",
    "sigma": "Blur",
    "steps": "Iterations",
    "images": "Images",
    "solver": "How poses are found",
    "schedule": "Smoothing on the way",
    "rate": "Step size",
    "updates": "Updates",
    "kernel": "Kernel",
    "bandwidth": "Rule for β",
    "neighbours": "Neighbours",
    "quantile": "Share of near pairs",
    "constant": "Constant",
    "averagings": "Averagings",
    "sweep": "What grows",
    "pictures": "Pictures",
    "strengths": "Strengths",
    "pairs": "Pairs compared",
    "nearest": "Nearest images",
    "k": "Clusters",
    "budget": "Computing time",
    "each": "Computing time of each",
    "more": "More computing time",
    "model": "Model",
    "encoder": "Encoder",
    "start": "Start",
    "curriculum": "When modules start",
    "outside": "Outside the canvas",
    "colors": "Colours",
    "predictors": "Predictors of poses",
    "batch": "Images a step",
    "focus": "Weight of the centre",
    "reassign": "Too small below",
    "exchange": "Hardly missed below",
}

OPTIONS: Final = {
    "translation": "shift",
    "rotation": "turn",
    "se2": "turn and shift, SE(2)",
    "similarity": "turn, shift and size",
    "affine": "affine: shear as well",
    "projective": "projective: tilt as well",
    "global": "global search",
    "descent": "gradient descent",
    "annealed": "annealed",
    "greedy": "greedy",
    "constant": "constant",
    "rbf": "Gaussian",
    "laplace": "Laplace",
    "softmax": "inner product",
    "fixed": "fixed",
    "local": "from neighbours",
    "quantile": "from a quantile",
    "theorem": "Theorem 4.1",
    "topk": "the k heaviest",
    "dti-kmeans": "DTI K-means",
    "dti-gmm": "DTI GMM",
    "ti": "TI",
    "kmeans": "K-means",
    "gmm": "GMM",
    "resnet20": "ResNet-20",
    "resnet18": "ResNet-18",
    "shares": "in turn",
    "convergence": "when settled",
    "off": "at once",
    "needed": "all that matter",
    "nearest": "nearest",
}


def word_of(option: str) -> str:
    """The option in words; others are their own word."""
    return OPTIONS.get(option, option)
