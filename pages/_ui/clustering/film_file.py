"""The film of a clustering as one file of HTML."""

from dataclasses import asdict
from typing import Final

from ia_engine.figures.clustering.export import encode_film
from ia_engine.runs.clustering.summary import Film
from pages._ui.assets import script, style
from pages._ui.clustering.film import SCRIPTS
from pages._ui.player_file import Playable, write_page

RUN: Final = "file"
BEGIN: Final = """
for (const packed of PACKED) {
  const bytes = bytesOf(packed);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const { first, shape } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const [count, k, h, w, c] = shape;
  if (!store.runs.has(HEADER.run)) store.runs.set(HEADER.run, new Map());
  store.runs.get(HEADER.run).set(first, { count, k, h, w, c, pixels: bytes.subarray(4 + length) });
}
const show = () => mount({
  data: HEADER,
  parentElement: document.querySelector("main"),
  setStateValue: (name, value) => { [HEADER.chosen] = value; show(); },
});
show();
"""


def write_film(film: Film, title: str) -> bytes:
    """The film of the page, in one page of its own."""
    told = {
        **asdict(film.numbers),
        "key": RUN,
        "run": RUN,
        "running": False,
        "autoplay": True,
        "chosen": 0,
    }
    playable = Playable(style("prototypes/prototypes"), script(*SCRIPTS), BEGIN)
    return write_page(title, playable, encode_film(RUN, film.pictures), told)
