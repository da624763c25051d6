"""Text on the screen: labels of parameters and options, number formats and the glossary."""

from typing import Final

from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.rules import RULES


def number(x: float) -> str:
    """Return the number with at most six digits, without trailing zeros."""
    return str(x) if isinstance(x, int) else f"{x:.6g}"


def duration(seconds: float) -> str:
    """Return a waiting time in seconds, minutes or hours, rounded."""
    if seconds < 1:
        return "less than 1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def size(count: int) -> str:
    """Return a number of bytes in MB or GB, rounded.

    >>> size(123_456), size(12_345_678), size(3_000_000_000)
    ('0.1 MB', '12 MB', '3.0 GB')
    """
    megabytes = count / 1e6
    if 0 < megabytes < 0.05:
        return "less than 0.1 MB"
    if megabytes < 9.95:
        return f"{megabytes:.1f} MB"
    return f"{megabytes:.0f} MB" if megabytes < 999.5 else f"{megabytes / 1e3:.1f} GB"


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
    "sweep": "Varied quantity",
    "pictures": "Pictures",
    "strengths": "Values",
    "repeats": "Repetitions",
    "angle": "Rotation",
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
    "reassign": "Reassign prototypes used less often than",
    "exchange": "Replace prototypes whose removal costs less than",
}
"""Labels of parameters; the symbol and the unit are added to them."""

OPTIONS: Final = {
    "se2": "rotation + translation",
    "similarity": "similarity: with scaling",
    "affine": "affine: with shear",
    "projective": "projective: with tilt",
    "global": "global search",
    "descent": "gradient descent",
    **{name: kernel.title for name, kernel in KERNELS.items()},
    **{name: rule.title for name, rule in RULES.items()},
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
    "n": "number of images n",
    "beta": "bandwidth β",
    "sigma": "smoothing σ",
}
"""Titles of options. An option without a title is shown with its name."""


def word_of(option: str) -> str:
    """Return the title of an option, or its name if it has no title."""
    return OPTIONS.get(option, option)


GLOSSARY: Final = {
    "v": "an image, scaled to norm 1; vᵢ is the i-th image",
    "n": "number of images",
    "m": "number of nearest images that each image is compared to",
    "p": "number of times that every image has been replaced by its mean",
    "P": "number of times that distances, weights and means are computed",
    "𝕋": "the group of ignored transformations",
    "SE(2)": "the group of rotations and translations of the plane",
    "τ": "a pose: the coordinates of a transformation in 𝕋; 0 does not change an image",
    "θ": "a rotation angle in degrees; positive is anticlockwise",
    "b": "a translation: rows down, then columns to the right, in pixels",
    "σ": "the width of the Gaussian smoothing before images are compared, in pixels",
    "d": "the distance between two images up to 𝕋: the minimum of ‖√|det Dτ| vᵢ∘τ − vⱼ‖ over all "
    "poses τ; the factor is 1 unless τ changes areas; dimensionless",
    "R": "the largest distance d between any two images; dimensionless",
    "β": "the bandwidth: a larger β is more selective, as in κ = exp(−β d²); dimensionless",
    "κ": "the kernel: the similarity of two images, 1 if their distance is 0",
    "γ": "the kernel values of all pairs, before each column is divided by its sum",
    "W": "the weights: Wᵢⱼ is the share of image i in mean j; every column adds up to 1",
    "μ": "a mean, plain or invariant: for the invariant mean the images are aligned first",
    "U": "U(τ)v = √|det Dτ| v∘τ is the image v, transformed by τ; the factor keeps its norm if τ "
    "changes areas",
    "f": "the objective (2.3): the sum of Wᵢ ‖U(τᵢ)vᵢ − μ‖²; dimensionless",
    "x": "the quantity that replaces d² in κ, such as κ = exp(−β x); or an image that is clustered",
    "q": "a share of all pairs: β is set so that β d² = 1 at the distance d below which this share "
    "of the pairs lies",
    "c′": "the constant of Theorem 4.1, which requires β < c′/R² and R < c·ρ_min; the rule for β "
    "sets β = c′/R²",
    "t": "the step size of a descent; dimensionless",
    "k": "the index of a neighbour, an iteration of Algorithm 1, or a cluster",
    "N": "number of steps of a solver or of training",
    "K": "number of clusters or prototypes",
    "c": "cₖ is the k-th prototype",
    "T": "T_β(c): the prototype c, transformed; or the steps between two checks of the clusters",
    "B": "number of images in a training step",
    "η": "the learning rate of Adam",
    "ρ": "the reassignment threshold: a prototype is reassigned if its cluster has less than this "
    "share of n/K images; in Theorems 3.1 and 4.1, c·ρ_min is the upper bound on R",
    "ε": "the replacement threshold: a prototype is replaced if removing it adds less than this "
    "share of the largest cluster's error",
    "α": "attention in a group convolution, between 0 and 1: α⁺ = 1 − α⁻ is kept, "
    "α⁻ = αX·αC is removed",
    "ψ": "a filter of a convolution",
    "h": "an element of H, the part of a group without translations: for p4, H has the four "
    "rotations by multiples of 90°; h̃ is the corresponding element for the input",
    "p4": "the group of translations, rotations by multiples of 90° and their products; p4m also "
    "includes reflections",
    "s": "the seed, which determines all random numbers; or a stride",
    "ARI": "adjusted Rand index of clusters and classes: 1 if equal, 0 on average if random",
    "NMI": "normalised mutual information of clusters and classes: 1 if equal, 0 if independent",
    "ACC": "the share of images in the right class, under the best assignment of clusters to "
    "classes",
    "block mass": "the share of the weight off the diagonal of W that is within classes",
}
"""Definitions of all symbols on the screen."""
