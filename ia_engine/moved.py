"""Maps old module paths to new ones, because scripts exported by earlier versions use the old
paths.

This module is imported whenever the package is, so it imports as little as possible itself.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType

MOVED: dict[str, str] = {
    "api.result": "api.base_result",
    "api.results": "api.result_classes",
    "attention.clusters.clusters": "attention.clusters.detection",
    "attention.clusters.merges": "attention.clusters.measures",
    "attention.distances.ink": "attention.distances.templates",
    "attention.distances.newton": "attention.distances.ascent",
    "attention.distances.objectives": "attention.distances.descent",
    "attention.distances.pruning": "attention.distances.refinement",
    "attention.distances.ranking": "attention.distances.nearest",
    "attention.distances.reading": "attention.distances.products",
    "attention.distances.shifts": "attention.distances.search",
    "attention.distances.slopes": "attention.means.solvers",
    "attention.exponents": "attention.beta",
    "attention.manifolds.few": "attention.manifolds.sample",
    "attention.manifolds.sevens": "attention.manifolds.rotation",
    "attention.manifolds.turning": "attention.manifolds.rotation",
    "attention.means.ascent": "attention.means.solvers",
    "attention.means.descent": "attention.means.solvers",
    "attention.means.problem": "attention.means.solvers",
    "attention.suggest": "attention.beta",
    "clock": "devices",
    "clustering.adam": "clustering.learner",
    "clustering.agreement": "metrics",
    "clustering.colors": "clustering.model",
    "clustering.curriculum": "clustering.state",
    "clustering.encoders": "clustering.predictors",
    "clustering.heads": "clustering.predictors",
    "clustering.initial": "clustering.learner",
    "clustering.knobs": "clustering.reading",
    "clustering.losses": "clustering.model",
    "clustering.searched": "clustering.ti",
    "clustering.sequence": "clustering.modules",
    "clustering.tables": "clustering.recipes",
    "clustering.usage": "clustering.state",
    "datasets.blobs": "datasets.experiments",
    "datasets.copies": "datasets.distortions",
    "datasets.digests": "datasets.data",
    "datasets.distortion": "datasets.distortions",
    "datasets.fetching": "datasets.published",
    "datasets.flaws": "datasets.data",
    "datasets.imageset": "datasets.data",
    "datasets.matlab": "datasets.formats",
    "datasets.packing": "datasets.data",
    "datasets.posing": "datasets.distortions",
    "datasets.sources": "datasets.generated",
    "datasets.summary": "datasets.data",
    "datasets.thinning": "datasets.data",
    "datasets.uploads.background": "datasets.uploads.canvas",
    "datasets.uploads.basket": "datasets.uploads.reading",
    "datasets.uploads.collector": "datasets.uploads.reading",
    "datasets.uploads.config": "datasets.uploads.canvas",
    "datasets.uploads.headers": "datasets.uploads.pictures",
    "datasets.uploads.kinds": "datasets.uploads.limits",
    "datasets.uploads.labels": "datasets.uploads.limits",
    "datasets.uploads.stack": "datasets.uploads.limits",
    "datasets.uploads.tensors": "datasets.uploads.arrays",
    "datasets.written": "datasets.handwriting",
    "distributed.norms": "distributed.ranks",
    "distributed.pieces": "distributed.ranks",
    "equivariant.all_cnn": "equivariant.architectures",
    "equivariant.augment": "equivariant.recipes",
    "equivariant.builder": "equivariant.architectures",
    "equivariant.convolution": "equivariant.layers",
    "equivariant.densenet": "equivariant.architectures",
    "equivariant.equivariance": "equivariant.measures",
    "equivariant.ink": "equivariant.maps",
    "equivariant.input_attention": "equivariant.attention",
    "equivariant.pictures": "equivariant.maps",
    "equivariant.regimes": "equivariant.measures",
    "equivariant.resnet": "equivariant.architectures",
    "equivariant.response_attention": "equivariant.attention",
    "equivariant.rotated_cnn": "equivariant.architectures",
    "equivariant.settling": "equivariant.networks",
    "equivariant.tissue": "equivariant.pcam",
    "equivariant.untrained": "equivariant.networks",
    "figures.chart": "figures.formats",
    "figures.clustering.packing": "figures.clustering.export",
    "figures.embedding": "figures.plots",
    "figures.equivariance.answers": "figures.equivariance.curves",
    "figures.equivariance.colours": "figures.equivariance.turning",
    "figures.equivariance.packing": "figures.equivariance.turning",
    "figures.equivariance.race": "figures.equivariance.curves",
    "figures.equivariance.regimes": "figures.equivariance.strides",
    "figures.export_clusters": "figures.export",
    "figures.gallery": "figures.mosaic",
    "figures.history": "attention.clusters.measures",
    "figures.looks": "figures.style",
    "figures.mean_export": "figures.mean_figures",
    "figures.noise": "figures.mean_figures",
    "figures.pair": "figures.landscape",
    "figures.papers.plots": "figures.papers.drawing",
    "figures.points": "figures.style",
    "figures.tiles": "figures.mosaic",
    "figures.tree": "figures.plots",
    "figures.uniqueness": "figures.mean_figures",
    "figures.weights": "figures.matrices",
    "runs.budget": "runs.job",
    "runs.cluster_means": "runs.attend_measures",
    "runs.clustering.change": "runs.clustering.run",
    "runs.clustering.closer": "runs.clustering.result",
    "runs.clustering.compare": "runs.clustering.run",
    "runs.clustering.drive": "runs.clustering.run",
    "runs.clustering.look": "runs.clustering.run",
    "runs.clustering.plan": "runs.clustering.run",
    "runs.clustering.samples": "runs.clustering.result",
    "runs.clustering.summary": "runs.kinds.clusterings",
    "runs.comparison.attention": "runs.comparison.methods",
    "runs.comparison.plain": "runs.comparison.methods",
    "runs.comparison.plan": "runs.comparison.config",
    "runs.comparison.prototypes": "runs.comparison.methods",
    "runs.comparison.result": "runs.comparison.compare",
    "runs.comparison.rows": "runs.comparison.compare",
    "runs.comparison.task": "runs.comparison.methods",
    "runs.forks": "runs.kinds.iterations",
    "runs.kinds.data": "runs.kinds.kind",
    "runs.kinds.reading": "runs.kinds.kind",
    "runs.kinds.unsaved": "runs.catalogue",
    "runs.locks": "files",
    "runs.papers.kept": "runs.papers.shipped",
    "runs.plan": "runs.attend",
    "runs.pose_errors": "runs.attend_measures",
    "runs.record": "runs.folder",
    "runs.shown": "runs.attend",
    "runs.store": "runs.example",
    "runs.threads": "runs.job",
    "runs.tables.shown": "runs.papers.seeds",
    "shapes": "images",
    "shell.arrays": "datasets.array_files",
    "transforms.displacement": "transforms.base",
    "transforms.planar": "transforms.base",
}
"""Maps each old path to the new path, both relative to `ia_engine`."""


class MovedModules:
    """Finds modules under their old paths.

    It is the last finder, so imports of existing modules never reach it.
    """

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """Return the spec of a module that has moved; None for other modules."""
        moved = fullname.removeprefix("ia_engine.") in MOVED
        return ModuleSpec(fullname, MovedModule(fullname, "")) if moved else None


class MovedModule(SourceFileLoader):
    """Imports a module from its new path when its old path is requested."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module in `sys.modules`, which the import system reads afterwards."""
        old = module.__name__
        sys.modules[old] = import_module(f"ia_engine.{MOVED[old.removeprefix('ia_engine.')]}")


sys.meta_path.append(MovedModules())
