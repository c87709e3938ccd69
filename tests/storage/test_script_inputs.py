"""What a script is given is kept beside it."""

from pathlib import Path

import pytest

from ptc_studio.storage.saved_inputs import InputsError, inputs_file, read_inputs, write_inputs
from ptc_studio.targets import Given


def test_what_is_written_is_read_again_and_nothing_leaves_no_file(tmp_path: Path):
    script = tmp_path / "order.py"
    assert inputs_file(script).name == "order.inputs.json"
    assert read_inputs(script) == Given()
    given = Given({"limit": 3, "name": {"é": None}}, {"REGION": "eu"})
    write_inputs(script, given)
    assert read_inputs(script) == given
    write_inputs(script, Given())
    assert not inputs_file(script).exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "Invalid JSON"),
        ('{"nope": 1}', "nope"),
        ('{"inputs": {"a b": 1}}', "'a b' is no name of a variable"),
        ('{"environment": {"A": 1}}', "environment.A"),
        ('{"environment": {"PTC_TOKEN": "1"}}', "the studio's own"),
        ('{"environment": {"A=B": "1"}}', "no name of a variable of the environment"),
    ],
)
def test_a_file_that_cannot_be_understood_is_told_in_one_sentence(text: str, words: str, tmp_path: Path):
    inputs_file(tmp_path / "a.py").write_text(text)
    with pytest.raises(InputsError, match=words) as caught:
        read_inputs(tmp_path / "a.py")
    assert "\n" not in str(caught.value)
