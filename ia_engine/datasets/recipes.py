"""The catalogue of data sets by name, and their recipes: the same recipe gives the same data."""

import json
from contextlib import suppress
from dataclasses import replace

from ia_engine.datasets.data import (
    RANDOM_NUMBERS,
    Dataset,
    ImageSet,
    PointSet,
    Recipe,
    is_of_first_pixels,
)
from ia_engine.datasets.experiments import (
    EXPERIMENT_1,
    BlobsConfig,
    Experiment2Config,
    make_blobs,
    make_experiment_1,
    make_experiment_2,
)
from ia_engine.datasets.generated import GeneratedConfig, generate
from ia_engine.datasets.handwriting import (
    DigitsConfig,
    WrittenConfig,
    load_plain,
    make_affine,
    make_colored,
    make_turned,
)
from ia_engine.datasets.named import ANY, choose_split, is_here
from ia_engine.datasets.noise import NoiseConfig, make_noise
from ia_engine.datasets.published import MNIST
from ia_engine.datasets.shapes import ArrowsConfig, EllipsesConfig, make_arrows, make_ellipses
from ia_engine.datasets.subset import NamedConfig, load_named
from ia_engine.errors import EngineError
from ia_engine.params import Config, read_json

DATASETS: dict[str, Dataset] = {
    "experiment-1": Dataset(
        EXPERIMENT_1, make_experiment_1, "three drawings × 6, rotated by ±65° and shifted by ±10 px"
    ),
    "experiment-2": Dataset(
        Experiment2Config(), make_experiment_2, "ten handwritten 3s, rotated by 0-90° and shifted"
    ),
    "blobs": Dataset(
        BlobsConfig(), make_blobs, "Gaussian blobs of points in the plane", RANDOM_NUMBERS
    ),
    "noise": Dataset(NoiseConfig(), make_noise, "a drawing and 39 images of pure noise"),
    "arrows": Dataset(ArrowsConfig(), make_arrows, "arrows that point left or right"),
    "ellipses": Dataset(
        EllipsesConfig(), make_ellipses, "circles, ellipses and long ellipses at any angle"
    ),
    "generated": Dataset(
        GeneratedConfig(), generate, "copies of drawings, icons, digits and garments of your choice"
    ),
    "digits": Dataset(DigitsConfig(), load_plain, "scikit-learn's 1,797 digits; needs no files"),
    "fashion": Dataset(NamedConfig("fashion"), load_named, "Fashion-MNIST, or its bundled sample"),
    "mnist": Dataset(NamedConfig("mnist"), load_named, "MNIST, 28×28 handwritten digits"),
    "mnist-1k": Dataset(
        NamedConfig("mnist", count=1000), load_named, "1,000 images of MNIST, drawn at random"
    ),
    "mnist-color": Dataset(
        WrittenConfig(), make_colored, "digits with random foreground and background colours"
    ),
    "affnist": Dataset(
        WrittenConfig(), make_affine, "digits rotated, sheared, scaled and shifted on 40×40"
    ),
    "rot-mnist": Dataset(WrittenConfig(), make_turned, "digits rotated by any angle"),
    "cifar-10": Dataset(NamedConfig("cifar-10"), load_named, "CIFAR-10, 32×32 colour photographs"),
    "usps": Dataset(NamedConfig("usps"), load_named, "USPS, 16×16 digits from envelopes"),
    "svhn": Dataset(NamedConfig("svhn"), load_named, "SVHN, 32×32 house numbers"),
    "affnist-original": Dataset(
        NamedConfig("affnist-original", count=10_000), load_named, "affNIST's own test images"
    ),
}

RECIPES: dict[str, Recipe] = {name: Recipe(name, entry.default) for name, entry in DATASETS.items()}


def make(recipe: Recipe) -> ImageSet | PointSet:
    """Generate the data of a recipe. If a file is missing, raises an EngineError that names it."""
    entry = _entry(recipe.source)
    # Pass the config through JSON, because after a reload its class is no longer that of the
    # module.
    made = entry.make(entry.config.from_json(recipe.config.to_json()))
    whole = Recipe(recipe.source, made.recipe.config)
    return replace(made, recipe=whole, made=_identify(whole))


def is_of(data: ImageSet | PointSet, digest: str, recipe: str) -> bool:
    """Return True if a run with this digest and recipe [JSON] used these data.

    The digests of the same data may differ if the run was saved before 2026-11-19, with a digest of
    pixels, or if the config has gained a setting since the run was saved. In these cases, the
    recipes are compared.
    """
    if digest == data.digest:
        return True
    part = _part_of_mnist(data.recipe.config)
    with suppress(EngineError):  # not a recipe in the catalogue
        if data.made and _identify(load_recipe(recipe)) == data.made:
            kept_then = replace(data, made=f"{recipe}{part}").digest
            if digest == kept_then or (is_of_first_pixels(digest) and not part):
                return True
    return digest == data.pixel_digest


def is_whole(data: ImageSet | PointSet) -> bool:
    """Return True if the recipe of a data set generates exactly this data set.

    >>> is_whole(make(RECIPES["experiment-1"])), is_whole(make(RECIPES["experiment-1"]).first(2))
    (True, False)
    """
    return bool(data.made) and data.made == _identify(data.recipe)


def load_recipe(text: str) -> Recipe:
    """Read the JSON that `Recipe.to_json` writes. Missing settings get the defaults in the
    catalogue."""
    if not text.lstrip().startswith("{"):
        raise EngineError(
            f"data must be the name of a data set, such as experiment-1, or a recipe in JSON; got "
            f"{text[:80]!r}"
        )
    value = read_json(text)
    if not isinstance(value, dict) or not value.keys() <= {"source", "config"}:
        raise EngineError(
            f'a recipe must have only the keys "source" and "config"; got {text[:80]}'
        )
    entry = _entry(value.get("source"))
    config = value.get("config", {})
    if not isinstance(config, dict):
        raise EngineError(f"the config of a recipe must be a JSON object; got {config!r}")
    defaults = json.loads(entry.default.to_json())
    return Recipe(value["source"], entry.config.from_values({**defaults, **config}))


def _identify(recipe: Recipe) -> str:
    """Return everything that determines the pixels of a recipe: its JSON text, and which files it
    reads."""
    return f"{recipe.to_json()}{_part_of_mnist(recipe.config)}"


def _part_of_mnist(config: Config) -> str:
    """Return which part of MNIST is read, if the config uses MNIST without naming a part; otherwise
    ""."""
    read = (getattr(config, "source", ""), *getattr(config, "bases", ()))
    if not is_here(MNIST) or "mnist" not in (str(name).split(":")[0] for name in read):
        return ""
    return f" from {choose_split(MNIST, ANY)}"


def _entry(name: object) -> Dataset:
    if not isinstance(name, str) or name not in DATASETS:
        raise EngineError(f"a data set must be one of {', '.join(DATASETS)}; got {name!r}")
    return DATASETS[name]
