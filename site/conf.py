"""The site's settings; pages.py writes what it is made of."""

import re
import sys
from pathlib import Path

from docutils import nodes

sys.path.insert(0, str(Path(__file__).resolve().parent))
from equations import in_text  # noqa: E402
from formulas import display, formulas  # noqa: E402

_cmake = (Path(__file__).resolve().parent.parent / "CMakeLists.txt").read_text()

project = "Bellwether"
author = "the Bellwether authors"
copyright = author  # noqa: A001
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", _cmake)[1]

extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
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
    out: list[str] = []
    for before, line in zip(["", *lines], lines):
        # What is indented below a paragraph is code.
        if line.startswith("    ") and not before and out[:-1] and not out[-2].startswith((" ", "*", ":", ".", ">")):
            if not out[-2].endswith("::"):
                out += ["::", ""]
        named = re.match(r"(\w+(?:, \w+)*): (?=\S)", line)
        line = re.sub(r"(?<![`\w])(\w*[a-z]_)(?=[\s,;:.)]|$)", r"``\1``", line)
        line = re.sub(r"(?<!`)\|(?!`)", r"\\|", line)
        if named:
            out += ["", f"* **{named[1]}**: {line[line.index(': ') + 2 :]}"]
        elif out and line and not line.startswith(" ") and out[-1].startswith(("* ", "    ")):
            out += ["", line]
        else:
            out.append(line)
    lines[:] = out


# Pages in which a letter that stands alone is a symbol.
_MATHEMATICAL = re.compile(r"theory|errata|notation|since-2016|algorithms/")
_NO_TEXT = (nodes.literal, nodes.literal_block, nodes.raw, nodes.title, nodes.math, nodes.image)


def _is_prose(node):
    while node is not None:
        if isinstance(node, _NO_TEXT) or node.tagname.startswith("desc_") and node.tagname not in {"desc_content"} and node.tagname != "desc":
            return False
        node = node.parent
    return True


def _set_formulas(app, document):
    """Formulas in the text of a page, and blocks of equations, as mathematics."""
    page = document.settings.env.docname
    if page.startswith("source/"):
        return
    for node in [node for node in document.findall(nodes.Text) if _is_prose(node.parent)]:
        text, at, made = node.astext(), 0, []
        for begin, end in formulas(text, alone=bool(_MATHEMATICAL.match(page))):
            made += [nodes.Text(text[at:begin]), nodes.raw("", in_text(text[begin:end]), format="html")]
            at = end
        if made:
            node.parent.replace(node, [*made, nodes.Text(text[at:])])
    for block in list(document.findall(nodes.literal_block)):
        if block.get("language", "none") in {"none", "text", "default"} and (equations := display(block.astext())):
            block.replace_self(nodes.raw("", equations, format="html"))


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _as_list, priority=600)
    app.connect("doctree-read", _set_formulas)
    app.config.html_static_path.append(str(Path(app.srcdir) / "static"))
