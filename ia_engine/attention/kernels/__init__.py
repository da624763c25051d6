"""The catalogue of kernels. To add one, create a file in this folder and an entry here."""

from ia_engine.attention.kernels.base import Kernel
from ia_engine.attention.kernels.cauchy import CAUCHY
from ia_engine.attention.kernels.epanechnikov import EPANECHNIKOV
from ia_engine.attention.kernels.exponential import LAPLACE, RBF, SOFTMAX

__all__ = ["KERNELS", "Kernel"]

KERNELS: dict[str, Kernel] = {
    "rbf": RBF,
    "laplace": LAPLACE,
    "softmax": SOFTMAX,
    "cauchy": CAUCHY,
    "epanechnikov": EPANECHNIKOV,
}
