"""Canaries of the kinds that are told by a beginning or by what stands around them, and what only looks like them."""

import random
import string

_RANDOM = random.Random(20261118)
_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def made(alphabet: str, size: int) -> str:
    # A digit and both cases are in it, as good as always; here always.
    return "".join(_RANDOM.choice(alphabet) for _ in range(size - 3)) + ("a1b" if alphabet == _HEX else "a1B")


def alnum(size: int) -> str:
    return made(_ALNUM, size)


def digits(size: int) -> str:
    return made(_HEX, size)


TOKENS: dict[str, list[str]] = {
    "perplexity_key": ["pplx-" + alnum(48)],
    "xai_key": ["xai-" + alnum(80)],
    "replicate_token": ["r8_" + alnum(37)],
    "hugging_face_token": ["hf_" + alnum(34), "api_org_" + alnum(34)],
    "tavily_key": ["tvly-dev-" + alnum(32)],
    "aws_bedrock_key": ["ABSK" + alnum(120) + "="],
    "google_oauth_secret": ["GOCSPX-" + alnum(28)],
    "google_oauth_token": ["ya29." + alnum(120)],
    "gitlab_token": [
        f"{kind}-{alnum(20)}"
        for kind in ["glpat", "gldt", "glrt", "glptt", "glcbt", "glsoat", "glft", "glimt", "glagent", "gloas", "glffct"]
    ],
    "npm_token": ["npm_" + alnum(36)],
    "pypi_token": ["pypi-AgEIcHlwaS5vcmc" + alnum(120)],
    "rubygems_key": ["rubygems_" + digits(48)],
    "docker_hub_token": ["dckr_pat_" + alnum(27)],
    "stripe_webhook_secret": ["whsec_" + alnum(32)],
    "slack_token": ["xapp-1-" + alnum(11) + "-" + alnum(60)],
    "mailgun_key": ["key-" + digits(32)],
    "brevo_key": ["xkeysib-" + digits(64) + "-" + alnum(16)],
    "mailchimp_key": [digits(32) + "-us14"],
    "digitalocean_token": ["dop_v1_" + digits(64), "doo_v1_" + digits(64), "dor_v1_" + digits(64)],
    "shopify_token": [f"shp{kind}_{digits(32)}" for kind in ("at", "ca", "pa", "ss")],
    "square_token": ["sq0atp-" + alnum(22), "sq0csp-" + alnum(43), "EAAA" + alnum(60)],
    "atlassian_token": ["ATATT3xFfGF0" + alnum(170), "ATCTT3xFfGN0" + alnum(170)],
    "bitbucket_password": ["ATBB" + alnum(32)],
    "linear_key": ["lin_api_" + alnum(40), "lin_oauth_" + alnum(40)],
    "notion_token": ["ntn_" + alnum(46), "secret_" + alnum(43)],
    "figma_token": ["figd_" + alnum(40)],
    "airtable_token": ["pat" + alnum(14) + "." + digits(64)],
    "postman_key": ["PMAK-" + digits(24) + "-" + digits(34)],
    "databricks_token": ["dapi" + digits(32), "dapi" + digits(32) + "-2"],
    "vault_token": ["hvs." + alnum(90), "hvb." + alnum(120)],
    "pulumi_token": ["pul-" + digits(40)],
    "doppler_token": ["dp.pt." + alnum(43)],
    "grafana_token": ["glsa_" + alnum(32) + "_" + digits(8), "glc_" + alnum(100)],
    "new_relic_key": ["NRAK-" + made(string.ascii_uppercase + string.digits, 27), "NRJS-" + digits(19)],
    "sentry_token": ["sntrys_" + alnum(80), "sntryu_" + digits(64)],
    "cloudflare_token": ["cfut_" + alnum(40)],
    "cloudflare_origin_key": ["v1.0-" + digits(24) + "-" + digits(146)],
    "heroku_key": ["HRKU-" + alnum(60)],
    "supabase_key": ["sbp_" + digits(40)],
    "planetscale_token": ["pscale_tkn_" + alnum(43)],
    "netlify_token": ["nfp_" + alnum(36)],
    "dropbox_token": ["sl." + alnum(138)],
    "age_key": [
        "AGE-SECRET-KEY-1" + "".join(_RANDOM.choice(string.ascii_uppercase + string.digits) for _ in range(58))
    ],
    "one_password_token": ["ops_eyJ" + alnum(200)],
}

NAMED: list[tuple[str, str, str]] = [
    ("url_password", "https://ada:{}@db.example.com/x", "Sw0rdfish!"),
    ("url_password", "postgresql+psycopg://app:{}@10.0.0.5:5432/shop", "s3cr3tpw"),
    ("url_password", "mongodb+srv://root:{}@cluster0.abcde.mongodb.net", "k2Lx9q"),
    ("url_password", "redis://:{}@cache:6379/0", "hunter2"),
    ("url_password", "amqp://guest:{}@mq", "correcthorse"),
    ("sentry_dsn", "https://{}@o123.ingest.sentry.io/456", digits(32)),
    ("azure_account_key", "AccountName=shop;AccountKey={};EndpointSuffix=core", alnum(86) + "=="),
    ("sas_signature", "https://x.blob.core.windows.net/c?sv=2022&sig={}&se=2026", alnum(42) + "%3D"),
    ("terraform_token", alnum(14) + ".atlasv1.{}", alnum(64)),
    ("entra_secret", alnum(3) + "8Q~{}", alnum(34)),
    ("discord_token", "M" + alnum(25) + ".{}", alnum(6) + "." + alnum(38)),
    ("cookie", "Cookie: {}", "sid=" + alnum(24) + "; theme=dark"),
    ("cookie", "Set-Cookie: session={}; Path=/; HttpOnly", alnum(32)),
    ("password", "password={}", "hunter2"),
    ("password", "Server=x;Uid=sa;Pwd={};", "Str0ng!pass"),
    ("password", "password: '{}'", "tr0ub4dor"),
    ("password", "user=a&password={}&x=1", "swordfish"),
    ("password", "PGPASSWORD={} psql", "swordfish"),
    ("password", "mysql --password={} -u root", "swordfish"),
    ("password", '{{"password": "{}"}}', "tr0ub4dor&3"),
    ("secret_value", "aws_secret_access_key = {}", "wJalrXUtnFEMIK7MDENGbPxRfiCYzz12345abcd"),
    ("secret_value", "X-Api-Key: {}", digits(32)),
    ("secret_value", "Fastly-Key: {}", alnum(32)),
    ("secret_value", "client_secret={}", alnum(40)),
    ("secret_value", "CLOUDFLARE_API_TOKEN={}", alnum(40)),
]
"""The rule, what stands around, and what is hidden."""

HARMLESS = [
    "glpat-your-token-here npm_config_registry npm_package_name npm_lifecycle_event hf_hub_download hf_transfer",
    "pypi-publish pypi-server dockerhub dckr_pat key-value key-12345 v1.0-beta pul-request pscale_cli sl.com",
    "dop_v1_ shpat_ lin_api_ secret_manager_client secret_key_base ntn_ figd_ PMAK- dapi dapi_client hvs. hvb",
    "https://example.com:8080/@user/post http://[::1]:443/ ssh://git@github.com:22/x https://user@host/ http://a:80@b",
    "https://user:password@host https://user:${PASSWORD}@host https://<user>:<pass>@host https://user:****@host",
    "password: required password=None password = getpass() password=password1 password='' password=\"string\"",
    'self.password = password2, pwd=os.getcwd() PWD=/home/ada/src1 OLDPWD=/root/x2 "password": "********"',
    "forgot password? reset your password: see https://x.y/reset1 and password: <your password>",
    "token: identifier token=tokens[0] token = self.next_token1 secret=config.secret1 next_token=eyJhYmMxMjM0NTY3",
    "token_count: 12345678 tokens=4096 secret santa: 2024-12-24 the secret: be12345 kind",
    "Cookie: a small text file; Set-Cookie: name=value; Path=/; cookies: enabled=true",
    "AccountKey=<key> sig=abc &sig=short signature=12 design=modern ?sig={sig}",
    "M.2.SSD N.A. v1.2.3 O.K. NaN.NaN.NaN index.module.abcdefghijklmnopqrstuvwxyz",
    "d41d8cd98f00b204e9800998ecf8427e-us-east-1 1a2b-us12 region-us1",
    "SKU key-pair monkey-business xai-grok pplx-api r8_model tvly-search ya29 GOCSPX AGE-SECRET-KEY ops_team Q~ NRAK",
]
