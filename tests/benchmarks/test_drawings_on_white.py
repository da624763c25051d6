"""Clusters forty rotated drawings on white paper directly from an upload."""

import io
import math
import zipfile

import torch
from PIL import Image

from ia_engine.attention.clusters.detection import merge_clusters
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.bases import load_base
from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS

COUNTS = {"crab": 14, "seven": 13, "snail": 13}
SIZE = 96


def draw_on_white(name, n, generator):
    """Copies of a drawing in dark ink on white paper, rotated by up to ±65°, as 8-bit pictures."""
    angle = (torch.rand(n, 1, generator=generator, device="cpu") * 2 - 1) * math.radians(65)
    base = load_base(name, SIZE, 0.8).expand(n, -1, -1, -1)
    ink = GROUPS["rotation"].act(base, angle).clamp(0, 1)
    return ((1 - ink[:, 0]) * 255).round().to(torch.uint8).numpy()


def zip_of_pictures(seed):
    generator = torch.Generator(device="cpu").manual_seed(seed)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, n in COUNTS.items():
            for i, picture in enumerate(draw_on_white(name, n, generator)):
                png = io.BytesIO()
                Image.fromarray(picture).save(png, "PNG")
                archive.writestr(f"{name}/{i}.png", png.getvalue())
    return packed.getvalue()


def test_forty_uploaded_drawings_on_white_paper_are_clustered_into_their_classes():
    read = read_upload([Upload("drawings.zip", zip_of_pictures(0))], UploadConfig())
    assert not read.refused
    assert len(read.images.images) == 40
    steps = list(iterate(AttentionConfig(steps=3), normalise(read.images.images)))
    found = merge_clusters(steps[-1].d2, steps[-1].v)
    assert score_clusters(read.images.labels, found).ari == 1.0
