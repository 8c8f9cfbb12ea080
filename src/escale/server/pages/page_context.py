"""The context of a page: its language, its template, and everything that all pages share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from escale.game.errors import UnknownGame
from escale.game.languages import languages
from escale.game.texts import LANGUAGES, number, span
from escale.server.edge import locale
from escale.server.edge.addresses import is_loopback, network_addresses
from escale.server.edge.current import request_id
from escale.server.edge.security import EMBED, POLICY
from escale.web import TEMPLATES, counted, edition, words
from escale.web.static_files import modules

templates = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)
templates.globals["written"] = number


class PageContext:
    """One request for a page, with the things that its template needs beside its own content."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.lang, self.here = locale.split(request.scope["path"])

    @property
    def app(self) -> Any:
        """The objects that the app holds for its rooms (`create_app`)."""
        return self.request.app.state

    @property
    def house(self) -> Any:
        """The tables of this house."""
        return self.app.house

    @property
    def along(self) -> Any:
        """The parts for playing without network; None if there are none."""
        app = self.request.scope.get("app")
        return getattr(app.state, "parts", None) if app else None

    @property
    def bots(self) -> Any:
        """The accounts of bots of this house."""
        return self.request.app.state.bots

    def network(self) -> tuple[str, ...]:
        """The origins at which others find the house, for a visitor at its own machine.

        Other visitors have come by an address that works, and must not learn the addresses of the
        network.
        """
        client, server = self.request.client, self.request.scope.get("server")
        reached = self.request.url.hostname or ""
        if not client or not server or not (is_loopback(client.host) and is_loopback(reached)):
            return ()
        if self.app.room is not None and self.app.room.origins:
            found: tuple[str, ...] = self.app.room.origins
            return found
        settings = self.house.settings
        return network_addresses(settings.host, server[1], settings.machine)

    @property
    def base(self) -> str:
        """The origin under which others find this page: the host's, else the request's."""
        reached = str(self.request.base_url).rstrip("/")
        app = self.request.scope.get("app")
        house = getattr(app.state, "house", None) if app else None
        origins: tuple[str, ...] = house.settings.origins if house else ()
        return reached if not origins or reached in origins else origins[0]

    @property
    def embeds(self) -> bool:
        """Whether the host lets other sites show parts of the house in frames."""
        app = self.request.scope.get("app")
        house = getattr(app.state, "house", None) if app else None
        return house is not None and bool(house.settings.embed)

    @property
    def embedded(self) -> bool:
        """Whether this page is shown in a frame of another site."""
        return self.here.startswith(EMBED)

    @property
    def alone(self) -> bool:
        """Whether the page is made for a file server, without a house behind it."""
        app = self.request.scope.get("app")
        house = getattr(app.state, "house", None) if app else None
        return house is not None and bool(house.settings.alone)

    def say(self, key: str, **values: object) -> str:
        """A sentence of the pages in the page's language."""
        return words().say(key, self.lang, **values)

    def count(self, key: str, number: int, **values: object) -> str:
        """A sentence about a number of things: `key.one` or `key.many`."""
        return counted(key, number, self.lang, **values)

    def url(self, path: str) -> str:
        """The address of a page in the page's language."""
        return locale.address(path, self.lang)

    def show(self, template: str, status: int = 200, **values: object) -> Response:
        """A page."""
        base = self.base
        query = f"?{self.request.url.query}" if self.request.url.query else ""
        page = templates.get_template(template).render(
            lang=self.lang, here=self.here, base=base,
            say=self.say, count=self.count, url=self.url, static=static, modules=modules,
            span=span, along=self.along, alone=self.alone, alone_policy=ALONE_POLICY,
            embedded=self.embedded, embeds=self.embeds,
            alternates=[
                *((lang, base + quote(locale.address(self.here, lang))) for lang in LANGUAGES),
                ("x-default", base + quote(self.here)),
            ],
            request_id=request_id.get(),
            tongues=[
                (other, f"/lang/{other.code}?to={quote(quote(self.here) + query)}")
                for other in languages().values() if other.code != self.lang
            ],
            **values,
        )
        headers = {"vary": "accept-language, cookie", "cache-control": "no-cache"}
        return Response(page, status, headers, "text/html; charset=utf-8")


ALONE_POLICY = POLICY.partition("; frame-ancestors")[0]
"""For pages of file servers, which send no headers; a page itself cannot say who may frame it."""
View = Callable[[PageContext], Awaitable[Response]]


def page(router: APIRouter, path: str) -> Callable[[View], View]:
    """Serve a view at `path`, and under the prefixes of the other languages."""

    def register(view: View) -> View:
        async def answer(request: Request) -> Response:
            context = PageContext(request)
            wish = locale.wished(request)
            if context.lang == locale.DEFAULT and wish != locale.DEFAULT:
                query = f"?{request.url.query}" if request.url.query else ""
                return RedirectResponse(
                    quote(locale.address(context.here, wish)) + query, 302,
                    {"vary": "accept-language, cookie", "cache-control": "no-cache"},
                )
            try:
                return await view(context)
            except UnknownGame:
                return error_page(request, 404, "game")

        for lang in LANGUAGES:
            router.add_route(locale.address(path, lang), answer, methods=["GET"])
        return view

    return register


def static(path: str) -> str:
    """The address of a static file, which changes when any of them does.

    The edition stands in front, so that modules and styles that refer to each other by relative
    paths stay within one edition.
    """
    return f"/static/{edition()}/{path}"


# ---- errors ----

KNOWN_ERRORS = (403, 404, 405, 413, 422, 429, 500, 503)


def error_page(request: Request, status: int, reason: str = "") -> Response:
    """An error page: what happened and what the visitor can do, without details of the program."""
    context = PageContext(request)
    if context.lang == locale.DEFAULT:
        context.lang = locale.wished(request)
    kind = reason or str(status if status in KNOWN_ERRORS else 500 if status >= 500 else 400)
    return context.show("error.html", status, number=status, kind=kind)
