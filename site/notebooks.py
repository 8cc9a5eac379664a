"""The examples of examples/python as notebooks: written, executed, and left among the pages of the site.

    python site/notebooks.py DIRECTORY

The scripts have cells already (`# %%`). What a script needs and a notebook does not is left out: a figure is shown and not
saved, files come from beside the notebook.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent
# In the order of the sidebar.
NAMES = ["log_coupons", "off_policy_evaluation", "step_size_sweep", "own_mdp", "horde_of_thousands", "baird", "gymnasium_tile_coding"]
LARGEST = 2_000_000  # bytes of an executed notebook
CHANGES = [
    (r'matplotlib\.use\("Agg"\)\n', ""),
    (r"^import matplotlib\n", ""),
    (r"  # noqa: E402|  # fmt: skip", ""),
    (r"^figure = .*\n", ""),
    (r'^print\("figure:", figure\)\n?', ""),
    (r"plt\.savefig\(figure\)", "plt.show()"),
    (r"Path\(tempfile\.mkdtemp\(\)\)", 'Path(".")'),
    (r"Path\(sys\.argv\[1\]\) if len\(sys\.argv\) > 1 else ", ""),
    (r"Path\(__file__\)\.resolve\(\)\.parents\[1\] / \"data\"", 'Path("data")'),
]


def notebook(script: Path) -> nbformat.NotebookNode:
    """The cells of a script."""
    cells = []
    for piece in re.split(r"^# %%", script.read_text(), flags=re.M)[1:]:
        kind, _, text = piece.partition("\n")
        if kind.strip() == "[markdown]":
            text = re.sub(r"^# ?", "", text.strip(), flags=re.M)
            if not cells:
                title, _, rest = text.partition("\n")
                text = f"{title}\n\n{{download}}`The notebook <{script.stem}.ipynb>`, or as a script: `examples/python/{script.name}`.\n{rest}"
            cells.append(new_markdown_cell(re.sub(r"\bdocs/([\w-]+\.md)", r"[docs/\1](../\1)", text)))
        else:
            for pattern, by in CHANGES:
                text = re.sub(pattern, by, text, flags=re.M)
            text = without_unused_imports(text.strip(), script.read_text())
            if text:
                cells.append(new_code_cell(text))
    for k, cell in enumerate(cells):
        cell.id = f"cell-{k}"  # and not another one every time
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})


def without_unused_imports(cell: str, script: str) -> str:
    """The modules that only the lines left out have needed are not imported."""
    for pattern, by in CHANGES:
        script = re.sub(pattern, by, script, flags=re.M)
    for module in ("sys", "tempfile"):
        if f"{module}." not in script:
            cell = re.sub(rf"^import {module}\n", "", cell, flags=re.M)
    if "Path(" not in script:
        cell = cell.replace("from pathlib import Path\n", "")
    return re.sub(r"\n{3,}", "\n\n", cell).strip()


def main(directory: Path) -> None:
    """Write and execute them all."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    shutil.copytree(ROOT / "examples/data", directory / "data")
    for name in NAMES:
        made = notebook(ROOT / f"examples/python/{name}.py")
        NotebookClient(made, timeout=300, record_timing=False, extra_arguments=["--log-level=ERROR"],
                       resources={"metadata": {"path": str(directory)}}).execute()
        to = directory / f"{name}.ipynb"
        nbformat.write(made, to)
        if to.stat().st_size > LARGEST:
            sys.exit(f"{to} has {to.stat().st_size:,} bytes: {LARGEST:,} are allowed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
