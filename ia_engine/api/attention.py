"""`attend`: iterated invariant attention and kernel attention."""

from dataclasses import asdict

from ia_engine.api.alignment import Device
from ia_engine.api.inputs import Source, read_images
from ia_engine.api.progress import Progress, follow
from ia_engine.api.result import to_floats, to_whole
from ia_engine.api.results import AttentionResult
from ia_engine.api.statements import state_attention
from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, Step, iterate, normalise
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels
from ia_engine.predict import AttentionModel
from ia_engine.runs.kinds.attention import measure_in_clusters


def attend(
    images: Source,
    group: str = "se2",
    beta: float | None = None,
    steps: int = 4,
    *,
    method: str = "ia",
    k: int | None = None,
    sigma: float = 0.0,
    config: AttentionConfig | None = None,
    device: Device = "cpu",
    seed: int | None = None,
    progress: Progress | None = None,
) -> AttentionResult:
    """Replace each image by the weighted mean of all images, `steps` times.

    The weights are W_ij ∝ exp(-β d²), where d² is the distance up to the transformations of
    `group`; a larger `beta` (default 15, or 2 for kernel attention) is more selective. `method` is
    "ia", invariant attention, or "ka", kernel attention, which compares pixels. Images whose
    means agree form a cluster; with `k`, there are k clusters. `sigma` is the smoothing before
    images are compared [px]. `config` replaces all of these settings and has further ones. `seed`
    is that of a generated data set. If `progress` requests a stop, the result is that of the
    finished steps.

    >>> from ia_engine import attend
    >>> result = attend("experiment-1", group="se2", beta=15, steps=2)
    >>> result.weights.shape, result.means.shape
    ((18, 18), (18, 1, 64, 64))
    >>> result.labels.max() + 1
    np.int64(3)
    """
    data = read_images(images, seed)
    if config is None:
        default = KERNEL_BETA if method == "ka" else AttentionConfig.beta
        chosen = default if beta is None else float(beta)
        config = AttentionConfig(method, group, chosen, sigma, steps)
    n = len(data.images)
    if k is not None and not 1 <= k <= n:
        raise EngineError(f"k must be between 1 and the number of images, {n}; got {k}")
    v = normalise(data.images).to(device)
    labels = None if data.labels is None else data.labels.to(device)
    measured = measure_in_clusters(iterate(config, v), labels, k)
    finished = tuple(follow(measured, config.steps, _describe, progress))
    first, last = finished[0].step, finished[-1]
    model = make_model(config, data.images.to(device), last.assignments, first)
    return AttentionResult(
        data,
        {
            "function": "attend",
            **asdict(config),
            "steps": len(finished),
            "k": k,
            "seed": seed,
            "device": str(device),
        },
        state_attention(config, len(finished), n),
        config,
        to_whole(last.assignments),
        to_floats(last.step.W),
        to_floats(last.step.d2),
        None if first.tau is None else to_floats(model.poses),
        to_floats(model.aligned),
        to_floats(last.step.mu),
        finished,
        model,
    )


def make_model(
    config: AttentionConfig, images: Images, assignments: Labels, first: Step
) -> AttentionModel:
    """Return the model that assigns new images; `first` is the step of the images themselves."""
    return AttentionModel(config, images, assignments, first.d2, float(first.beta.median()))


def _describe(measured: Measured) -> str:
    clusters = measured.clusters
    return f"step {measured.step.k}, {clusters} cluster{'' if clusters == 1 else 's'}"
