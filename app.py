"""Starts the app: ``streamlit run app.py``.

The screens are declared by `biaslab.ui.main`, which Streamlit runs at every click; this runs once.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from biaslab.system.importing import uncollected

with uncollected():
    from biaslab.ui.serving import log, roles, routes, starting
    from biaslab.ui.serving.compression import CompressionMiddleware
    from biaslab.ui.serving.guard import Guard
    from biaslab.ui.serving.page import ScreenPage
    from biaslab.ui.widgets.words import show_unexpected

MAIN = Path(__file__).resolve().parent / "biaslab" / "ui" / "main.py"


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Opens the browser once the port is known.

    What was imported is kept out of later garbage collections, which then take no time. Hardly
    any of it is garbage, so none is looked for. By now every logger of the server is there.
    """
    gc.freeze()
    log.bound()
    asyncio.get_running_loop().call_soon(starting.announce)
    yield
    starting.withdraw()


try:
    roles.start_token(), roles.host_token()
except roles.ShortToken as error:
    sys.exit(f"BiasLab was not started. {error}")

app = st.App(
    MAIN,
    lifespan=lifespan,
    on_script_error=show_unexpected,
    routes=[
        Route(roles.START, roles.start),
        Route(routes.ALIVE, routes.alive),
        Route(routes.READY, routes.ready),
        *routes.phone_routes(),
    ],
    middleware=[
        *([Middleware(log.LogMiddleware)] if log.is_wanted() else []),
        Middleware(Guard, names=starting.names()),
        Middleware(CompressionMiddleware, thorough=starting.is_shared()),
        Middleware(ScreenPage),
    ],
)
