"""Writes the pages of the site: docs/, those of pages/, one for every algorithm, and the sources that pages link to.

    python site/pages.py PROGRAM DIRECTORY
"""

from __future__ import annotations

import html
import posixpath
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import headers
from equations import mathml

ROOT = Path(__file__).resolve().parent.parent
# Markdown outside of docs/ that has a page, by its place in the repository.
PAGES_OF_ROOT = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".toml": "toml", ".json": "json"}
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")
CODE = re.compile(r"(^ *(?P<fence>```+).*?^ *(?P=fence)|`[^`\n]*`)", re.S | re.M)


# scripts/docs puts it beside the pages.
LIVE_REPORT = """
## The report

Curves, sensitivities, heat maps and every configuration, to be moved over and opened. It is one file, made together with this site from the results
of `make reproduce` where there were some, and else from a small run of the same study, 5 instances × 10 runs; its head
has the number of agent-steps, of which the whole paper takes 1.3·10¹¹. <a href="report-white2016.html">On a page of its own</a>

<iframe class="report" src="report-white2016.html" title="The report of the 2016 paper" loading="lazy"></iframe>
"""


@dataclass
class Page:
    """A page, and the file of the repository that its links are relative to; none where they are the site's own."""

    text: str
    written_in: str | None = None


# ---- links


def outside_code(markdown: str, replace: Callable[[re.Match[str]], str]) -> str:
    """The links of a page replaced, but not what looks like one in its code."""
    out, at = [], 0
    for code in CODE.finditer(markdown):
        out += [LINK.sub(replace, markdown[at : code.start()]), code.group()]
        at = code.end()
    return "".join(out) + LINK.sub(replace, markdown[at:])


def in_repository(page: Page, link: str) -> str | None:
    """The file or folder of the repository that a link means; None where it means something else."""
    if page.written_in is None or re.match(r"[a-z]+:", link):
        return None
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page.written_in), link))
    if not (ROOT / place).exists():
        sys.exit(f"{page.written_in}: its link {link} leads to nothing")
    return place


def site_place(place: str) -> str:
    """Where the site has a file of the repository."""
    if place == "README.md":
        return "index.md"
    if place in PAGES_OF_ROOT:
        return PAGES_OF_ROOT[place]
    return place.removeprefix("docs/") if place.startswith("docs/") else f"source/{place}.md"


def redirected(name: str, page: Page) -> str:
    """The page with links to files of the repository led to their pages."""

    def lead(match: re.Match[str]) -> str:
        place = in_repository(page, match[2])
        if place is None:
            return match[0]
        return f"{match[1]}{posixpath.relpath(site_place(place), posixpath.dirname(name) or '.')}{match[3] or ''}{match[4]}"

    return outside_code(page.text, lead)


def linked_sources(page: Page) -> set[str]:
    """The files of the repository that a page links to and that have no page yet."""
    found: set[str] = set()

    def note(match: re.Match[str]) -> str:
        place = in_repository(page, match[2])
        if place and site_place(place).startswith("source/"):
            found.add(place)
        return match[0]

    outside_code(page.text, note)
    return found


def source_page(place: str) -> Page:
    """A file of the repository as a page, or the names in a folder."""
    path = ROOT / place
    text = f"---\norphan: true\n---\n# {place}\n\n"
    if path.is_dir():
        names = [inner.name for inner in sorted(path.iterdir()) if not inner.name.startswith(("_", "."))]
        return Page(text + "\n".join(f"- [{name}]({posixpath.basename(place)}/{name})" for name in names) + "\n", place)
    return Page(f"{text}````{LANGUAGES.get(path.suffix, 'none')}\n{path.read_text()}\n````\n")


# ---- algorithms


@dataclass
class Algorithm:
    """What docs/algorithms.md and `list algorithms` say of an algorithm."""

    id: str
    name: str
    summary: str
    source: str
    notes: str
    parameters: list[tuple[str, str, str]] = field(default_factory=list)  # name, default, meaning


def algorithms(program: str) -> list[Algorithm]:
    """All of them; other names of one are left out."""
    found = {}
    for line in (ROOT / "docs/algorithms.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| `") else []
        if len(cells) == 6 and cells[1]:
            name = cells[0].strip("`")
            found[name] = Algorithm(name, cells[1], cells[2], cells[3], cells[5])
    listing = subprocess.run([program, "list", "algorithms"], check=True, capture_output=True, text=True).stdout
    of = None
    for line in listing.splitlines():
        if not line.startswith(" "):
            of = found.get(line.split()[0])
        elif of:
            name, default, meaning = line.split(None, 2)
            of.parameters.append((name.removeprefix("--"), default, meaning))
    return list(found.values())


def header_of(algorithm: Algorithm) -> Path:
    """The header that declares it."""
    for path in sorted((ROOT / "include/bellwether/algorithms").glob("*.hpp")):
        if f'.id = "{algorithm.id}"' in path.read_text():
            return path
    sys.exit(f"no header in include/bellwether/algorithms declares {algorithm.id}")


def equations(header: Path) -> str:
    """The comment on top of a header: indented lines are equations, the others say something."""
    out: list[str] = []
    together: list[str] = []
    for line in [*header.read_text().splitlines()[1:], ""]:
        if line.startswith("//     "):
            together.append(line[2:])
            continue
        if together:
            out += ["", mathml(together), ""]
            together = []
        if not line.startswith("//"):
            break
        said = html.escape(line[2:].strip(), quote=False)
        out.append(re.sub(r"\b(\w+\.hpp)\b", r"[\1](\1)", said))
    return "\n".join(out)


def facts_of_algorithms(known: list[Algorithm]) -> dict[str, dict]:
    """What algorithms.toml says. All algorithms are there, and so are the tests that it names."""
    facts = tomllib.loads((ROOT / "site/algorithms.toml").read_text())
    tests = "\n".join(path.read_text() for path in (ROOT / "tests/core").glob("*.cpp"))
    if missing := {algorithm.id for algorithm in known} ^ set(facts):
        sys.exit(f"site/algorithms.toml and the program do not have the same algorithms: {', '.join(sorted(missing))}")
    for name in {name for fact in facts.values() for name in fact.get("known", {})}:
        if not re.search(rf"\({name.replace('.', ', ')}\b", tests):
            sys.exit(f"site/algorithms.toml: tests/core has no test {name}")
    return facts


def curve(algorithm: Algorithm, on_policy_only: bool, about: dict) -> str:
    """Its pictures by curves.py, for light and for dark ground."""
    where = "random MDPs, on-policy" if on_policy_only else "random MDPs, off-policy, and on Baird's counterexample"
    settings = {"on": "random MDPs, on-policy"} if on_policy_only else {"off": "random MDPs, off-policy", "baird": "Baird's counterexample"}
    images = "\n".join(f"```{{image}} ../images/curves/{algorithm.id}-{setting}{variant}.svg\n:class: only-{ground}\n"
                       f":alt: Learning curves of {algorithm.name}: {title}\n```"
                       for setting, title in settings.items() for ground, variant in (("light", ""), ("dark", "-dark")))
    text = f"::::{{div}} panels\n{images}\n::::"
    return (f"{text}\n\nThe error of its predictions in {where}, at the best of the same grid of step sizes, η and λ for all; the other algorithms in grey. "
            f"Means over 20 fresh runs of {'5 MDPs' if on_policy_only else '5 MDPs, and of Baird’s'}, with a standard error. {about.get('curve', '')}".rstrip())


def algorithm_page(algorithm: Algorithm, about: dict) -> Page:
    """A page made from an algorithm's header."""
    header = header_of(algorithm)
    place = header.relative_to(ROOT).as_posix()
    example = {name: value for name, value in {"alpha": "0.1", "lambda": "0.9"}.items()
               if any(name == parameter[0] for parameter in algorithm.parameters)}
    on_line = " ".join(f"--{name} {value}" for name, value in example.items())
    in_python = "".join(f", {'lambda_' if name == 'lambda' else name}={value}" for name, value in example.items())
    rows = "\n".join(f"| `{name}` | {default} | {meaning} |" for name, default, meaning in algorithm.parameters)
    known = "\n".join(f"- {fact} (`{test}`)" for test, fact in about.get("known", {}).items())
    on_policy_only = "on-policy only" in algorithm.notes
    notes = f" It {algorithm.notes}." if algorithm.notes.startswith(("uses", "needs")) else ""
    notes = notes or (f" {algorithm.notes[0].upper()}{algorithm.notes[1:]}." if algorithm.notes else "")
    text = f"""# {algorithm.name}

{algorithm.summary[0].upper()}{algorithm.summary[1:]} ({algorithm.source}).{notes}

**When to use it.** {about["when"]}

{curve(algorithm, on_policy_only, about)}

## Equations

In the symbols of [the notation](../../../docs/notation.md); the header, [{header.name}]({header.name}), has them above an `update` that follows them line by line.

{equations(header)}

## Parameters

| name | default | meaning |
|---|---|---|
{rows}

{"## What is known of it" if known else ""}

{known}
{"- " if known else ""}As with every algorithm, a step with γ = 0 clears what `start()` clears (`Termination.GammaZeroIsAStartForEveryAlgorithm`), and lanes of packs equal this learner to the bit.

## Use

::::{{tab-set}}
:::{{tab-item}} Command line
```sh
bellwether learn stream.csv --algorithm {algorithm.id} {on_line}
```
:::
:::{{tab-item}} Python
```python
learner = bellwether.Learner("{algorithm.id}", dimension=3{in_python})
```
:::
::::
"""
    return Page(text, place)


# ---- all of it


def main(program: str, directory: Path) -> None:
    """Write every page."""
    known = algorithms(program)
    pages = {path.relative_to(ROOT / "docs").as_posix(): Page(path.read_text(), path.relative_to(ROOT).as_posix())
             for path in sorted((ROOT / "docs").rglob("*.md"))}
    pages |= {page: Page((ROOT / name).read_text(), name) for name, page in PAGES_OF_ROOT.items()}
    pages |= {path.name: Page(path.read_text()) for path in sorted((ROOT / "site/pages").glob("*.md"))}
    facts = facts_of_algorithms(known)
    pages |= {f"algorithms/{algorithm.id}.md": algorithm_page(algorithm, facts[algorithm.id]) for algorithm in known}
    pages |= {name: Page(text, "README.md") for name, text in headers.reference(ROOT).items()}
    pages["algorithms.md"].text += toctree(f"algorithms/{algorithm.id}" for algorithm in known)
    pages["reproduction.md"].text += LIVE_REPORT
    unread = set(pages)
    while unread:
        sources = {place for name in unread for place in linked_sources(pages[name])}
        unread = {site_place(place) for place in sources} - set(pages)
        pages |= {site_place(place): source_page(place) for place in sources if site_place(place) in unread}

    shutil.rmtree(directory, ignore_errors=True)
    for name, page in pages.items():
        to = directory / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(redirected(name, page))
    shutil.copytree(ROOT / "docs/images", directory / "images")


def toctree(names: object) -> str:
    """A list for the sidebar."""
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
