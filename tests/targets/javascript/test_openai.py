"""OpenAI's two: programmatic tool calling, and Codex's code mode."""

import re

import pytest

from ptc_studio.core.scripts import Container
from ptc_studio.targets.openai_codex import shortened
from tests.targets.javascript.conftest import Deployed, told

BOTH = pytest.mark.parametrize("target", ["openai", "openai-codex"])


async def test_the_model_sees_what_text_was_given_as_one_string(deployed: Deployed):
    code = "const { price } = await tools.get_price({ sku: 'a' });\ntext('is ' + price);\ntext({ price });"
    record = await deployed(code, "openai")
    assert record["model_sees"] == {"result": 'is 5\n{"price":5}', "status": "completed"}
    assert [call["line"] for call in record["calls"]] == [1]


async def test_an_output_that_is_json_arrives_as_an_object(deployed: Deployed):
    code = (
        "const got = await tools.echo({ value: '{\"a\": [1]}' });\ntext(String(got.a[0]) + (got.a instanceof Array));"
    )
    assert (await deployed(code, "openai"))["model_sees"]["result"] == "1true"


async def test_a_program_that_fails_is_incomplete_and_keeps_its_line(deployed: Deployed):
    record = await deployed("text('on');\n\nawait tools.fail({});", "openai")
    assert told(record) == ("Error", "'sku'", 3)
    assert record["model_sees"] == {"result": "on", "status": "incomplete"}


@BOTH
async def test_there_is_nothing_of_node_console_network_or_files(deployed: Deployed, target: str):
    code = "text([typeof console, typeof process, typeof require, typeof fetch, typeof Buffer, typeof URL].join());"
    record = await deployed(code, target)
    assert ",".join(["undefined"] * 6) in str(record["model_sees"])


@BOTH
async def test_an_import_and_a_return_at_the_top_level_fail_at_their_line(deployed: Deployed, target: str):
    record = await deployed("\nimport fs from 'node:fs';", target)
    assert told(record) == ("TypeError", 'there is nothing to import here: "node:fs"', 2)
    record = await deployed("text(1);\nreturn 1;", target)
    assert (record["error"]["type"], record["error"]["line"]) == ("SyntaxError", 2)


@BOTH
async def test_a_call_that_nobody_awaits_is_dropped_at_the_end(deployed: Deployed, target: str):
    record = await deployed("tools.sleep({ seconds: 20 });\ntools.fail({});\ntext('done');", target, seconds=15)
    assert record["status"] == "ok"
    assert record["calls"][0]["status"] == "cancelled"


@BOTH
async def test_inputs_are_globals(deployed: Deployed, target: str):
    record = await deployed("text(order.number);", target, order={"number": 7})
    assert "7" in str(record["model_sees"])


async def test_openai_has_images_among_the_output_and_no_state_between_programs(deployed: Deployed):
    container = Container()
    record = await deployed("globalThis.kept = 1;\ntext('see');\nimage({ file: 'a' });", "openai", container=container)
    assert record["model_sees"] == {"result": 'see\n{"file":"a"}', "status": "completed"}
    again = await deployed("text(typeof kept);", "openai", container=container)
    assert again["model_sees"]["result"] == "undefined"


async def test_codex_has_audio_and_generated_images_as_items(deployed: Deployed):
    record = await deployed("audio('a');\ngeneratedImage('b');", "openai-codex")
    assert record["model_sees"][1:] == [{"type": "audio", "text": "a"}, {"type": "generated_image", "text": "b"}]


async def test_codex_shows_a_head_with_the_time_and_then_the_items(deployed: Deployed):
    record = await deployed("text(1n);\ntext(null);\ntext([1, { a: 2 }]);\ntext();", "openai-codex")
    head, _, rest = record["model_sees"].partition("Output:\n")
    assert re.fullmatch(r"Script completed\nWall time \d+\.\d seconds\n", head)
    assert rest == '1\nnull\n[1,{"a":2}]\nundefined'


async def test_codex_tells_of_a_failure_with_its_stack(deployed: Deployed):
    record = await deployed("text('on');\nnull.x;", "openai-codex")
    assert record["model_sees"].startswith("Script failed\nWall time")
    assert "Output:\non\nScript error:\nTypeError: Cannot read properties of null (reading 'x')\n    at exec_main.mjs:2:6" in record["model_sees"]  # fmt: skip


async def test_codex_has_a_run_that_was_stopped_be_terminated(deployed: Deployed):
    record = await deployed("text('on');\nwhile (true);", "openai-codex", seconds=0.5)
    assert (record["status"], record["model_sees"].split("\n")[0]) == ("timeout", "Script terminated")
    assert record["model_sees"].endswith("Output:\non")


async def test_a_failed_tool_rejects_with_a_string_in_codex(deployed: Deployed):
    code = "try { await tools.fail(); } catch (e) { text(typeof e + ' ' + e); }\ntry { await tools.add(1); } catch (e) { text(e); }"
    record = await deployed(code, "openai-codex")
    expected = "string 'sku'\ntool `add` expects a JSON object for arguments"
    assert record["model_sees"].partition("Output:\n")[2] == expected


async def test_codex_has_functions_of_its_own(deployed: Deployed):
    code = (
        "text(ALL_TOOLS.find(({ name }) => name === 'add').description);\n"
        "text(ALL_TOOLS.filter(({ name }) => /get_price/.test(name)).length);\n"
        "text([typeof Atomics, typeof SharedArrayBuffer, typeof WebAssembly].join());\n"
        "await new Promise((resolve) => setTimeout(resolve, 1));\nclearTimeout(setTimeout(() => text('never'), 1));\n"
        "notify('aside');\n"
        "try { notify(' '); } catch (e) { text(e); }\ntry { image('x'); } catch (e) { text(e); }\n"
        "try { store('f', () => 1); } catch (e) { text(e); }\n"
        "text(await tools.server_get_sum({}));"
    )
    record = await deployed(code, "openai-codex")
    assert record["stderr"] == "aside\n"
    assert record["model_sees"].partition("Output:\n")[2].split("\n") == [
        "Adds.",
        "1",
        "undefined,undefined,undefined",
        "notify expects non-empty text",
        "image expects an http(s) or data URL",
        'Unable to store "f". Only plain serializable objects can be stored.',
        "1",
    ]


async def test_yield_control_hands_over_what_there_is_and_the_program_goes_on(deployed: Deployed):
    record = await deployed("text('before');\nyield_control();\ntext(await tools.add({ a: 1 }));", "openai-codex")
    first, last = record["model_sees"]
    assert re.fullmatch(r"Script running with cell ID 1\nWall time \d+\.\d seconds\nOutput:\nbefore", first)
    assert re.fullmatch(r"Script completed\nWall time \d+\.\d seconds\nOutput:\n3", last)


async def test_a_program_of_codex_that_takes_longer_than_yield_time_ms_is_told_of_in_between(deployed: Deployed):
    code = (
        '// @exec: {"yield_time_ms": 50}\ntext("early");\nawait new Promise((done) => setTimeout(done, 400));\n'
        'image("https://example.com/a.png");'
    )
    first, last = (await deployed(code, "openai-codex"))["model_sees"]
    assert (first.split("\n")[0], first.split("\n")[-1]) == ("Script running with cell ID 1", "early")
    assert last[0]["text"].startswith("Script completed")
    assert last[1:] == [{"type": "input_image", "image_url": "https://example.com/a.png", "detail": "auto"}]


async def test_an_image_makes_the_reply_a_list_of_items(deployed: Deployed):
    record = await deployed("text('see');\nimage('https://example.com/a.png');", "openai-codex")
    head, text, image = record["model_sees"]
    assert head["text"].startswith("Script completed")
    assert (text, image["image_url"]) == ({"type": "input_text", "text": "see"}, "https://example.com/a.png")


async def test_exit_ends_a_program_of_codex_well(deployed: Deployed):
    record = await deployed("text('a');\nexit();\ntext('never');", "openai-codex")
    assert (record["status"], record["model_sees"].partition("Output:\n")[2]) == ("ok", "a")


async def test_codex_keeps_what_was_stored_for_the_next_program(deployed: Deployed):
    container = Container()
    code = "store('n', { n: (load('n')?.n ?? 0) + 1 });\ntext(load('n').n);\ntext(load('other'));"
    for number in (1, 2):
        record = await deployed(code, "openai-codex", container=container)
        assert record["model_sees"].partition("Output:\n")[2] == f"{number}\nundefined"
    assert (await deployed(code, "openai-codex"))["model_sees"].endswith("1\nundefined")


async def test_the_first_line_may_bound_the_output_of_codex(deployed: Deployed):
    code = '// @exec: {"max_output_tokens": 10}\ntext("x".repeat(100));'
    sees = (await deployed(code, "openai-codex"))["model_sees"].partition("Output:\n")[2]
    assert sees == "x" * 20 + "…15 tokens truncated…" + "x" * 20
    assert len(shortened("x" * 50_000, None)) < 40_100
