"""A font with the measures that mathematics needs, as a style sheet: without one, raised and lowered signs stand where they like.

    python site/math_font.py DIRECTORY     DIRECTORY/mathematics.css, STIX Two Math cut down to what the pages need

It is inside of the style sheet, as pages that are opened from disk may not load fonts from beside them in every browser.
"""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path

import ziamath
from fontTools import subset

CHARACTERS = [
    *range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x302, 0x305), *range(0x370, 0x400), *range(0x2010, 0x2045), *range(0x2070, 0x20A0),
    0x210E, *range(0x2190, 0x2200), *range(0x2200, 0x22F0), *range(0x2308, 0x230C), *range(0x239B, 0x23A7),
    *range(0x1D434, 0x1D468), *range(0x1D6A4, 0x1D71C),  # letters in italics, which is how one letter is set
]


def main(directory: Path) -> None:
    """Write the style sheet."""
    font = subset.load_font(Path(ziamath.__file__).parent / "fonts/STIXTwoMath-Regular.ttf", subset.Options())
    options = subset.Options(layout_features=["*"], flavor="woff2", name_IDs=["*"])
    cut = subset.Subsetter(options)
    cut.populate(unicodes=CHARACTERS)
    cut.subset(font)
    out = io.BytesIO()
    subset.save_font(font, out, options)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "mathematics.css").write_text(
        "/* STIX Two Math, by the SIL Open Font License 1.1: https://scripts.sil.org/OFL */\n"
        '@font-face { font-family: "STIX Two Math"; font-display: block; src: url("data:font/woff2;base64,'
        f'{base64.b64encode(out.getvalue()).decode()}") format("woff2"); }}\n'
        'math { font-family: "STIX Two Math", math; }\n')


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
