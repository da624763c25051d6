"""Entries of *Attentive Group Equivariant Convolutional Networks*: Figures 1-11, Tables 1-3."""

from typing import Final

from ia_engine.datasets.published import CIFAR, MNIST
from ia_engine.runs.papers import attentive_tables as tables
from ia_engine.runs.papers.attentive_data import NEED_PCAM
from ia_engine.runs.papers.attentive_maps import Regime, show_cells, show_digits, show_supports
from ia_engine.runs.papers.attentive_parts import (
    show_attentive,
    show_branch,
    show_circulant,
    show_convolution,
)
from ia_engine.runs.papers.attentive_theorem import check_if, check_only_if
from ia_engine.runs.papers.entry import (
    DIRECTION,
    ILLUSTRATED,
    IMPOSSIBLE,
    PARAMETERS,
    REPRODUCED,
    Entry,
)
from ia_engine.runs.papers.faces import find_faces
from ia_engine.runs.papers.needs import need_set

RANDOM: Final = "the weights are random, because the paper's network needs a GPU"
IDENTITY: Final = "the figure draws an identity, which holds by definition"
QUOTED: Final = "only the numbers of parameters are computed; the test errors need a GPU"

ENTRIES: Final = (
    Entry(
        id="gcnn-figure-1", paper="gcnn", label="Figure 1", title="An exercise: is it a face?",
        says="Four arrangements of the same eyes, nose and mouth: only consistent positions, "
        "rotations and sizes make a face.",
        kind=ILLUSTRATED, why="the figure is a drawing without a measured value",
        compute=find_faces, budget=15, steps=50,
    ),
    Entry(
        id="gcnn-figure-2", paper="gcnn", label="Figure 2", title="Group convolution on p4",
        says="A group convolution is four convolutions with the filter rotated by 0°, 90°, 180° "
        "and 270°, each summed over channels and over the poses of the input.",
        kind=ILLUSTRATED, why=IDENTITY, compute=show_convolution, budget=1, steps=12,
    ),
    Entry(
        id="gcnn-figure-3", paper="gcnn", label="Figure 3", title="Attention in translation",
        says="The English words that a translator attends to for each French word: an example "
        "from Bahdanau et al. (2014).",
        kind=IMPOSSIBLE,
        why="the figure is from a different paper and shows words, not images. It would need "
        "that paper's trained translator and parallel corpus.",
    ),
    Entry(
        id="gcnn-figure-4", paper="gcnn", label="Figure 4", title="The circulant structure",
        says="Each column of a filter's matrix over the group is the previous one shifted by one: "
        "equal colours mark equal weights.",
        kind=ILLUSTRATED, why=IDENTITY, compute=show_circulant, budget=1, steps=3,
    ),
    Entry(
        id="gcnn-figure-5", paper="gcnn", label="Figure 5", title="Attentive group convolution",
        says="Like Figure 2, but channel and spatial attention weight the responses before they "
        "are summed over channels and poses.",
        kind=ILLUSTRATED, why=IDENTITY, compute=show_attentive, budget=3, steps=3,
    ),
    Entry(
        id="gcnn-figure-6", paper="gcnn", label="Figure 6", title="The residual attention branch",
        says="Channel attention, then spatial attention, computed on a branch whose product α⁻ is "
        "subtracted: α⁺ = 1 − α⁻.",
        kind=ILLUSTRATED, why=IDENTITY, compute=show_branch, budget=3, steps=4,
    ),
    Entry(
        id="gcnn-figure-7", paper="gcnn", label="Figure 7",
        title="Maps that rotate with the picture",
        says="The attention map of a picture that is rotated in 90° steps rotates with it; "
        "arrows show the orientations that the filters respond to.",
        kind=DIRECTION,
        why="the paper shows networks trained on CIFAR-10; here, networks with random weights and "
        "one trained on rotated digits, and drawn digits",
        compute=show_digits, budget=2, thorough=10, steps=3,
    ),
    Entry(
        id="gcnn-figure-8", paper="gcnn", label="Figure 8", title="Attention maps of tissue",
        says="On PCam's patches the maps also rotate with the image, and after training they cover "
        "the cell nuclei.",
        kind=DIRECTION,
        why="a DenseNet trained for a few CPU seconds does not match the paper's network",
        compute=show_cells, budget=20, steps=20, needs=(NEED_PCAM,),
    ),
    Entry(
        id="gcnn-figure-9", paper="gcnn", label="Figure 9", title="Stride and parity",
        says="With stride 2 on an even side length, a filter does not cover the same pixels of the "
        "rotated picture, so equivariance is not exact; on odd side lengths it is exact.",
        kind=REPRODUCED, compute=show_supports, budget=1, steps=5,
    ),
    Entry(
        id="gcnn-figure-10", paper="gcnn", label="Figure 10", title="Maps with strides",
        says="Maps of networks with strides change slightly with every rotation, for instance "
        "around the back of a horse.",
        kind=DIRECTION, why=RANDOM, compute=Regime(exact=False), budget=2, thorough=10, steps=10,
        needs=(need_set(CIFAR),), stand_in="bundled icons",
    ),
    Entry(
        id="gcnn-figure-11", paper="gcnn", label="Figure 11", title="Maps without strides",
        says="With stride 1 and pooling instead of strides, the maps are exactly the same.",
        kind=DIRECTION, why=RANDOM + "; the property holds for any weights",
        compute=Regime(exact=True), budget=2, thorough=10, steps=10,
        needs=(need_set(CIFAR),), stand_in="bundled icons",
    ),
    Entry(
        id="gcnn-table-1", paper="gcnn", label="Table 1", title="Rotated MNIST",
        says="Test errors on rotated MNIST: every attentive network is better than a plain one "
        "with the same number of parameters; full attention is best.",
        kind=DIRECTION, seeds_needed=5,
        why="the rotated digits are regenerated from MNIST, and the epoch is chosen on a "
        "validation split instead of the test set, so that only the order of the networks is "
        "compared",
        compute=tables.DIGITS, budget=20, steps=60,
        needs=(need_set(MNIST, "train"),), stand_in="scikit-learn's digits",
    ),
    Entry(
        id="gcnn-table-2", paper="gcnn", label="Table 2", title="CIFAR-10",
        says="Test errors on CIFAR-10 with and without augmentation: attention to the input lowers "
        "them for All-CNN and ResNet44.",
        kind=PARAMETERS, why=QUOTED, compute=tables.OBJECTS, budget=1, steps=8,
    ),
    Entry(
        id="gcnn-table-3", paper="gcnn", label="Table 3", title="PCam",
        says="Test errors on PCam: attention to the input lowers those of p4- and p4m-DenseNets.",
        kind=PARAMETERS, why=QUOTED, compute=tables.CELLS, budget=1, steps=7,
    ),
    Entry(
        id="gcnn-theorem-1a", paper="gcnn", label="Theorem 1 (sufficiency)",
        title="Equivariant attention gives equivariant convolutions",
        says="An attentive group convolution is equivariant if its attention operator satisfies "
        "A[L_g¯ f](g, g~) = A[f](g¯⁻¹g, g¯⁻¹g~), as all operators of the paper do (A.4).",
        kind=REPRODUCED, compute=check_if, budget=5, steps=7,
    ),
    Entry(
        id="gcnn-theorem-1b", paper="gcnn", label="Theorem 1 (necessity)",
        title="Only equivariant attention gives equivariant convolutions",
        says="An attentive group convolution is equivariant only if its attention operator "
        "satisfies A[L_g¯ f](g, g~) = A[f](g¯⁻¹g, g¯⁻¹g~).",
        kind=REPRODUCED,
        why="the proof (appendix A.3) concludes from equal integrals for all f that the integrands "
        "are equal. This does not follow, because A depends on f; the first two numbers are those "
        "of a counterexample",
        compute=check_only_if, budget=5, steps=7,
    ),
)  # fmt: skip
