"""`attend`: iterated invariant attention and kernel attention."""

from dataclasses import asdict, replace

from ia_engine.api.arguments import (
    Device,
    check_visible,
    read_device,
    read_integer,
    read_k,
    read_number,
    refuse_given,
)
from ia_engine.api.base_result import to_floats, to_whole
from ia_engine.api.inputs import Source, read_images
from ia_engine.api.progress import Progress, follow
from ia_engine.api.result_classes import AttentionResult
from ia_engine.api.statements import state_attention
from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, Step, iterate, normalise
from ia_engine.images import Images, Labels
from ia_engine.predict import AttentionModel
from ia_engine.runs.kinds.attention import measure_in_clusters


def attend(
    images: Source,
    group: str | None = None,
    beta: float | None = None,
    steps: int | None = None,
    *,
    method: str | None = None,
    k: int | None = None,
    sigma: float | None = None,
    config: AttentionConfig | None = None,
    device: Device = "cpu",
    progress: Progress | None = None,
) -> AttentionResult:
    """Replace each image by the weighted mean of all images, `steps` times.

    The weights are W_ij ∝ exp(-β d²), where d² is the distance up to the transformations of
    `group` (default "se2"); a larger `beta` (default 15, or 2 for kernel attention) is more
    selective. `method` is "ia", invariant attention, or "ka", kernel attention, which compares
    pixels and has no group. There are 4 `steps` by default. Images whose means agree form a
    cluster; with `k`, there are k clusters. `sigma` is the smoothing before images are compared
    [px]. Instead of these settings except k, `config` can be given, which has further ones. If
    `progress` requests a stop, the result is that of the finished steps.

    >>> from ia_engine import attend
    >>> result = attend("experiment-1", group="se2", beta=15, steps=2)
    >>> result.weights.shape, result.means.shape
    ((18, 18), (18, 1, 64, 64))
    >>> result.labels.max() + 1
    np.int64(3)
    """
    device = read_device(device)
    given = {"group": group, "beta": beta, "steps": steps, "method": method, "sigma": sigma}
    if config is not None:
        refuse_given(given, "a config replaces them: set them in the config")
    else:
        config = _make_config(group, beta, steps, method, sigma)
    data = read_images(images)
    n = len(data.images)
    k = read_k(k, n)
    check_visible(data)
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
            "device": str(device),
        },
        state_attention(config, len(finished), k, n),
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


def _make_config(
    group: str | None,
    beta: float | None,
    steps: int | None,
    method: str | None,
    sigma: float | None,
) -> AttentionConfig:
    """Return the config with the given settings, or their defaults."""
    config = AttentionConfig(method or AttentionConfig.method)
    if config.method == "ka":
        refuse_given({"group": group}, "kernel attention compares pixels: leave it out")
    default = KERNEL_BETA if config.method == "ka" else config.beta
    return replace(
        config,
        group=config.group if group is None else group,
        beta=default if beta is None else read_number("beta", beta),
        sigma=config.sigma if sigma is None else read_number("sigma", sigma),
        steps=config.steps if steps is None else read_integer("steps", steps),
    )


def make_model(
    config: AttentionConfig, images: Images, assignments: Labels, first: Step
) -> AttentionModel:
    """Return the model that assigns new images; `first` is the step of the images themselves."""
    return AttentionModel(config, images, assignments, first.d2, float(first.beta.median()))


def _describe(measured: Measured) -> str:
    clusters = measured.clusters
    return f"step {measured.step.k}, {clusters} cluster{'' if clusters == 1 else 's'}"
