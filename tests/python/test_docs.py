"""The snippets of README.md and docs/python.md run as they stand, one after the other in one session for each page."""

import re
from pathlib import Path

import pytest

for module in ("gymnasium", "matplotlib", "pandas", "scipy"):
    pytest.importorskip(module)

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("page", "snippets"), [("README.md", 1), ("docs/python.md", 10)])
def test_the_snippets_of_a_page(page, snippets, tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    session = {"__name__": "session"}
    count = 0
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start(1))
        source = "\n" * line + block.group(1)  # a traceback has the line of the page
        exec(compile(source, page, "exec"), session)
        count += 1
    assert count >= snippets
