"""The AI SDK's code mode: tools of any name, JSON, limits, and calls that must be awaited."""

import pytest

from tests.targets.javascript.conftest import Deployed, told


@pytest.mark.parametrize(
    ("code", "sees"),
    [
        ("return await tools.add({ a: 1 });", 3),
        ("return await tools['server.get-sum']({});", 1),
        ("const x: number = 1;\nreturn x as unknown;", 1),
        ("return new Date(0);", "1970-01-01T00:00:00.000Z"),
        ("return NaN;", None),
        ("1 + 1", None),
        (
            "try { await tools.fail({}); } catch (e) { return [e instanceof Error, e.name, e.message, e.code]; }",
            [True, "RunError", "Host tool failed.", "CODE_MODE_HOST_TOOL_ERROR"],
        ),
        ("try { await tools.nope({}); } catch (e) { return e.message; }", "Unknown tool: nope"),
        (
            "return [typeof process, typeof fetch, typeof setTimeout, typeof Atomics, Object.keys(console).join()];",
            ["undefined"] * 4 + ["log,info,debug,error"],
        ),
        ("const call = tools.add({ a: 1 });\nawait null;\nreturn await Promise.all([call]);", [3]),
        ("return (await tools.add({ a: 9007199254740993 })) + (await tools.echo({ value: { x: 1 } })).x;", 2**53 + 4),
        ("return await tools.add({ a: 1 }).then((sum) => sum + 1).finally(() => {});", 4),
    ],
)
async def test_the_model_sees_the_result(deployed: Deployed, code: str, sees: object):
    record = await deployed(code, "vercel")
    assert (record["error"], record["model_sees"]) == (None, sees)


@pytest.mark.parametrize(
    ("code", "message", "line"),
    [
        ("\nawait tools.fail({});", "Host tool failed.", 2),
        ("\nawait tools.nope({});", "Unknown tool: nope", None),
        ("await tools.get_price({});", "Invalid input for tool \"get_price\": missing 'sku'", 1),
        ("\n\ntools.add({ a: 1 });\nreturn 1;", "JavaScript runtime created an unawaited hostFunction bridge request: __codeMode.tool0.", 3),
        ("for (let i = 0; i < 300; i++) await tools.add({ a: i });", "JavaScript runtime exceeded the 256 bridge request limit.", None),
        ("await Promise.all(Array.from({ length: 33 }, () => tools.sleep({ seconds: 0.2 })));", "JavaScript runtime exceeded the 32 in-flight bridge request limit.", None),
        ("return 'x'.repeat(1 << 20);", "Code mode result exceeds the 1048576 byte size limit.", None),
        ("\nthrow new RangeError('r');", "r", 2),
    ],
)  # fmt: skip
async def test_of_a_failure_the_model_sees_the_message(deployed: Deployed, code: str, message: str, line: int | None):
    record = await deployed(code, "vercel")
    assert (record["model_sees"], record["status"]) == (message, "error")
    assert line is None or told(record)[1:] == (message, line)


async def test_the_console_is_cut_and_a_time_out_is_told(deployed: Deployed):
    record = await deployed("for (let i = 0; i < 100; i++) console.log('x'.repeat(1000));\nreturn 1;", "vercel")
    assert len(record["stdout"]) <= 64 << 10
    record = await deployed("while (true);", "vercel", seconds=0.5)
    assert record["model_sees"] == "Code mode execution timed out after 30000ms."
