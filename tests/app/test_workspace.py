"""What a workspace file says, and what comes of it: names, aliases, grants, limits, permissions, redaction."""

from dataclasses import replace

import pytest

from ptc_studio.storage.workspace import WorkspaceError

from .conftest import SOURCES, Bench

# Names


async def test_a_source_that_has_a_name_is_a_namespace_too(bench: Bench):
    bench.write("tools/prices.py", "def discount(qty: int) -> int:\n    return qty * 2\n")
    await bench.open(SOURCES)
    for name in ("discount", "prices.discount", "shop.discount", "shop.prices.discount"):
        assert (await bench.call(name, qty=2))["result"] == 4
    record = await bench.run("shop.discount(1) + shop.prices.discount(2)")
    assert record["value"] == 6


# Aliases


async def test_an_alias_fixes_presets_and_fills_in_defaults(bench: Bench):
    await bench.open(
        SOURCES + "aliases: [{name: cheap, tool: shop.price, preset: {qty: 3}, defaults: {currency: EUR}}]"
    )
    record = await bench.call("cheap", item="mug")
    assert (record["tool"], record["alias"], record["result"]) == ("price", "cheap", "mug 3 EUR")
    assert (await bench.call("cheap", item="mug", currency="CHF"))["result"] == "mug 3 CHF"
    refused = await bench.call("cheap", item="mug", qty=1)
    assert (refused["status"], refused["error"]["type"]) == ("invalid", "TypeError")


async def test_an_alias_that_is_switched_off_is_not_there(bench: Bench):
    await bench.open(SOURCES + "aliases: [{name: cheap, tool: price, enabled: false}]")
    assert (await bench.call("cheap", item="mug"))["status"] == "not_found"
    assert bench.told() == []


async def test_an_alias_has_a_timeout_a_permission_and_a_redaction_of_its_own(bench: Bench):
    await bench.open(
        SOURCES
        + """aliases:
  - {name: brief, tool: spin, timeout: 0.1}
  - {name: closed, tool: price, permission: deny}
  - {name: discreet, tool: account, redact: [owner]}
"""
    )
    assert (await bench.call("brief"))["status"] == "timeout"
    assert (await bench.call("closed", item="mug"))["status"] == "denied"
    assert (await bench.call("discreet"))["result"]["owner"] == "[REDACTED:owner]"
    assert (await bench.call("account"))["result"]["owner"] == "Ada"


async def test_each_alias_that_cannot_be_is_told_with_its_line_and_the_others_work(bench: Bench):
    await bench.open(
        SOURCES
        + """aliases:
  - {name: early, tool: fine}
  - {name: fine, tool: price}
  - {name: late, tool: fine}
  - {name: a, tool: b}
  - {name: b, tool: a}
  - {name: account, tool: price}
  - {name: account2, tool: account}
  - {name: nowhere, tool: prise}
  - {name: fine, tool: account}
  - {name: wrong, tool: price, preset: {colour: red}}
"""
    )
    expected = {
        3: "The alias 'early' leads to the alias 'fine'; name the tool itself: 'price'.",
        5: "The alias 'late' leads to the alias 'fine'; name the tool itself: 'price'.",
        6: "The aliases a -> b -> a lead round in a circle; name a tool.",
        7: "The aliases b -> a -> b lead round in a circle; name a tool.",
        8: "The alias 'account' would shadow the tool of that name",
        10: "The alias 'nowhere' leads nowhere.",
        11: "There are two aliases named 'fine'; rename one.",
        12: "The alias 'wrong' sets 'colour', but 'price' takes item, qty, currency.",
    }
    assert [(file, line) for file, line, _ in bench.told()] == [("studio.yaml", line) for line in expected]
    for (_, _, message), begin in zip(bench.told(), expected.values(), strict=True):
        assert message.startswith(begin)
    assert (await bench.call("fine", item="mug"))["result"] == "mug 1 USD"
    assert (await bench.call("account2"))["status"] == "ok"
    assert {error.source for error in bench.studio.errors} == {"aliases"}


# Grants, limits, permissions, timeouts


async def test_grant_sets_of_the_file_are_granted_by_name(bench: Bench):
    studio = await bench.open(SOURCES + "grants: {readonly: [price, 'acc*'], none: []}")
    code = "[name for name in ('price', 'account', 'spin') if name in globals()]"
    assert (await bench.run(code, grant=studio.grant(["readonly"])))["value"] == ["price", "account"]
    assert (await bench.run(code, grant=studio.grant(["readonly", "spin"])))["value"] == ["price", "account", "spin"]
    assert (await bench.run(code, grant=studio.grant(["none"])))["value"] == []
    assert len((await bench.run(code, grant=studio.grant([])))["value"]) == 3


async def test_limits_of_the_file_hold_unless_a_session_says_otherwise(bench: Bench):
    studio = await bench.open(SOURCES + "limits: {timeout: 30, max_depth: 2, call_timeout: 0.1, output_bytes: 10}")
    assert (studio.session().run.limits.timeout, studio.session().run.limits.max_depth) == (30, 2)
    assert studio.session(timeout=5, max_depth=3).run.limits.timeout == 5
    assert (await bench.call("spin"))["status"] == "timeout"
    # The other calls may take their time, as they do on a busy machine.
    studio.limits = replace(studio.limits, call_timeout=60)
    assert (await bench.run("down(1)"))["value"] == 1
    assert (await bench.run("down(2)"))["error"]["type"] == "RecursionError"
    assert (await bench.run("down(2)", max_depth=3))["value"] == 2
    assert (await bench.run("print('x' * 20, end='')"))["stdout"].startswith("x" * 10 + "\n[cut here: 10 more")


async def test_permissions_hold_for_a_source_and_for_its_tools(bench: Bench):
    await bench.open(
        """
        sources:
          - kind: functions
            path: tools
            permission: deny
            permissions: {price: allow, "shop.acc*": ask}
        """
    )
    assert (await bench.call("price", item="mug"))["status"] == "ok"
    assert "no terminal to ask on" in (await bench.call("account"))["error"]["message"]
    denied = await bench.call("variable", name="HOME")
    assert (denied["status"], denied["error"]["type"]) == ("denied", "PermissionError")


async def test_a_source_may_have_a_timeout(bench: Bench):
    await bench.open("sources: [{kind: functions, path: tools, timeout: 0.1}]")
    assert (await bench.call("spin"))["status"] == "timeout"


# Redaction


async def test_keys_and_patterns_of_the_file_are_redacted_in_records_only(bench: Bench):
    await bench.open(SOURCES + "redaction: {keys: [iban], patterns: [{name: ticket, pattern: 'TCK-[0-9]{6}'}]}")
    record = await bench.run("found = account()\nprint(len(found['iban']), found['ticket'])\n")
    (call,) = record["calls"]
    assert call["result"] == {"iban": "[REDACTED:iban]", "ticket": "[REDACTED:ticket]", "owner": "Ada"}
    assert sorted(redaction["rule"] for redaction in call["redactions"]) == ["iban", "ticket"]
    assert record["stdout"] == "22 [REDACTED:ticket]\n"


async def test_exceptions_from_redaction_count_in_a_trusted_folder_alone(bench: Bench):
    studio = await bench.open(SOURCES + "redaction:\n  exceptions: [{key: card_token}, {rule: github_token}]\n")
    token = "ghp_" + "Zx9Yw8Vu7T" * 4
    value = {"card_token": "visa-4242-x9", "note": token}

    def shown() -> object:
        return studio.executor.redactor.value(value, "result").value

    assert shown() == value
    studio.set_trusted(False)
    assert shown() == {"card_token": "[REDACTED:card_token]", "note": "[REDACTED:github_token]"}
    studio.set_trusted(True)
    assert shown() == value


@pytest.mark.parametrize("entry", ["{}", "{key: a, rule: b}", "{value: plain}"])
async def test_an_exception_that_is_none_is_an_error_that_names_the_line(bench: Bench, entry: str):
    with pytest.raises(WorkspaceError, match=r"studio\.yaml:3: redaction\.exceptions\.0"):
        await bench.open(f"version: 1\nredaction:\n  exceptions: [{entry}]\n")


async def test_the_script_gets_the_redacted_copy_if_the_file_says_so(bench: Bench):
    await bench.open(SOURCES + "redaction: {keys: [iban], to_script: true}")
    assert (await bench.run("len(account()['iban'])"))["value"] == len("[REDACTED:iban]")


async def test_a_bad_pattern_is_an_error_that_names_the_file_and_the_line(bench: Bench):
    with pytest.raises(WorkspaceError, match=r"studio\.yaml:2: redaction\.patterns\.0\.pattern: Pattern 'x' cannot"):
        await bench.open("redaction:\n  patterns: [{name: x, pattern: '('}]\n")


@pytest.mark.parametrize("name", ["MY_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "PGPASSWORD", "CLIENT_SECRET"])
async def test_secrets_of_the_environment_are_redacted(bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(name, "zebra-crossing-77")
    await bench.open(SOURCES)
    record = await bench.run(f"text = variable({name!r})\nprint('it is', text)\nraise ValueError(text)")
    assert record["stdout"] == f"it is [REDACTED:secret:{name}]\n"
    assert record["calls"][0]["result"] == f"[REDACTED:secret:{name}]"
    assert record["error"]["message"] == f"[REDACTED:secret:{name}]"
    assert "zebra-crossing" not in str(record)


async def test_harmless_variables_are_not_redacted(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOKENIZER", "zebra-crossing-77")
    await bench.open(SOURCES)
    assert (await bench.call("variable", name="TOKENIZER"))["result"] == "zebra-crossing-77"
