"""Entries of *Deep Transformation-Invariant Clustering*: Figures 1-3, Tables 1-3."""

from typing import Final

from ia_engine.datasets.published import AFFNIST, FASHION, MNIST, SVHN, USPS
from ia_engine.runs.papers.dti_alignment import choose_aligned
from ia_engine.runs.papers.dti_pictures import (
    Photographs,
    align_one,
    compare_prototypes,
    transform_all,
)
from ia_engine.runs.papers.dti_tables import Table
from ia_engine.runs.papers.entry import DIRECTION, IMPOSSIBLE, NEEDS_DATA, OTHER_NETWORK, Entry
from ia_engine.runs.papers.needs import need_file, need_set

DIGITS: Final = "scikit-learn's digits"
SCENES: Final = ("sacre_coeur.npz", "trevi_fountain.npz", "notre_dame.npz", "baroque.npz")
FLORENCE: Final = "florence_cathedral.npz"
SHORT: Final = "a few CPU seconds instead of ten runs that take hours on a GPU"
PART: Final = "a seventh of the paper's digits, part of its iterations, and our encoder"
QUICK: Final = "the seeds use our quick encoder instead of the paper's ResNet-20"

ENTRIES: Final = (
    Entry(
        id="dti-figure-1a", paper="dti", label="Figure 1a", title="Align first, then compare",
        says="K-means assigns a sample to the nearest prototype, here a wrong one; after alignment "
        "with the sample, the right prototype is the nearest.",
        kind=DIRECTION, why="the paper draws one sample; here, rotated digits of MNIST are "
        "compared with prototypes in our own handwriting",
        compute=choose_aligned, budget=2, thorough=10, steps=10,
        needs=(need_set(MNIST),), stand_in=DIGITS,
    ),
    Entry(
        id="dti-figure-1b", paper="dti", label="Figure 1b",
        title="A prototype, transformed step by step",
        says="For an image, a network predicts affine, morphological and thin plate spline "
        "parameters, which align a prototype with the image, one after another.",
        kind=DIRECTION, why=PART, compute=align_one, budget=12, thorough=60, steps=20,
        needs=(need_set(MNIST),), stand_in=DIGITS,
    ),
    Entry(
        id="dti-figure-1c", paper="dti", label="Figure 1c", title="Instagram collections",
        says="Prototypes of 40 clusters, found in 15,000 photographs for each of several hashtags.",
        kind=IMPOSSIBLE,
        why="the photographs were scraped from Instagram and never published, so they are "
        "not available. Figure 3 shows the same method on collections that are available.",
    ),
    Entry(
        id="dti-figure-2a", paper="dti", label="Figure 2a", title="Prototypes of each data set",
        says="Prototypes of DTI GMM are much sharper than those of a Gaussian mixture, even for "
        "coloured and distorted digits.",
        kind=DIRECTION, why="two of the paper's sets, 1,000 images of each, and CPU seconds "
        "instead of ten runs of GPU hours, in which the accuracy on coloured digits stays near "
        "chance, so that they are left out",
        compute=compare_prototypes, budget=18, thorough=120, steps=60,
        needs=(need_set(MNIST),), stand_in=DIGITS,
    ),
    Entry(
        id="dti-figure-2b", paper="dti", label="Figure 2b", title="All prototypes, four queries",
        says="Every prototype is aligned with four digits; only the prototype of the right class "
        "comes close, and it adopts their thickness and slant.",
        kind=DIRECTION, why=PART, compute=transform_all, budget=12, thorough=300, steps=20,
        needs=(need_set(MNIST),), stand_in=DIGITS,
    ),
    Entry(
        id="dti-figure-3a", paper="dti", label="Figure 3a", title="Photographs: all prototypes",
        says="On photographs of three buildings and on Baroque portraits, DTI GMM finds "
        "recognisable prototypes, whereas a Gaussian mixture produces blurs.",
        kind=DIRECTION, why="64 px and " + SHORT,
        compute=Photographs(SCENES), budget=20, steps=90,
        needs=tuple(need_file(f"MegaDepth and WikiPaintings: {file}", file) for file in SCENES),
    ),
    Entry(
        id="dti-figure-3b", paper="dti", label="Figure 3b", title="Photographs: aligned images",
        says="Twenty clusters of 1,892 photographs of Florence's cathedral, with images of each "
        "cluster and the prototype aligned with them.",
        kind=DIRECTION, why="64 px and " + SHORT,
        compute=Photographs((FLORENCE,)), budget=20, steps=30,
        needs=(need_file("MegaDepth: Florence cathedral", FLORENCE),),
    ),
    Entry(
        id="dti-table-1", paper="dti", label="Table 1", title="Accuracy on MNIST",
        says="On MNIST and its test set, the clustering accuracy is far above that of K-means and "
        "mixtures on pixels, and similar to that of methods that learn features.",
        kind=OTHER_NETWORK, why=QUICK, compute=Table(1, ("mnist", "mnist-test")), budget=20,
        steps=60, needs=(need_set(MNIST, "train"),), stand_in=DIGITS,
    ),
    Entry(
        id="dti-table-1-fashion", paper="dti", label="Table 1, Fashion-MNIST",
        title="Accuracy on Fashion-MNIST",
        says="On the 70,000 garments of Fashion-MNIST, DTI K-means reaches 61.2 % on average.",
        kind=OTHER_NETWORK, why=QUICK, compute=Table(1, ("fashion",)), budget=20, steps=20,
        needs=(need_set(FASHION, "train"),),
    ),
    Entry(
        id="dti-table-1-others", paper="dti", label="Table 1, USPS, FRGC and SVHN",
        title="Accuracy on postal digits, faces and house numbers",
        says="On USPS, FRGC and SVHN, the accuracy is above that of K-means and mixtures on "
        "pixels, and similar to that of methods that learn features.",
        kind=NEEDS_DATA, why="FRGC has no public source, so the columns cannot be complete",
        compute=Table(1, ("usps", "svhn")), budget=20, steps=20,
        needs=(need_set(USPS), need_set(SVHN)),
    ),
    Entry(
        id="dti-table-2", paper="dti", label="Table 2", title="Small, coloured and distorted sets",
        says="DTI is barely affected by spatial and colour transformations, whereas the accuracy "
        "of methods that learn features drops on affNIST and is near chance on coloured digits. "
        "DTI also seems to need less data.",
        kind=OTHER_NETWORK, why=QUICK, compute=Table(2, ("mnist-1k", "mnist-color")),
        budget=20, steps=40,
        needs=(need_set(MNIST),), stand_in=DIGITS,
    ),
    Entry(
        id="dti-table-2-affnist", paper="dti", label="Table 2, affNIST-test",
        title="Digits with random affine distortions",
        says="On 320,000 digits in random affine poses, DTI clustering reaches 95.5 %, and methods "
        "that learn features at most 57.6 %.",
        kind=DIRECTION, why=SHORT, compute=Table(2, ("affnist",)), budget=20, steps=20,
        needs=(need_set(AFFNIST),),
    ),
    Entry(
        id="dti-table-3", paper="dti", label="Table 3", title="Contribution of each part",
        says="Accuracy on MNIST without each module, without reassignment and without curriculum, "
        "and with another order of the modules. The rows with parameters that are searched for "
        "each image (TI) are quoted only.",
        kind=OTHER_NETWORK, why=QUICK, compute=Table(3, ("mnist",)), budget=20, steps=40,
        needs=(need_set(MNIST, "train"),), stand_in=DIGITS,
    ),
)  # fmt: skip
