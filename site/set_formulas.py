"""Sets formulas in the pages' text, and blocks of equations, as mathematics: an extension of Sphinx."""

import re

from docutils import nodes
from equations import in_text
from formulas import display, formulas

# Pages in which a letter that stands alone is a symbol, and one whose names are written with underscores.
MATHEMATICAL = re.compile(r"theory|errata|notation|since-2016|algorithms/|problems|hordes")
NAMES = "python-reference"
NO_TEXT = (nodes.literal, nodes.literal_block, nodes.raw, nodes.image)


class formula(nodes.inline):  # noqa: N801
    """A formula: its text, for the search and for titles, and how it is set."""


def _is_prose(node: nodes.Node) -> bool:
    while node is not None:
        if isinstance(node, NO_TEXT) or (node.tagname.startswith("desc_") and node.tagname != "desc_content"):
            return False
        node = node.parent
    return True


def _set_text(node: nodes.Text, alone: bool) -> None:
    text, at, made = node.astext(), 0, []
    found = formulas(text, alone)
    if isinstance(node.parent, nodes.strong) and found == [(0, len(text))]:  # a formula in bold, and not bold words with one in them
        node.parent["classes"].append("marked")
    for begin, end in found:
        after = end + len(re.match(r"[.,;:)’”]*", text[end:])[0])
        made += [nodes.Text(text[at:begin]),
                 formula("", text[begin:after], html=in_text(text[begin:end], followed_by=text[end:after]))]
        at = after
    if made:
        node.parent.replace(node, [*made, nodes.Text(text[at:])])


def _set_page(app: object, document: nodes.document) -> None:
    page = document.settings.env.docname
    if page.startswith("source/") or page == NAMES:
        return
    for node in [node for node in document.findall(nodes.Text) if _is_prose(node.parent)]:
        _set_text(node, alone=bool(MATHEMATICAL.match(page)) and not isinstance(node.parent, nodes.title))
    for block in list(document.findall(nodes.literal_block)):
        if block.get("language", "none") in {"none", "text", "default"} and (equations := display(block.astext())):
            block.replace_self(nodes.raw("", equations, format="html"))


def _write(translator: object, node: formula) -> None:
    translator.body.append(node["html"])
    raise nodes.SkipNode


def setup(app: object) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_node(formula, html=(_write, None))
    app.connect("doctree-read", _set_page)
    return {"parallel_read_safe": True}
