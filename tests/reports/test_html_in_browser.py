"""The HTML report in a real browser: offline, at two sizes, light and dark, collapsed and opened, on paper."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage

from ptc_studio.reports import report
from ptc_studio.storage.history import PastRun

CHROMIUM = [
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=2000",
]  # fmt: skip
LOOK = """<script>
const seen = {errors: []};
addEventListener("error", e => seen.errors.push(String(e.message)));
addEventListener("securitypolicyviolation", e => seen.errors.push("policy: " + e.violatedDirective));
addEventListener("load", () => {
  const style = name => getComputedStyle(document.body)[name];
  seen.width = [document.documentElement.scrollWidth, innerWidth];
  seen.headings = [...document.querySelectorAll("h2")].map(h => h.textContent);
  seen.closed = document.querySelectorAll("details:not([open])").length;
  document.getElementById("expand").click();
  seen.opened = document.querySelectorAll("details[open]").length;
  seen.wide_open = document.documentElement.scrollWidth;
  seen.light = [style("backgroundColor"), style("color")];
  document.getElementById("theme").click();
  seen.dark = [style("backgroundColor"), style("color")];
  seen.bars = document.querySelectorAll("svg rect").length;
  seen.hidden = [...document.querySelectorAll(".hidden")].map(e => e.textContent);
  seen.names = [...document.querySelectorAll("summary .tool")].map(e => e.textContent);
  seen.markup = document.querySelectorAll("section b").length - document.querySelectorAll(".figure b").length;
  const out = document.createElement("output"); out.id = "seen"; out.textContent = JSON.stringify(seen); document.body.append(out);
});
</script></head>"""


def chromium(*arguments: str) -> str:
    done = subprocess.run([*CHROMIUM, *arguments], capture_output=True, text=True, timeout=50, check=True)
    return done.stdout


@pytest.fixture
def page(past: PastRun, tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    file.write_bytes(report(past, "html"))
    return file


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_report_fits_opens_and_turns_dark(page: Path, width: int, height: int):
    looked = page.with_name("looked.html")
    looked.write_text(page.read_text().replace("</head>", LOOK, 1))
    dom = chromium(f"--window-size={width},{height}", "--dump-dom", looked.as_uri())
    found = re.search(r'<output id="seen">(.*?)</output>', dom, re.DOTALL)
    assert found, dom[-500:]
    seen: dict[str, Any] = json.loads(unescape(found[1]))
    assert seen["errors"] == []
    assert seen["width"][0] <= seen["width"][1]
    assert seen["wide_open"] <= seen["width"][1]
    assert seen["headings"] == [
        "What happened", "What was asked", "Cost", "Script", "Timeline", "Calls", "Output", "Value",
    ]  # fmt: skip
    assert (seen["closed"], seen["opened"], seen["bars"]) == (4, 4, 4)
    assert seen["names"] == ["orders", "orders", "reserve", "login"]
    assert any(text.startswith("[REDACTED:") for text in seen["hidden"])
    assert seen["markup"] == 0
    for theme in ("light", "dark"):
        ground, ink = map(colour, seen[theme])
        assert contrast(ground, ink) >= 4.5
    assert colour(seen["light"][0]).lightness() > 128 > colour(seen["dark"][0]).lightness()


def test_the_report_is_photographed_and_printed(page: Path):
    picture, paper = page.with_suffix(".png"), page.with_suffix(".pdf")
    chromium("--window-size=1280,1600", f"--screenshot={picture}", page.as_uri())
    shot = QImage(str(picture))
    assert (shot.width(), shot.height()) == (1280, 1600)
    colours = {shot.pixelColor(x, y).name() for x in range(0, 1280, 7) for y in range(0, 1600, 7)}
    assert {"#eef0f4", "#ffffff"} < colours
    assert len(colours) > 20
    chromium(f"--print-to-pdf={paper}", page.as_uri())
    assert paper.read_bytes().startswith(b"%PDF")


def test_paper_has_what_is_open_on_the_screen(past: PastRun, tmp_path: Path):
    past.record["calls"][0]["result"] = [{"line": number} for number in range(2_000)]
    pages = []
    for name, opened in (("closed", ""), ("open", "<script>addEventListener('load', () => expand.click())</script>")):
        file = tmp_path / f"{name}.html"
        file.write_text(report(past, "html").decode().replace("</head>", f"{opened}</head>", 1))
        chromium(f"--print-to-pdf={file.with_suffix('.pdf')}", file.as_uri())
        pages.append(len(re.findall(rb"/Type\s*/Page\b", file.with_suffix(".pdf").read_bytes())))
    assert pages[0] <= 3 < pages[1]


def colour(text: str) -> QColor:
    return QColor(*map(int, re.findall(r"\d+", text)[:3]))


def contrast(one: QColor, other: QColor) -> float:
    def luminance(each: QColor) -> float:
        parts = [
            value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in each.getRgbF()[:3]
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
