"""The site's settings; pages.py writes what it is made of."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

_cmake = (Path(__file__).resolve().parent.parent / "CMakeLists.txt").read_text()

project = "Bellwether"
author = "the Bellwether authors"
copyright = author  # noqa: A001
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", _cmake)[1]

extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "set_formulas"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nb_execution_mode = "off"  # notebooks.py has executed them
myst_enable_extensions = ["colon_fence", "attrs_inline"]
myst_heading_anchors = 3
# Indented shell lines are commands; what has no language is shown as it is.
highlight_language = "none"
pygments_style = "tango"
pygments_dark_style = "github-dark"
copybutton_prompt_text = "$ "

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "Bellwether"
html_static_path = ["static"]
html_css_files = ["mathematics.css", "site.css"]  # the first one by math_font.py
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f3a5f", "color-brand-content": "#1f5a9f"},
    "dark_css_variables": {"color-brand-primary": "#9cc0f0", "color-brand-content": "#8ab4f0"},
}


def _as_list(app, what, name, obj, options, lines):
    """Docstrings are written to be read in a terminal: `name: what it is`, with nothing escaped."""
    if name == "bellwether":  # which speaks of what is in it
        names = "|".join(public for public in vars(obj) if not public.startswith("_"))
        lines[:] = [line if line.startswith(" ") else re.sub(rf"\b({names})\b", r"``\1``", line) for line in lines]
    if what in {"attribute", "property"} and (typed := re.match(r":type: (.*)", " ".join(lines[-1:]))):
        # napoleon has taken what stands before a colon for a type
        lines[:] = [f"{typed[1]}: {lines[0]}", *lines[1:-1]]
    out: list[str] = []
    in_item = False
    for before, line in zip(["", *lines], lines):
        in_item &= line.startswith("    ") and bool(before)
        # What is indented below a paragraph is code.
        if line.startswith("    ") and not before and out[:-1] and not out[-2].startswith((" ", "*", ":", ".", ">")):
            if not out[-2].endswith("::"):
                out += ["::", ""]
        named = re.match(r"(\w+(?:, \w+)*): (?=\S)", line)
        line = re.sub(r"(?<![`\w])(\w*[a-z]_)(?=[\s,;:.)]|$)", r"``\1``", line)
        line = re.sub(r"(?<!`)\|(?!`)", r"\\|", line)
        if named:
            out += ["", f"* **{named[1]}**: {line[line.index(': ') + 2 :]}"]
            in_item = True
        elif in_item:
            out.append("  " + line.strip())
        elif out and line and not line.startswith(" ") and out[-1].startswith(("* ", "  ")):
            out += ["", line]
        else:
            out.append(line)
    lines[:] = out


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _as_list, priority=600)
    app.config.html_static_path.append(str(Path(app.srcdir) / "static"))
