"""The built-in kinds of keys and tokens, a line a kind; those that are told by what stands before them come last.

The least lengths are shorter than the real ones: a token that was cut is shown as little as a whole one.

What a text names (`password=...`, cookies, the password in an address) is one only if it looks like one: code, forms
and documentation are full of the names.
"""

import re
from collections.abc import Callable

from ptc_studio.core.redaction.keys import ending
from ptc_studio.core.redaction.shape import (
    CREDENTIAL,
    HEADER_NAME,
    LOOSE_EDGE,
    PAIR,
    SecretShape,
    SubstringFilter,
    any_trigger,
    basic,
    behind,
    credential,
    header,
    led,
    mixed,
    plain,
    random_body,
    random_loose,
    rich,
    turns,
    unnamed,
    utf8,
)

_DUMMIES = frozenset({
    "password", "passwd", "passphrase", "passcode", "pass", "pw", "pwd", "secret", "secrets", "token", "tokens",
    "apikey", "api_key", "key", "keys", "user", "username", "string", "str", "text", "bytes", "number", "integer",
    "boolean", "bool", "object", "array", "any", "none", "null", "nil", "true", "false", "undefined", "required",
    "optional", "hidden", "input", "field", "value", "example", "sample", "dummy", "test", "testing", "changeme",
    "placeholder", "invalid", "incorrect", "expired", "missing", "unknown", "default", "disabled", "enabled",
    "unset", "empty", "redacted", "masked", "removed", "here",
})  # fmt: skip
_PLACEHOLDER = re.compile(
    r"(?i)[<{$%*\[].*|your.*|my.?(?:pass|secret|token|key).*|x{3,}.*|\.{3}.*|\*+|•+|(.)\1+|.*redacted.*"
)
_JOINED = re.compile(r"\+[A-Za-z_][\w.]*[),;\]]*")
_CODE = re.compile(r"[A-Za-z_]+|[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)+|[0-9]{1,5}|0x[0-9a-f]{1,8}")
"""A name, a member of something, a small number."""


def _is_dummy(value: str) -> bool:
    if value.startswith(("/", "~", "./")):
        # A path: `PWD=/home/ada`.
        return True
    lowered = value.lower().strip("_.-:!?")
    stem = lowered.rstrip("0123456789")
    # A name that ends with the word, as in `challengePassword`; or code behind the end of a text: `"PWD="+name`.
    named = value.isalpha() and lowered.endswith(("password", "passwd", "passphrase", "token", "secret", "key"))
    return not lowered or named or stem in _DUMMIES or bool(_PLACEHOLDER.fullmatch(value) or _JOINED.fullmatch(value))


def _password(match: re.Match[str]) -> bool:
    """Whether a word behind `password=` is one."""
    text, value = match.string, match["value"]
    if _is_dummy(value) or text[match.end() : match.end() + 1] in ("(", "[", "{"):
        return False
    if len(value) < 6:
        return False
    signs = {each for each in value if not each.isalnum() and each not in "_.-:/"}
    if len(signs) > 1 or (signs and (any(map(str.isdigit, value)) or turns(value))):
        return True
    if _in_form(match):
        return True
    if match["quote"]:
        return any(map(str.isdigit, value)) or turns(value) > 0
    return any(map(str.isdigit, value)) and not _CODE.fullmatch(value)


def _in_form(match: re.Match[str]) -> bool:
    """Whether it stands among the fields of a form or an address, or is given to a command or the environment."""
    text, name = match.string, match["name"]
    start = match.start()
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
        if match.start() - start > 40:
            return False
    before = text[max(0, start - 1) : start]
    if before in ("?", "&") or text[match.end() : match.end() + 1] == "&":
        return True
    whole = text[start : match.start()] + name
    if match["between"] != "=":
        return False
    return whole.startswith("--") or (whole.isupper() and before in ("", "\n", " ", ";", '"', "'", "`"))


def _secret(match: re.Match[str]) -> bool:
    """Whether a word behind `token=`, `api_key:` and the like is one."""
    text, value = match.string, match["value"]
    if _is_dummy(value) or _CODE.fullmatch(value) or text[match.end() : match.end() + 1] in ("(", "[", "{"):
        return False
    if not credential(value) or not any(map(str.isdigit, value)):
        return False
    start = match.start()
    while start and match.start() - start < 40 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    return ending(text[start : match.start()] + match["name"]) is not None


def _cookies(match: re.Match[str]) -> bool:
    """Whether one of the cookies is more than a word."""
    return any(credential(pair.partition("=")[2] or pair) for pair in match["value"].split(";"))


def _in_address(match: re.Match[str]) -> bool:
    value = match["value"]
    return len(value) >= 3 and not _is_dummy(value) and not (len(value) <= 5 and value.isdigit())


def _named(name: str, words: tuple[str, ...], check: Callable[[re.Match[str]], bool], least: int) -> SecretShape:
    either = "|".join(re.escape(word) for word in words)
    behind = r"""["'\\\]]{0,4}"""
    pattern = (
        rf"(?P<name>(?i:{either}))"
        rf"(?:{behind}(?P<between>[ \t]{{0,4}}(?:=>|:=|[:=])[ \t]{{0,4}})|(?<=--(?i:password))[ ])"
        rf"""(?P<quote>\\{{0,3}}["'`])?(?P<value>(?(quote)[^\s"'`\\]|[^\s"'`\\,;&<>()\[\]{{}}]){{{least},500}})"""
    )
    any_word = f"(?i:{either})"
    return SecretShape(
        name,
        words,
        pattern,
        group="value",
        check=check,
        folded=True,
        gate=rf"""{any_word}(?:["'\\\]]{{0,4}}[ \t]{{0,4}}[:=]| )""",
        json_gate=rf"""{any_word}(?:(?:\\+["']|'|\]){{0,4}}[ \t]{{0,4}}[:=]| )""",
        encoded=False,
    )


_PAIR = r"""[A-Za-z0-9_.!#$%&*+^`|~-]{1,100}=[^\s;,"'\\]{0,4000}"""
_ADDRESS = r"""://[^\s/:@"'<>?#\\|]{0,200}:(?P<value>[^\s/@"'<>?#\\|]{1,300})@(?=[A-Za-z0-9\[_.%-])"""

NAMED_VALUES: tuple[SecretShape, ...] = (
    SecretShape(
        "sentry_dsn",
        ("://",),
        r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@",
        1,
        gate=r"://[0-9a-f]{32}[:@]",
        encoded=False,
    ),
    SecretShape(
        "url_password",
        ("://",),
        _ADDRESS,
        "value",
        check=_in_address,
        gate=r"""://[^\s/:@"'<>]*:[^\s/@"'<>]+@""",
        encoded=False,
    ),
    SecretShape(
        "azure_account_key",
        ("accountkey=", "sharedaccesskey=", "sharedsecretissuer="),
        r"(?i:accountkey|sharedaccesskey|sharedsecretissuer)=([A-Za-z0-9+/]{30,}={0,2})",
        1,
        folded=True,
        encoded=False,
    ),
    SecretShape(
        "sas_signature",
        ("sig=",),
        r"(?<=[?&;])sig=((?:[A-Za-z0-9+/_-]|%[0-9A-Fa-f]{2}){30,}={0,2})",
        1,
        gate=r"[?&;]sig=",
        encoded=False,
    ),
    SecretShape(
        "cookie",
        ("cookie",),
        (
            r"""(?<=(?i:set)-)(?i:cookie2?)[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'(]{0,3}"""
            r"""[A-Za-z0-9_.!#$%&*+^`|~-]{1,100}=(?P<value>[^\s;,"'\\]{6,4000})"""
        ),
        "value",
        check=_cookies,
        folded=True,
        gate=r"(?i:set-cookie)",
        encoded=False,
    ),
    SecretShape(
        "cookie",
        ("cookie",),
        (
            rf"""{LOOSE_EDGE}(?<!(?i:set)-)(?i:cookie)"""
            r"""[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'(]{0,3}"""
            rf"""(?P<value>{_PAIR}(?:;[ \t]?{_PAIR}){{0,60}})"""
        ),
        "value",
        check=_cookies,
        folded=True,
        gate=r"""(?i:cookie)[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])""",
        json_gate=r"""(?i:cookie)(?:\\+["']|'|\]){0,4}[ \t]{0,4}(?:=>|[:=,])""",
        encoded=False,
    ),
    _named("password", ("password", "passwd", "passphrase", "pwd"), _password, 6),
    _named(
        "secret_value",
        ("token", "secret", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "fastly-key"),
        _secret,
        10,
    ),
)


_TELEGRAM = rf"(?:{LOOSE_EDGE}|(?<=bot))\d{{8,10}}:([A-Za-z0-9_-]{{28,35}})(?![A-Za-z0-9_-])"

_USER_ID = re.compile(r"(?:\A|[^A-Za-z0-9-])[MNO][A-Za-z0-9_-]{23,27}\Z")

# The telling ones stand before the general ones: of two that hide the same stretch, the first gives the name.
SHAPES: tuple[SecretShape, ...] = (
    plain("anthropic_key", "sk-ant-", r"sk-ant-([A-Za-z0-9_-]{16,})", random_body),
    plain("openrouter_key", "sk-or-", r"sk-or-(?:v[0-9]{1,3}-)?([A-Za-z0-9_-]{16,})", random_body),
    plain(
        "openai_key",
        "sk-proj- sk-svcacct- sk-admin- sk-None-",
        r"sk-[A-Za-z]+-([A-Za-z0-9_-]{16,})",
        random_body,
    ),
    plain("openai_key", "sk-", r"sk-(?!ant-|or-)([A-Za-z0-9_-]{18,})", random_loose, r"sk-[A-Za-z0-9_-]{18}"),
    plain("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{20,}", mixed),
    plain("perplexity_key", "pplx-", r"pplx-([A-Za-z0-9]{24,})", mixed),
    plain("xai_key", "xai-", r"xai-([A-Za-z0-9]{40,})", mixed),
    plain("replicate_token", "r8_", r"r8_([A-Za-z0-9]{24,})", mixed),
    plain("hugging_face_token", "hf_ api_org_", r"(?:hf|api_org)_([A-Za-z0-9]{24,})", mixed),
    plain("tavily_key", "tvly-", r"tvly-(?:dev-|prod-)?([A-Za-z0-9]{20,})", mixed),
    plain("aws_access_key", "AKIA ASIA", r"A[KS]IA([A-Za-z0-9]{16}|[A-Z0-9]{12,15})(?![A-Za-z0-9])", mixed),
    plain("aws_bedrock_key", "ABSK", r"ABSK([A-Za-z0-9+/]{60,}={0,2})", mixed),
    plain("google_api_key", "AIza", r"AIza([A-Za-z0-9_-]{24,35})(?![A-Za-z0-9_-])", mixed),
    plain("google_oauth_secret", "GOCSPX-", r"GOCSPX-([A-Za-z0-9_-]{18,})", mixed),
    plain("google_oauth_token", "ya29.", r"ya29\.([A-Za-z0-9_-]{20,})", mixed),
    plain("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_([A-Za-z0-9]{24,})", mixed),
    plain("github_token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,}", random_body),
    plain(
        "gitlab_token",
        "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent- gloas- glffct-",
        r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|oas|ffct)-([A-Za-z0-9_.-]{14,})",
        random_body,
    ),
    plain("npm_token", "npm_", r"npm_([A-Za-z0-9]{24,})", mixed),
    plain("pypi_token", "pypi-AgE pypi-Ag", r"pypi-Ag([A-Za-z0-9_-]{32,})", mixed),
    plain("rubygems_key", "rubygems_", r"rubygems_([0-9a-f]{32,})", mixed),
    plain("docker_hub_token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_([A-Za-z0-9_-]{16,})", mixed),
    plain("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[sr]k_(?:live|test)_([A-Za-z0-9]{16,})", mixed),
    plain("stripe_webhook_secret", "whsec_", r"whsec_([A-Za-z0-9+/=]{20,})", mixed),
    plain("slack_token", "xox", r"xox[abeoprs]-([A-Za-z0-9-]{10,})", mixed, r"xox[a-z]-"),
    plain("slack_token", "xapp-", r"xapp-[0-9]-([A-Za-z0-9-]{16,})", mixed),
    plain("slack_webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{5,20}/([A-Za-z0-9/_-]{20,})", mixed),
    plain(
        "discord_webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/[0-9]{10,25}/([A-Za-z0-9_-]{30,})",
        mixed,
    ),
    plain("twilio_key", "SK", r"SK[0-9a-fA-F]{24,32}(?![A-Za-z0-9])", mixed, gate=r"SK[0-9a-fA-F]{24}"),
    plain("sendgrid_key", "SG.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{10,}", mixed),
    plain("mailgun_key", "key-", r"key-([0-9a-f]{24,32})(?![A-Za-z0-9])", mixed, gate=r"key-[0-9a-f]{24}"),
    plain("brevo_key", "xkeysib-", r"xkeysib-([0-9a-f]{40,}(?:-[A-Za-z0-9]{1,16})?)", mixed),
    led(
        "mailchimp_key",
        "-us",
        ("0123456789abcdef", 33),
        r"[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])",
        r"[0-9a-f]-us[0-9]",
    ),
    plain("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_([0-9a-f]{40,})", mixed),
    plain("shopify_token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_([0-9a-fA-F]{24,})", mixed),
    plain("square_token", "sq0atp- sq0csp- sq0idp-", r"sq0(?:atp|csp|idp)-([A-Za-z0-9_-]{16,})", mixed),
    plain("square_token", "EAAA", r"EAAA([A-Za-z0-9_-]{60})(?![A-Za-z0-9_=/+-])", mixed, r"EAAA[A-Za-z0-9_-]{60}"),
    plain("atlassian_token", "ATATT3 ATCTT3", r"AT[AC]TT3([A-Za-z0-9_=-]{40,})", mixed),
    plain("bitbucket_password", "ATBB", r"ATBB([A-Za-z0-9]{24,})", mixed),
    plain("linear_key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_([A-Za-z0-9]{24,})", mixed),
    plain("notion_token", "ntn_", r"ntn_([A-Za-z0-9]{30,})", mixed),
    plain("notion_token", "secret_", r"secret_([A-Za-z0-9]{43})(?![A-Za-z0-9])", rich, r"secret_[A-Za-z0-9]{43}"),
    plain("figma_token", "figd_ figu_ figo_ figor_", r"fig(?:d|u|o|or)_([A-Za-z0-9_-]{24,})", mixed),
    plain("airtable_token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}", mixed, r"pat[A-Za-z0-9]{14}\.[0-9a-f]{40}"),
    plain("postman_key", "PMAK-", r"PMAK-([0-9a-f]{24}-[0-9a-f]{16,})", mixed),
    plain("databricks_token", "dapi", r"dapi([0-9a-f]{24,32}(?:-[0-9])?)(?![A-Za-z0-9])", mixed, r"dapi[0-9a-f]{24}"),
    plain("vault_token", "hvs. hvb. hvr.", r"hv[sbr]\.([A-Za-z0-9_-]{20,})", mixed),
    behind("terraform_token", ".atlasv1.", r"(?<=[A-Za-z0-9]{14})\.atlasv1\.([A-Za-z0-9_=-]{30,})", r"\.atlasv1\."),
    plain("pulumi_token", "pul-", r"pul-([0-9a-f]{32,})", mixed),
    plain("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa.", r"dp\.(?:pt|st|ct|sa)\.([A-Za-z0-9_.-]{24,})", mixed),
    plain("grafana_token", "glsa_ glc_", r"gl(?:sa|c)_([A-Za-z0-9+/_=]{28,})", mixed),
    plain("new_relic_key", "NRAK- NRJS- NRII- NRAA-", r"NR(?:AK|JS|II|AA)-([A-Za-z0-9_-]{14,})", mixed),
    plain("sentry_token", "sntrys_ sntryu_", r"sntry[su]_([A-Za-z0-9+/=_.-]{32,})", mixed),
    plain("cloudflare_token", "cfut_ cfat_ cfk_", r"cf(?:ut|at|k)_([A-Za-z0-9_-]{24,})", mixed),
    plain("cloudflare_origin_key", "v1.0-", r"v1\.0-([0-9a-f]{24}-[0-9a-f]{60,})", mixed),
    plain("heroku_key", "HRKU-", r"HRKU-([A-Za-z0-9_-]{24,})", mixed),
    plain("supabase_key", "sbp_ sb_secret_", r"sb(?:p|_secret)_([A-Za-z0-9_-]{24,})", mixed),
    plain("planetscale_token", "pscale_", r"pscale_(?:tkn|pw|oauth)_([A-Za-z0-9_=.-]{24,})", mixed),
    plain("netlify_token", "nfp_", r"nfp_([A-Za-z0-9]{28,})", mixed),
    plain("dropbox_token", "sl.", r"sl\.(?:u\.)?([A-Za-z0-9_-]{60,})", mixed, r"sl\.(?:u\.)?[A-Za-z0-9_-]{60}"),
    plain("age_key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{30,}"),
    plain("one_password_token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9_=-]{40,}"),
    behind(
        "entra_secret",
        "Q~",
        r"(?<=[0-9])Q~([A-Za-z0-9_~.-]{24,34})(?![A-Za-z0-9_~-])",
        r"[0-9]Q~[A-Za-z0-9_~.-]{24}",
    ),
    SecretShape(
        "telegram_token",
        tuple(f"{digit}:" for digit in range(10)),
        "(?a)" + _TELEGRAM,
        accept=lambda body: len(body) == 35 or rich(body),
        # With all its digits: times and places stand before colons everywhere.
        gate=r"[0-9]{8}:[A-Za-z0-9_-]{28}",
        lead="0123456789",
        encoded=False,
    ),
    behind(
        "discord_token",
        ".",
        r"(?<=[A-Za-z0-9_-]{24})\.([A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,})",
        r"[A-Za-z0-9_-]{2}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20}",
        lambda match: (
            _USER_ID.search(match.string, max(0, match.start() - 28), match.start()) is not None and rich(match[1])
        ),
    ),
    plain(
        "jwt",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"
        r"|[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){0,2})",
        gate=r"eyJ[A-Za-z0-9_-]{8}",
    ),
    header("bearer_token", "bearer", rf"{LOOSE_EDGE}(?i:bearer)(?:[ \t]{{1,4}}|%20)({CREDENTIAL})", credential),
    header(
        "authorization_header",
        "authorization",
        rf"{HEADER_NAME}(?i:basic)(?:[ \t]{{1,4}}|%20)({CREDENTIAL})",
        basic,
    ),
    header("authorization_header", "authorization", rf"{HEADER_NAME}({CREDENTIAL})", unnamed),
    header(
        "authorization_header",
        "authorization",
        rf"{HEADER_NAME}[A-Za-z][A-Za-z0-9-]{{1,20}}(?:[ \t]{{1,4}}|%20)({CREDENTIAL})",
        unnamed,
    ),
    header(
        "authorization_header",
        "authorization",
        rf"{HEADER_NAME}[A-Za-z][A-Za-z0-9-]{{1,20}}[ \t]{{1,4}}({PAIR}(?:,[ \t]{{0,4}}{PAIR}){{0,30}})",
        mixed,
    ),
    *NAMED_VALUES,
)

SHAPE_NAMES = frozenset(shape.name for shape in SHAPES)
SHORTEST = 10
"""No shape matches a text shorter than this."""


def _gates(*, in_json: bool) -> list[str]:
    gates = [(shape.json_gate if in_json else None) or shape.gate or any_trigger(shape) for shape in SHAPES]
    return list(dict.fromkeys([*gates, "PRIVATE KEY"]))


GATE_PATTERNS = tuple(_gates(in_json=False))
"""One of these is in every text that has a shape or a private key."""
JSON_GATE_PATTERNS = tuple(_gates(in_json=True))
"""The same for the JSON of a value, where a quote within a text has a backslash before it."""
_GATE = SubstringFilter(GATE_PATTERNS)


def triggered(text: str) -> bool:
    """Whether any shape, or a private key, could be in the text: the cheap question before all others."""
    return _GATE.opens(utf8(text))
