"""The words of the screen: labels of parameters and options, numbers, and the glossary."""

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


GLOSSARY: Final = {
    "v": "an image; vᵢ is the i-th. Its pixels are scaled to norm 1",
    "n": "number of images",
    "m": "number of nearest images with which each image is compared",
    "p": "number of times that every image has been replaced by its mean",
    "P": "number of times that distances, weights and means are computed",
    "𝕋": "the group of ignored transformations",
    "SE(2)": "the group of rotations and translations of the plane",
    "τ": "a pose: the coordinates in 𝕋 of a transformation; 0 does not change an image",
    "θ": "a rotation, positive anticlockwise, in degrees",
    "b": "a translation: rows down, then columns to the right, in pixels",
    "σ": "the width of the Gaussian smoothing before images are compared, in pixels",
    "d": "the distance of two images up to 𝕋: the least ‖vᵢ∘τ − vⱼ‖ over all poses τ; no unit",
    "R": "the largest distance d of any two images; no unit",
    "β": "the bandwidth: a larger β is more selective, κ = exp(−β d²); no unit",
    "κ": "the kernel: the similarity of two images, 1 if their distance is 0",
    "γ": "the kernel of all pairs, before each column is divided by its sum",
    "W": "the weights: Wᵢⱼ is the share of image i in mean j; every column adds up to 1",
    "μ": "a mean, plain or invariant: for the invariant mean the images are aligned first",
    "U": "U(τ)v is the image v, rotated and translated by τ",
    "f": "the objective (2.3): the sum of Wᵢ ‖U(τᵢ)vᵢ − μ‖²; no unit",
    "x": "the quantity in κ = exp(−β x), if it is not d²; or an image that is clustered",
    "q": "β d² = 1 for the distance d below which this share of all pairs is",
    "c′": "the constant of Theorem 4.1: β = c′/R²",
    "t": "the step size of a descent; no unit",
    "k": "counts: a neighbour, an iteration of Algorithm 1, or a cluster",
    "N": "number of steps of a solver or a training",
    "K": "number of clusters or prototypes",
    "c": "cₖ is the k-th prototype",
    "T": "T_β(c): the prototype c, transformed; or the steps between two checks of the clusters",
    "B": "number of images in a training step",
    "η": "the learning rate of Adam",
    "ρ": "a prototype whose cluster has less than this share of n/K images is reassigned; "
    "ρ_min: the bound of Theorem 3.1",
    "ε": "a prototype is replaced if removing it adds less than this share of the largest "
    "cluster's error",
    "α": "attention in a group convolution, between 0 and 1: α⁺ = 1 − α⁻ is kept, "
    "α⁻ = αX·αC is removed",
    "ψ": "a filter of a convolution",
    "h": "a pose of the group H, for p4 a rotation by a multiple of 90°; h̃ is one of the input's",
    "p4": "the group of rotations by 90° and translations; p4m also has mirror images",
    "s": "a seed, which determines all random numbers; or a stride",
    "ARI": "adjusted Rand index of clusters and classes: 1 equal, 0 as by chance, below 0 worse",
    "NMI": "normalised mutual information of clusters and classes: 1 equal, 0 none",
    "ACC": "the share of images in the right class, under the best map of clusters to classes",
    "block mass": "the share of the weight off the diagonal of W that is within classes",
}
"""The definition of every symbol on the screen."""
