"""`Registry`, `HydrateState` and `hydrate` with the names and arguments of promptlibretto 0.6.0.

The prompt is that of this engine: equal wherever nothing is rolled, but for the differences that
COMPATIBILITY.md of Promptdeck lists. A seed gives other picks than there, and the same ones on
every machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from promptdeck import Model

__all__ = ["SCHEMA_VERSION", "HydrateState", "Registry", "Route", "Section", "hydrate"]

SCHEMA_VERSION = 22

_SEEDS = 2**53
_TOP_LEVEL = ("version", "title", "description", "assembly_order")
_NO_SECTIONS = {*_TOP_LEVEL, "routes", "generation", "output_policy"}
_OPTIONAL = (
    "selected",
    "section_random",
    "array_modes",
    "slider",
    "slider_random",
    "scale_template",
    "template_var_defaults",
)


@dataclass
class Section:
    """A named list of items, with what an export bakes into it."""

    required: bool = True
    template_vars: list[str] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    selected: str | list[str] | None = None
    section_random: bool | None = None
    array_modes: dict[str, str] | None = None
    slider: float | None = None
    slider_random: bool | None = None
    scale_template: str | None = None
    template_var_defaults: dict[str, str] | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Section:
        """The section of a dictionary; keys it does not know are ignored."""
        return cls(
            required=bool(data.get("required", True)),
            template_vars=list(data.get("template_vars") or ()),
            items=[dict(item) for item in data.get("items") or ()],
            **{name: data.get(name) or None for name in ("array_modes", "template_var_defaults")},
            **{
                name: data.get(name)
                for name in _OPTIONAL
                if name not in ("array_modes", "template_var_defaults")
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """The section as a dictionary, without what is not set."""
        optional = {name: getattr(self, name) for name in _OPTIONAL}
        return {
            "required": self.required,
            "template_vars": self.template_vars,
            "items": self.items,
            **{name: value for name, value in optional.items() if value not in (None, "", {})},
        }


@dataclass
class Route:
    """A named alternative to the assembly order, the generation settings and the policy."""

    assembly_order: list[str] | None = None
    generation: dict[str, Any] = field(default_factory=dict)
    output_policy: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Route:
        """The route of a dictionary."""
        order = data.get("assembly_order") or () if "assembly_order" in data else None
        return cls(
            assembly_order=None if order is None else list(order),
            generation=dict(data.get("generation") or {}),
            output_policy=dict(data.get("output_policy") or {}),
        )

    def to_dict(self) -> dict[str, Any]:
        """The route as a dictionary, without what is not set."""
        parts: dict[str, Any] = {}
        if self.assembly_order is not None:
            parts["assembly_order"] = self.assembly_order
        if self.generation:
            parts["generation"] = self.generation
        if self.output_policy:
            parts["output_policy"] = self.output_policy
        return parts


@dataclass
class Registry:
    """Sections, an assembly order, routes, generation settings and an output policy."""

    version: int = SCHEMA_VERSION
    title: str = ""
    description: str = ""
    assembly_order: list[str] = field(default_factory=list)
    sections: dict[str, Section] = field(default_factory=dict)
    routes: dict[str, Route] = field(default_factory=dict)
    generation: dict[str, Any] = field(default_factory=dict)
    output_policy: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Registry:
        """The registry of a dictionary, bare or under a key `registry`."""
        inner = data.get("registry")
        body = inner if isinstance(inner, dict) else data
        return cls(
            version=int(body.get("version") or SCHEMA_VERSION),
            title=str(body.get("title") or ""),
            description=str(body.get("description") or ""),
            assembly_order=[str(token) for token in body.get("assembly_order") or ()],
            sections={
                name: Section.from_dict(value)
                for name, value in body.items()
                if name not in _NO_SECTIONS and isinstance(value, dict) and "items" in value
            },
            routes={
                name: Route.from_dict(value)
                for name, value in (body.get("routes") or {}).items()
                if isinstance(value, dict)
            },
            generation=dict(body.get("generation") or {}),
            output_policy=dict(body.get("output_policy") or {}),
        )

    def to_dict(self, *, wrap: bool = True) -> dict[str, Any]:
        """The registry as a dictionary, under a key `registry` unless `wrap` is false."""
        body: dict[str, Any] = {name: getattr(self, name) for name in _TOP_LEVEL}
        body.update({name: section.to_dict() for name, section in self.sections.items()})
        if self.routes:
            body["routes"] = {name: route.to_dict() for name, route in self.routes.items()}
        if self.generation:
            body["generation"] = self.generation
        if self.output_policy:
            body["output_policy"] = self.output_policy
        return {"registry": body} if wrap else body


@dataclass
class HydrateState:
    """The settings of one call."""

    selections: dict[str, str | list[str] | None] = field(default_factory=dict)
    array_modes: dict[str, dict[str, str]] = field(default_factory=dict)
    section_random: dict[str, bool] = field(default_factory=dict)
    sliders: dict[str, float] = field(default_factory=dict)
    slider_random: dict[str, bool] = field(default_factory=dict)
    template_vars: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None = None) -> HydrateState:
        """The state of a dictionary; keys it does not know are ignored."""
        data = data or {}
        return cls(**{name: dict(data.get(name) or {}) for name in cls.__dataclass_fields__})


@lru_cache(maxsize=16)
def _model(text: str) -> Model:
    return Model.from_json(text)


def hydrate(
    reg: Registry,
    state: HydrateState | None = None,
    *,
    route: str | None = None,
    seed: int | None = None,
) -> str:
    """The prompt of a registry and a state.

    A route that the registry does not have counts as none. Seeds of any size are accepted.
    """
    # A registry may change between calls; equal ones are compiled once.
    model = _model(json.dumps(reg.to_dict()))
    settings = {} if state is None else vars(state)
    return model.hydrate(
        settings,
        route=route if route in reg.routes else None,
        seed=None if seed is None else abs(seed) % _SEEDS,
    )
