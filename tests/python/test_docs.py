"""The snippets of docs/python.md run as they stand, one after the other in one session."""

import re
from pathlib import Path

import pytest

for module in ("gymnasium", "matplotlib", "pandas", "scipy"):
    pytest.importorskip(module)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_snippets_of_the_python_page(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    session = {"__name__": "session"}
    count = 0
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start(1))
        source = "\n" * line + block.group(1)  # a traceback has the line of the page
        exec(compile(source, str(PAGE), "exec"), session)
        count += 1
    assert count >= 10
