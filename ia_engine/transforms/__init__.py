"""The catalogue of transformations. To add one, create a file in this folder and an entry here."""

from ia_engine.transforms.affine import Affine
from ia_engine.transforms.base import Group, Transform
from ia_engine.transforms.camera import Illumination, Jpeg, Lens, MotionBlur, Shadow
from ia_engine.transforms.color import Color
from ia_engine.transforms.elastic import Elastic
from ia_engine.transforms.mirror import Mirror
from ia_engine.transforms.morphology import DrawnMorphology
from ia_engine.transforms.noise import Erasing, Noise, SaltAndPepper
from ia_engine.transforms.projective import Projective
from ia_engine.transforms.rotation import Rotation
from ia_engine.transforms.se2 import SE2
from ia_engine.transforms.similarity import Similarity
from ia_engine.transforms.tps import ThinPlateSpline
from ia_engine.transforms.translation import Translation

__all__ = ["GROUPS", "TRANSFORMS", "Group", "Transform"]

GROUPS: dict[str, Group] = {
    "translation": Translation(),
    "rotation": Rotation(),
    "se2": SE2(),
    "similarity": Similarity(),
    "affine": Affine(),
    "projective": Projective(),
}

TRANSFORMS: dict[str, Transform] = {
    **GROUPS,
    "mirror": Mirror(),
    "tps": ThinPlateSpline(),
    "elastic": Elastic(),
    "color": Color(),
    "morphology": DrawnMorphology(),
    "noise": Noise(),
    "salt-and-pepper": SaltAndPepper(),
    "erasing": Erasing(),
    "lens": Lens(),
    "motion-blur": MotionBlur(),
    "illumination": Illumination(),
    "shadow": Shadow(),
    "jpeg": Jpeg(),
}
