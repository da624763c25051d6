"""The explanation of each page: four sentences that define its terms, and one thing to try."""

from dataclasses import asdict, dataclass
from typing import Final


@dataclass(frozen=True)
class Explanation:
    """Four sentences, with terms in bold where they are defined, and one thing to try."""

    text: str
    trial: str

    def describe(self, title: str) -> dict[str, str]:
        """Return the text of the dialog of the page with this title."""
        return {"title": title, **asdict(self)}


EXPLANATIONS: Final = {
    "See invariance": Explanation(
        "Eighteen pictures, six each of a crab, a seven and a snail, are rotated and shifted at "
        "random. In every **iteration**, each picture is replaced by a **weighted average** of all "
        "pictures: similar pictures get a large **weight**, a share between 0 and 1. **Kernel "
        "attention** measures similarity pixel by pixel, so it mixes different drawings; "
        "**invariant attention** first rotates and shifts one picture onto the other. The square W "
        "shows all weights, and it becomes three blocks when each drawing is averaged only with "
        "its own copies.",
        "Press Play and watch the square; then move β, which sets how quickly weights decrease "
        "when pictures differ.",
    ),
    "Data": Explanation(
        "A **data set** is the collection of pictures that all pages of this app use. You can "
        "choose a ready-made one, generate rotated, shifted or distorted copies of pictures, or "
        "upload your own. A **class** is a name that is known for a picture, such as crab; it is "
        "used only to check results, never to compute them. The **seed** is a number that "
        "determines all random choices, so the same seed gives the same pictures.",
        "Choose Generate, enlarge the range of rotations, and then open Iterations to see which "
        "method still finds the classes.",
    ),
    "Iterations": Explanation(
        "In every **iteration**, each picture is replaced by a weighted average of all pictures. "
        "The **weight** of a picture is its share in an average, and the matrix W shows all of "
        "them: column j contains the weights for average j. **Kernel attention** compares pictures "
        "pixel by pixel, and **invariant attention** compares them after the rotation and "
        "translation that make them most alike. The **bandwidth** β sets how quickly weights "
        "decrease as pictures differ: with a large β, an average contains only the most similar "
        "pictures.",
        "Move β of invariant attention far to the left, where all pictures become one mean, and "
        "then far to the right, where no picture changes.",
    ),
    "Mean": Explanation(
        "The **plain mean** of pictures adds up their pixels and divides by their number, so "
        "rotated copies become a blur. The **invariant mean** is computed in steps: rotate and "
        "shift every picture onto the current mean, average the results, and repeat. The rotation "
        "and shift of a picture are called its **pose**. The **objective** f is the sum of the "
        "squared differences between the moved pictures and the mean, and it decreases in every "
        "step.",
        "Press Play and compare the two means after step 1 and at the end.",
    ),
    "Manifolds": Explanation(
        "All rotated and shifted copies of a picture form its **manifold**. The **distance** d "
        "between two pictures is the smallest difference between a copy of one and the other. The "
        "curve shows this difference for every angle; a low point that is not the lowest is a "
        "**local minimum**, at which a search can get stuck. **Smoothing** σ blurs both pictures "
        "first, which removes local minima but also detail.",
        "Increase σ and watch the local minima of the curve disappear.",
    ),
    "Clustering": Explanation(
        "A **cluster** is a group of pictures that a method puts together without knowing their "
        "classes. Each cluster has a **prototype**, a picture that stands for all its members. "
        "Before it is compared with a picture, a prototype is **transformed**: moved, bent or made "
        "thicker so that it fits as well as it can. **Training** repeats two things: every picture "
        "goes to the prototype that fits best, and every prototype becomes more like its pictures.",
        "Click a picture that is in a wrong cluster, and see how each prototype was transformed to "
        "fit it.",
    ),
    "Equivariance": Explanation(
        "A **network** computes maps from a picture, layer by layer; its **attention** is a map of "
        "the places that count. A network is **equivariant** if rotating the picture rotates its "
        "maps and changes nothing else. A **group convolution** achieves this, because it applies "
        "every filter in four orientations. A plain network has no such rule, so its maps change "
        "when the picture is rotated.",
        "Rotate the picture by exactly 90° and compare the two errors; then try 45°.",
    ),
    "Compare": Explanation(
        "Several methods find clusters, groups of similar pictures, in the same data and with the "
        "same computing time. **ARI** measures how well clusters agree with the known classes: 1 "
        "means equal, and about 0 is what chance achieves. The number of clusters **K** is either "
        "given to all methods or estimated by each of them. A **sweep** repeats the comparison "
        "while one quantity changes, such as the largest rotation, and shows where each method "
        "fails.",
        "In the sweep over rotations, find the angle beyond which K-means no longer finds the "
        "classes.",
    ),
    "Papers": Explanation(
        "This page contains every figure and table of the three papers behind this app. For each "
        "**claim**, a statement that can be checked, it shows the number in the paper and the "
        "number computed here. The **verdict** states how well they agree, and an entry has the "
        "weakest verdict of its claims. A **seed** determines all random numbers of a computation, "
        "and several seeds show how much a result depends on chance.",
        "Choose Figure 4 of the first paper and compute it again.",
    ),
    "Quiz": Explanation(
        "Ten questions ask about what the lessons show. Their pictures are generated for you, and "
        "the right answers are computed from these pictures. The **seed** is a number that "
        "determines all questions, so two people with the same seed get the same quiz. Nothing "
        "about your answers is stored.",
        "Answer one question wrongly on purpose, and read why the answer is wrong.",
    ),
    "Runs": Explanation(
        "A **run** is one computation with its data, its settings and all its steps. Every run is "
        "saved while it is computed, so an interrupted run can be continued. You can name a run, "
        "add **tags** (words for finding it again), and compare it with others. A **project** is "
        "one file that contains runs and data sets, for a different computer or a colleague.",
        "Start two runs with different β on Iterations, mark both here, and compare their numbers.",
    ),
}
"""The explanations by the titles of the pages."""
