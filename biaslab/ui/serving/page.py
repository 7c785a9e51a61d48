"""The page that every screen begins with, told where its server is, and mended in two places.

Streamlit's page does not know below which path it is served, and asks two addresses below the
screen's own name before it finds the server: two errors for each screen that is opened.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit
from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HERE = (
    b"window.__streamlit={BACKEND_BASE_URL:location.origin+location.pathname.replace(/[^/]*$/,'')}"
)
"""A screen's name is the last part of its path; what stands before it is the server's address."""

_MENDS = (
    b"let path=location.pathname;new MutationObserver(()=>{for(const field of "
    b"document.querySelectorAll('section[role=presentation]'))field.setAttribute('role','group');"
    b"if(path!==location.pathname){path=location.pathname;"
    b"document.querySelector('[data-testid=stMain]')?.scrollTo(0,0)}})"
    b".observe(document,{childList:true,subtree:true})"
)
"""What Streamlit leaves undone, whenever it draws.

Its field for files has a label and takes the focus, and says that it is decoration. And a new
screen begins where the last one was scrolled to, if its contents are there at once.
"""

_SCREEN = re.compile(r"/[a-z_]*")


@cache
def page() -> bytes:
    """Streamlit's page with this script before all others."""
    found = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    return found.replace(
        b"<script", b"<script>" + _HERE + b";" + _MENDS + b"</script>\n    <script", 1
    )


@cache
def script_hashes() -> str:
    """The scripts that stand in the page, as a policy of content lists them."""
    scripts = re.findall(rb"<script>(.*?)</script>", page(), re.DOTALL)
    hashes = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{each}'" for each in hashes)


class ScreenPage:
    """Sends `page` wherever Streamlit sends its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._size = str(len((Path(streamlit.__file__).parent / "static/index.html").read_bytes()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request; all but Streamlit's page goes through untouched."""
        if scope["type"] != "http" or not _SCREEN.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        # Streamlit would press its own page, and what is pressed cannot be told apart.
        headers = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        scope = {**scope, "headers": headers}
        is_page = False

        async def sent(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                is_page = (
                    message["status"] == 200
                    and headers.get("content-type", "").startswith("text/html")
                    and headers.get("content-length") == self._size
                )
                if is_page:
                    headers["content-length"] = str(len(page()))
                    del headers["etag"], headers["last-modified"]
            elif is_page and scope["method"] != "HEAD":
                if message.get("more_body"):
                    return
                message = {**message, "body": page()}
            await send(message)

        await self._app(scope, receive, sent)
