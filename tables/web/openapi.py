"""The OpenAPI document, from the structures that the views declare."""

from typing import Any, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from tables.shapes import Answer
from tables.web.api import Api, CommandApi, ListApi, ReadApi


class ErrorBody(Answer):
    """Every error; programs go by `code`, and `detail.place` names the field if there is one."""

    code: str
    message: str
    detail: dict[str, Any]


class ShapeSchema(AutoSchema):
    """Reads a view's structures; other views are described as the library does it."""

    def get_request_serializer(self) -> Any:
        """The structure of the body."""
        shape = getattr(self.view, "request_shape", None)
        if not isinstance(self.view, Api):
            return super().get_request_serializer()
        if self.method != "POST" or shape is None:
            return None
        return shape if isinstance(shape, type) else shape()

    def get_response_serializers(self) -> Any:
        """The structures of the answers by status; every error has one."""
        if not isinstance(self.view, Api):
            return super().get_response_serializers()
        return {**self._answers(self.view), **dict.fromkeys(self._errors(), ErrorBody)}

    def _errors(self) -> tuple[int, ...]:
        if self.method == "POST":
            return (400, 401, 403, 404, 409, 413)
        is_found = "{" in self.path or isinstance(self.view, ListApi)
        return (400, 401, 403, 404) if is_found else (400, 401, 403)

    def _answers(self, view: Api) -> dict[Any, Any]:
        if hasattr(view, "answers"):
            return cast("dict[Any, Any]", view.answers)
        if self.method == "POST" and isinstance(view, CommandApi):
            shape = view.made_shape()
            return {view.made_status: shape, 200: shape}
        if isinstance(view, ListApi):
            return {200: view.answer()}
        return {200: view.answer} if isinstance(view, ReadApi) else {}

    def get_override_parameters(self) -> list[Any]:
        """The parameters of the query string."""
        if not isinstance(self.view, Api) or self.method != "GET":
            return list(super().get_override_parameters())
        schema = self.view.query.model_json_schema()
        required = schema.get("required", ())
        return [
            OpenApiParameter(
                name,
                _without_null(of),
                required=name in required,
                description=of.get("description", ""),
            )
            for name, of in _resolved(schema).items()
        ]

    def get_description(self) -> str:  # type: ignore[override]  # (as the library has it)
        """What a command does, as its service tells it; what a list or a thing is, as its view."""
        if self.method == "POST" and isinstance(self.view, CommandApi):
            return _paragraphs(self.view.service.words)
        if self.method == "GET" and isinstance(self.view, Api):
            return _paragraphs(type(self.view).__doc__ or "")
        return str(super().get_description())

    def get_operation_id(self) -> str:
        """The view's own name for a method, or the library's."""
        names = getattr(self.view, "operation_ids", {})
        return str(names.get(self.method) or super().get_operation_id())


def _paragraphs(text: str) -> str:
    """A docstring without what concerns only those who call the function."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return "\n".join(lines).split("Raises ")[0].strip()


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of a structure with what they refer to in place."""
    known = schema.get("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, list):
            return [resolve(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            target = known[node["$ref"].rsplit("/", 1)[1]]
            return {key: value for key, value in resolve(target).items() if key != "title"}
        return {key: resolve(value) for key, value in node.items()}

    return cast("dict[str, Any]", resolve(schema.get("properties", {})))


def _without_null(of: dict[str, Any]) -> dict[str, Any]:
    """A parameter that may be left out is not null."""
    kinds = [kind for kind in of.get("anyOf", [of]) if kind.get("type") != "null"]
    return {key: value for key, value in kinds[0].items() if key not in {"title", "description"}}
