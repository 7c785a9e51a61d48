"""Where phones join: the address of a room, and its code on the wall."""

from __future__ import annotations

import io

import segno

from biaslab.room.errors import BadRequest
from biaslab.room.limits import CODE_LENGTH, LETTERS


def join_address(host: str, code: str) -> str:
    """The address that a phone opens to join a room, in capitals: its QR code has fewer squares.

    Args:
        host: as people type it, with its port where it has one, and with ``https://`` before it
            where the app is served so.
        code: of the room.

    Raises:
        BadRequest: the host or the code is none.
    """
    scheme, _, rest = host.strip().rpartition("://")
    rest = rest.rstrip("/")
    if scheme.lower() not in ("", "http", "https") or not rest or set(rest) & set(" /?#@\\"):
        raise BadRequest(f"“{host}” is no host. Write it as in 192.168.1.20:8501.")
    if len(code) != CODE_LENGTH or not set(code.upper()) <= set(LETTERS):
        raise BadRequest(f"“{code}” is no code of a room.")
    return f"{scheme or 'http'}://{rest}/r/{code}".upper()


def qr_svg(text: str) -> str:
    """A QR code as the text of an SVG file: black on white, as wide as its place.

    Level M: it is read with an eighth of it hidden.
    """
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return out.getvalue().decode()
