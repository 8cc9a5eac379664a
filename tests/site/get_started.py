"""Does what the page "Get started" says, and compares with what it says comes out.

    get_started.py PROGRAM COMPILER    the shell lines and the C++ program
    get_started.py --python            the Python lines
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "site/pages/get-started.md").read_text()


def blocks(tab: str) -> list[tuple[str, str]]:
    """The language and the text of every block of code in a tab."""
    inside = re.search(rf":::\{{tab-item\}} {re.escape(tab)}\n(.*?)\n:::$", PAGE, re.S | re.M)
    assert inside, f"the page has no tab {tab}"
    return re.findall(r"^```(\w+)\n(.*?)^```$", inside[1], re.S | re.M)


def expect(what: str, came: str, said: str) -> None:
    if came.split() != said.split():
        sys.exit(f"{what}: the page says\n{said}\nand what comes is\n{came}")


def shell(lines: str, program: str, directory: str) -> str:
    lines = lines.replace("-I include", f"-I {ROOT / 'include'}")
    environment = {**os.environ, "PATH": f"{Path(program).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-ec", lines], cwd=directory, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{lines}\nfails: {done.stderr}")
    return done.stdout


def command_line_and_cpp(program: str, compiler: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        came = ""
        for language, text in blocks("Command line"):
            if language == "sh":
                came = shell(text, program, directory)
            else:
                expect("the command line", came, text)
        (source,) = [text for language, text in blocks("C++") if language == "cpp"]
        (lines,) = [text for language, text in blocks("C++") if language == "sh"]
        (Path(directory) / "first.cpp").write_text(source)
        expect("the C++ program", shell(lines.replace("g++", compiler), program, directory), re.search(r"// ([\d. ]+)$", source, re.M)[1])


def explained() -> None:
    """What of the page's tabs is not run says why."""
    for tab, inside in re.findall(r"^:::\{tab-item\} (.+?)\n(.*?)\n:::$", PAGE, re.S | re.M):
        for above, language in re.findall(r"^([^\n]*)\n```(\w+)\n.*?^```$", "\n" + inside, re.S | re.M):
            is_run = tab in {"Command line", "C++"} or (tab, language) == ("Python", "python")
            if not is_run and not above.startswith("<!-- not run: "):
                sys.exit(f"the tab {tab!r}: a block of {language} is not run; above it, say why not: <!-- not run: ... -->")


def python() -> None:
    said = "\n".join(text for language, text in blocks("Python") if language == "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(said, "get-started.md", "exec"), {})  # noqa: S102
    weights = re.search(r"# (\[[\d. ]+\])$", said, re.M)[1]
    expect("the learner", re.sub(r"\s+", " ", printed.getvalue().splitlines()[0]), weights)


if __name__ == "__main__":
    explained()
    if sys.argv[1:] == ["--python"]:
        python()
    elif len(sys.argv) == 3:
        command_line_and_cpp(sys.argv[1], sys.argv[2])
    else:
        sys.exit(__doc__)
