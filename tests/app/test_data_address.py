import json

import pytest

from tests.app.data_page import address, calm, chosen, go, text

UNUSABLE = [
    "nonsense",
    "{",
    "[]",
    "{}",
    '{"source": "generated", "config": {"bases": ["no such thing"]}}',
    '{"source": "generated", "config": {"copies": 1e9}}',
    '{"source": "generated", "config": 3}',
    '{"source": ["upload"]}',
    '{"source": "upload"}',
    '{"source": "upload", "config": {"digest": "0123"}}',
    '{"source": "upload", "config": []}',
    "[" * 5000,
    '{"source": "blobs", "config": {"seed": 1' + "0" * 400 + "}}",
    '{"source": "blobs", "config": {"seed": ' + "9" * 5000 + "}}",
    '{"source": "blobs", "config": {"spread": -1' + "0" * 400 + "}}",
    '{"source": "generated", "config": {"bases": ["crab"], "copies": 500, "size": 256}}',
    "<script>alert(1)</script>",
    "![x](http://x)",
]


@pytest.mark.parametrize("data", UNUSABLE)
@pytest.mark.parametrize("way", ["Ready-made", "Generate", "Upload"])
def test_one_message_explains_data_in_the_address_that_cannot_be_used(page, data, way):
    app = go(page(data=data), way)
    assert len(app.error) == 1
    assert "images shown" in text(app), "the previous data are still shown"
    assert address(app) == data, "the address is unchanged"


def test_the_generate_tab_replaces_data_that_it_cannot_generate(page):
    app = go(page(data="digits"), "Generate")
    assert address(app) == "generated"
    assert len(chosen(app).images) == 18


def test_the_error_about_an_illegal_address_disappears_when_a_control_is_changed(page):
    app = go(page(data="nonsense"), "Generate")
    app.number_input[0].set_value(3)
    calm(app)
    assert not app.error
    assert len(chosen(app).images) == 9


def test_a_generated_set_in_the_address_is_recreated_and_its_recipe_fills_the_controls(page):
    recipe = json.dumps(
        {"source": "generated", "config": {"bases": ["key", "fish"], "copies": 3, "seed": 4}}
    )
    app = page(data=recipe)
    assert app.button_group(key="way").value == "Generate"
    assert app.multiselect[0].value == ["key", "fish"]
    assert len(chosen(app).images) == 6
    assert "key, fish × 3, generated" in text(app)
