"""Attentive Group Equivariant Convolutional Networks: Figures 1 to 11, Tables 1 to 3."""

from typing import Final

from ia_engine.datasets.published import CIFAR, MNIST
from ia_engine.runs.papers import attentive_tables as tables
from ia_engine.runs.papers.attentive_data import NEED_CIFAR, NEED_PCAM
from ia_engine.runs.papers.attentive_maps import Regime, show_cells, show_digits, show_supports
from ia_engine.runs.papers.attentive_parts import (
    show_attentive,
    show_branch,
    show_circulant,
    show_convolution,
)
from ia_engine.runs.papers.entry import DIRECTION, IMPOSSIBLE, REPRODUCED, Entry
from ia_engine.runs.papers.faces import find_faces
from ia_engine.runs.papers.needs import need_set

RANDOM: Final = (
    "the property holds for any weights, and these are random: the paper's network needs a GPU"
)

ENTRIES: Final = (
    Entry(
        id="gcnn-figure-1", paper="gcnn", label="Figure 1", title="An exercise: is it a face?",
        says="Four arrangements of the same eyes, nose and mouth: only where positions, turns and "
        "sizes belong together is it a face.",
        kind=REPRODUCED, compute=find_faces, budget=15, steps=50,
    ),
    Entry(
        id="gcnn-figure-2", paper="gcnn", label="Figure 2", title="Group convolution on p4",
        says="A group convolution is four convolutions with the filter turned by 0°, 90°, 180° and "
        "270°, each summed over channels and over the poses of the input.",
        kind=REPRODUCED, compute=show_convolution, budget=1, steps=12,
    ),
    Entry(
        id="gcnn-figure-3", paper="gcnn", label="Figure 3", title="Attention in translation",
        says="Which English words a translator attends to for each French one: an example taken "
        "over from Bahdanau and others (2014).",
        kind=IMPOSSIBLE,
        why="it is another paper's figure, and of words: it would take their trained translator "
        "and its parallel texts, and there is no image in it.",
    ),
    Entry(
        id="gcnn-figure-4", paper="gcnn", label="Figure 4", title="The circulant structure",
        says="The columns of a filter's matrix over the group are the filter moved on by one: "
        "equal colours are equal weights.",
        kind=REPRODUCED, compute=show_circulant, budget=1, steps=3,
    ),
    Entry(
        id="gcnn-figure-5", paper="gcnn", label="Figure 5", title="Attentive group convolution",
        says="As Figure 2, but channel and spatial attention weigh the responses before they are "
        "summed over channels and poses.",
        kind=REPRODUCED, compute=show_attentive, budget=3, steps=3,
    ),
    Entry(
        id="gcnn-figure-6", paper="gcnn", label="Figure 6", title="The residual attention branch",
        says="Channel attention, then spatial attention, computed on a branch whose product α⁻ is "
        "subtracted: α⁺ = 1 − α⁻.",
        kind=REPRODUCED, compute=show_branch, budget=3, steps=4,
    ),
    Entry(
        id="gcnn-figure-7", paper="gcnn", label="Figure 7", title="Maps that turn along",
        says="Attention maps of a picture under four quarter turns are the same map, turned; "
        "arrows show the orientations that the filters answer to.",
        kind=REPRODUCED, compute=show_digits, budget=2, steps=3,
    ),
    Entry(
        id="gcnn-figure-8", paper="gcnn", label="Figure 8", title="Maps of tissue",
        says="On PCam's patches the maps turn along too, and after training they lie on the nuclei "
        "of the cells.",
        kind=DIRECTION, why="a DenseNet within CPU seconds is not the trained one",
        compute=show_cells, budget=20, steps=20, needs=(NEED_PCAM,),
    ),
    Entry(
        id="gcnn-figure-9", paper="gcnn", label="Figure 9", title="Stride and parity",
        says="With stride 2 on an even side a filter does not come to stand on the same pixels of "
        "the turned picture, so that exactness is lost; on odd sides it is kept.",
        kind=REPRODUCED, compute=show_supports, budget=1, steps=5,
    ),
    Entry(
        id="gcnn-figure-10", paper="gcnn", label="Figure 10", title="Maps with strides",
        says="Maps of networks with strides change a little with every turn, as around the back of "
        "a horse.",
        kind=DIRECTION, why=RANDOM, compute=Regime(exact=False), budget=2, steps=3,
        needs=(need_set(CIFAR),), stand_in="bundled icons",
    ),
    Entry(
        id="gcnn-figure-11", paper="gcnn", label="Figure 11", title="Maps without strides",
        says="With stride 1 and pooling in place of strides the maps are exactly the same.",
        kind=DIRECTION, why=RANDOM, compute=Regime(exact=True), budget=2, steps=3,
        needs=(need_set(CIFAR),), stand_in="bundled icons",
    ),
    Entry(
        id="gcnn-table-1", paper="gcnn", label="Table 1", title="Rotated MNIST",
        says="Test errors on rotated MNIST: every attentive network is better than a plain one "
        "with as many parameters; full attention is best.",
        kind=DIRECTION, why="two of nine networks, few seeds, a fraction of the 100 epochs",
        compute=tables.DIGITS, budget=20, thorough=500, steps=60,
        needs=(need_set(MNIST, "train"),), stand_in="scikit-learn's digits",
    ),
    Entry(
        id="gcnn-table-2", paper="gcnn", label="Table 2", title="CIFAR-10",
        says="Test errors on CIFAR-10 with and without augmentation: attention to the input lowers "
        "them for All-CNN and ResNet44.",
        kind=DIRECTION, why="parameters in full; of the errors, two networks for CPU seconds",
        compute=tables.OBJECTS, budget=20, steps=20,
        needs=(NEED_CIFAR,), stand_in="the numbers of parameters alone",
    ),
    Entry(
        id="gcnn-table-3", paper="gcnn", label="Table 3", title="PCam",
        says="Test errors on PCam: attention to the input lowers those of p4- and p4m-DenseNets.",
        kind=DIRECTION, why="parameters in full; of the errors, two networks for CPU seconds",
        compute=tables.CELLS, budget=20, steps=20,
        needs=(NEED_PCAM,), stand_in="the numbers of parameters alone",
    ),
)  # fmt: skip
