"""Runs every block of commands and checks every block of code in README.md, CONTRIBUTING.md, docs/, the site's own pages and the algorithms'.

    blocks.py PROGRAM COMPILER PAGES_DIRECTORY [PAGE ...]    the pages that are named, else all
    blocks.py --python PAGES_DIRECTORY                       the Python of the algorithms' pages

A block of commands is indented or fenced, and begins with a command; lines below a command that begins with `$ ` are what it
prints. Commands run one after the other in one folder that has what they speak of (log.csv, stream.csv, ...). They are as the page
has them, but for their size: a program of the same name in front of the PATH takes fewer runs, and `make` says what it would do (-n).
A block that cannot run here has a line above it that says why: <!-- not run: it needs a graphics card -->
TOML must be valid; C++ must compile. Python is run by tests/python/test_docs.py, SQL by tests/store, the lanes of "Get started" by get_started.py.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {"bellwether", "build/release/bin/bellwether", "make", "mpirun", "srun", "cmake", "ctest", "pip", "printf", "source"}
RUN_ELSEWHERE = {"python", "sql"}
# What C++ of a page takes as given.
GIVEN = {
    "README.md": "std::size_t dimension = 2; std::vector<double> x(2), x_next(2); double reward = 0, rho = 1;",
    "docs/library.md": "#include <bellwether/learner.hpp>\nstd::size_t dimension = 2; std::vector<double> x(2), x_next(2); double r = 0, g = 0, rho = 1;",
    "docs/hordes.md": "std::size_t dimension = 2, predictions = 3; bellwether::Sparse<double> x, x_next; double rho = 1; std::vector<double> cumulants(3);",
}


@dataclass
class Block:
    """Code of a page."""

    page: str
    line: int
    language: str  # of the fence; "" for none, "indented"
    text: str
    not_run: str  # why

    @property
    def is_commands(self) -> bool:
        words = self.text.removeprefix("$ ").split(None, 1)
        return self.language == "sh" or (self.language in {"", "indented"} and bool(words) and words[0] in COMMANDS)

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: str, text: str) -> list[Block]:
    """All of a page."""
    found: list[Block] = []
    lines = text.splitlines()
    at, reason = 0, ""
    while at < len(lines):
        line = lines[at]
        if match := re.match(r"<!-- not run: (.*) -->$", line):
            reason = match[1]
        elif match := re.match(r"(```+)(\w*|\{.*)$", line):
            end = lines.index(match[1], at + 1)
            language = "text" if match[2].startswith("{") else match[2]  # a directive's
            found.append(Block(page, at + 1, language, "\n".join(lines[at + 1 : end]), reason))
            at, reason = end, ""
        elif line.startswith("    ") and not lines[at - 1].strip() or (at and lines[at - 1].startswith("<!-- not run") and line.startswith("    ")):
            end = next((k for k in range(at, len(lines)) if not lines[k].startswith("    ")), len(lines))
            found.append(Block(page, at + 1, "indented", "\n".join(text[4:] for text in lines[at:end]), reason))
            at, reason = end - 1, ""
        elif line.strip():
            reason = ""
        at += 1
    return found


# ---- commands

SMALLER = """#!/bin/sh
# The program, on less.
case " $* " in
*" --instances "* | *" --dry-run "* | *" --help "*) ;;
*" run "*) set -- "$@" --instances 1 --runs 2 --quiet ;;
*" bench "*--rounds*) set -- bench --rounds 1 ;;
*" bench "*) set -- "$@" --rounds 1 ;;
*" report "*) set -- "$@" --no-figures --quiet ;;
esac
exec PROGRAM "$@"
"""


def workplace(program: str) -> Path:
    """A folder with what pages speak of."""
    folder = Path(tempfile.mkdtemp())
    binaries = folder / "build/release/bin"
    binaries.mkdir(parents=True)
    (binaries / "bellwether").write_text(SMALLER.replace("PROGRAM", program))
    (binaries / "bellwether").chmod(0o755)
    (binaries / "make").write_text(f'#!/bin/sh\nexec {shutil.which("make")} -n -C {ROOT} "$@"\n')
    (binaries / "make").chmod(0o755)
    shutil.copy(ROOT / "examples/models/machine.toml", folder / "my.toml")
    shutil.copy(ROOT / "examples/data/walk.csv", folder / "log.csv")
    if not shutil.which("man"):
        (binaries / "man").write_text("#!/bin/sh\nexec cat\n")
        (binaries / "man").chmod(0o755)

    for name in FILES:
        prepare(name, program, folder)
    for study in ("white2016", "ghiassian2021-collision"):
        subprocess.run([binaries / "bellwether", "run", study], cwd=folder, check=True, capture_output=True)
    return folder


FILES = {  # by name: the arguments of `bellwether sample` that make it
    "stream.csv": ["walk5", "--policy", "on", "--steps", "300"],
    "monday.csv": ["random-mdp", "--steps", "100"],
    "tuesday.csv": ["random-mdp", "--steps", "100", "--run", "1"],
}


def prepare(name: str, program: str, folder: Path) -> None:
    """One of the files."""
    subprocess.run([program, "sample", *FILES[name], "--out", str(folder / name), "--quiet"], check=True)


def robot_stream(folder: Path) -> None:
    """The stream that docs/hordes.md asks questions about."""
    chance = random.Random(1)
    signals = ["x0", "x1", "light", "left", "right", "bump", "action", "mu"]
    rows = [[chance.randint(0, 1), 1, chance.random(), chance.random(), chance.random(), chance.randint(0, 1), chance.randint(0, 1), 0.5]
            for _ in range(100)]
    (folder / "stream.csv").write_text("\n".join(",".join(map(str, row)) for row in [signals, *rows]) + "\n")


def run(block: Block, folder: Path) -> None:
    """Its commands, one after the other; what they print where the block has it."""
    shows_output = block.text.startswith("$ ") and any(not line.startswith("$ ") for line in block.text.splitlines())
    pieces = re.split(r"^\$ ", block.text, flags=re.M)[1:] if block.text.startswith("$ ") else [block.text]
    for piece in pieces:
        command, _, said = piece.partition("\n") if block.text.startswith("$ ") else (piece, "", "")
        environment = {**os.environ, "PATH": f"{folder}/build/release/bin:{os.environ['PATH']}", "MANPAGER": "cat"}
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)
        if done.returncode != 0:
            sys.exit(f"{block}: this fails\n{command}\n{done.stderr[-2000:]}")
        if shows_output and said.strip() and done.stdout.strip() != said.strip():
            sys.exit(f"{block}: the page says\n{said}\nand what comes is\n{done.stdout}")


# ---- code


def compile_all(found: list[Block], compiler: str, folder: Path) -> None:
    """Every page is a function; what one block declares is there for those below it."""
    includes, functions = {"#include <string>", "#include <vector>"}, []
    for page in dict.fromkeys(block.page for block in found):
        body, depth = "", 0
        for block in [block for block in found if block.page == page]:
            includes |= set(re.findall(r"^#include.*$", block.text, re.M))
            code = re.sub(r"^#include.*\n?", "", block.text, flags=re.M)
            body += f'{{\n#line {block.line + 1 + block.text[: block.text.find(code.strip())].count(chr(10))} "{page}"\n{code.strip()}\n'
            depth += 1
        given = GIVEN[page]
        includes |= set(re.findall(r"^#include.*$", given, re.M))
        given = re.sub(r"^#include.*\n", "", given, flags=re.M)
        functions.append(f"int page_{len(functions)}() {{ {given}\n{body}{'}' * depth}\nreturn 0; }}")
    source = folder / "pages.cpp"
    # Standard headers and the whole library before what needs them.
    source.write_text("\n".join(sorted(includes)) + "\nint complain(const std::string& problem);\n" + "\n".join(functions) + "\n")
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-DBELLWETHER_COMPILE_FAST", f"-I{ROOT}/include", str(source)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"code of a page does not compile:\n{done.stderr[:4000]}")


def algorithms_pages(generated: Path) -> dict[str, str]:
    """Their text."""
    return {f"algorithms/{path.name}": path.read_text() for path in sorted((generated / "algorithms").glob("*.md"))}


def without_tabs(text: str) -> str:
    """A page less what get_started.py runs."""
    return re.sub(r"^::::\{tab-set\}\n.*?^::::$", "", text, flags=re.S | re.M)


def run_python(generated: Path) -> None:
    """The Python of every algorithm's page."""
    import bellwether

    count = 0
    for page, text in algorithms_pages(generated).items():
        for block in [block for block in blocks(page, text) if block.language == "python"]:
            exec(compile(block.text, str(block), "exec"), {"bellwether": bellwether})  # noqa: S102
            count += 1
    if count < len(bellwether.algorithms()):
        sys.exit(f"{len(bellwether.algorithms())} algorithms have {count} blocks of Python on their pages")
    print(f"{count} blocks of Python run")


def main(program: str, compiler: str, generated: Path, wanted: list[str]) -> None:
    """Everything else."""
    pages = {name: (ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md")}
    pages |= {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted((ROOT / "docs").rglob("*.md"))}
    pages |= {path.relative_to(ROOT).as_posix(): without_tabs(path.read_text()) for path in sorted((ROOT / "site/pages").glob("*.md"))}
    pages |= algorithms_pages(generated)
    found = [block for page, text in pages.items() if page in wanted or not wanted for block in blocks(page, text)]
    folder = workplace(program)
    try:
        cpp = []
        for block in found:
            if block.not_run or block.language in RUN_ELSEWHERE:
                continue
            if block.language == "toml":
                tomllib.loads(block.text)
                if block.page == "docs/hordes.md":
                    (folder / "questions.toml").write_text(block.text)
            elif block.language == "cpp":
                cpp.append(block)
            elif block.language not in {"", "indented", "sh", "text", "json"}:
                sys.exit(f"{block}: nobody knows how to try a block of '{block.language}'; above it, say why not: <!-- not run: ... -->")
        page = ""
        for block in [block for block in found if block.is_commands and not block.not_run]:
            if block.page != page:
                page = block.page
                robot_stream(folder) if page == "docs/hordes.md" else prepare("stream.csv", program, folder)
            run(block, folder)
        compile_all(cpp, compiler, folder)
    finally:
        shutil.rmtree(folder)
    counts = (sum(block.is_commands and not block.not_run for block in found), len(cpp), sum(bool(block.not_run) for block in found))
    print("{} blocks of commands run, {} of C++ compiled, {} say why they are not".format(*counts))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--python"] and len(sys.argv) == 3:
        run_python(Path(sys.argv[2]))
        sys.exit()
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
