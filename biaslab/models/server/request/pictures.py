"""Pictures as servers take them: PNG inside the request, drawn here from SVG."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from pathlib import Path

_ZOOM = 2.0
"""Letters come out some 30 pixels high, which models read well."""


@lru_cache(maxsize=64)
def png_address(svg: str) -> str:
    """An SVG picture as a data address of the same picture in PNG.

    Letters are always of the font that ships with matplotlib: the same picture is the same on every
    machine, and a machine without fonts draws no picture without its words.

    Args:
        svg: text of the file.

    Raises:
        ValueError: it is no SVG.
    """
    import matplotlib
    import resvg_py

    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    png = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=_ZOOM, skip_system_fonts=True, font_files=[str(font)],
        font_family="DejaVu Sans", sans_serif_family="DejaVu Sans",
    )  # fmt: skip
    return "data:image/png;base64," + b64encode(bytes(png)).decode("ascii")
