"""The endpoint's own description, as an OpenAPI document."""

from typing import Any

from ptc_studio import __version__

_ERROR = {"$ref": "#/components/schemas/Error"}
_JOB = {"name": "job_id", "in": "path", "required": True, "schema": {"type": "string"}}


def _answers(*statuses: int, **given: Any) -> dict[str, Any]:
    """The answers that any request may get, those of this one, and its own."""
    texts = {
        400: "Not a proper request",
        401: "No valid token",
        403: "Foreign host, origin or call token",
        404: "No such job",
        405: "Not the method for this path",
        408: "The body came too slowly",
        413: "The body is too long",
        422: "A field is missing or of the wrong type",
        429: "Too many requests or calls",
        503: "Being stopped, or too busy",
    }
    errors = {
        str(status): {"description": texts[status], "content": {"application/json": {"schema": _ERROR}}}
        for status in (400, 403, 405, *statuses)
    }
    return {**given, **errors}


def _json(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def openapi_document() -> dict[str, Any]:
    """The document; the same for every job."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "PTC Studio endpoint",
            "version": __version__,
            "description": "Scripts that live elsewhere call the tools of one job.",
        },
        "security": [{"token": []}],
        "paths": {**_OPEN_PATHS, **_GUARDED_PATHS},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _SCHEMAS,
        },
    }


_OPEN_PATHS: dict[str, Any] = {
    "/health": {
        "get": {
            "summary": "Whether the endpoint is up",
            "security": [],
            "responses": _answers(**{"200": _json("It is", {"$ref": "#/components/schemas/Health"})}),
        }
    },
    "/openapi.json": {
        "get": {
            "summary": "This document",
            "security": [],
            "responses": _answers(**{"200": _json("The document", {"type": "object"})}),
        }
    },
}
_GUARDED = (401, 404, 429, 503)
_AFTER = {"type": "string", "pattern": "^[0-9]{1,18}$"}
_GUARDED_PATHS: dict[str, Any] = {
    "/worker/{job_id}/tools": {
        "get": {
            "summary": "The granted tools and aliases",
            "parameters": [_JOB],
            "responses": _answers(*_GUARDED, **{"200": _json("The tools", {"$ref": "#/components/schemas/Tools"})}),
        }
    },
    "/worker/{job_id}/tools/call": {
        "post": {
            "summary": "Calls a tool and waits for its answer",
            "parameters": [_JOB],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CallBody"}}},
            },
            "responses": _answers(
                *_GUARDED, 408, 413, 422,
                **{"200": _json("What came of it, also of a failure", {"$ref": "#/components/schemas/Answer"})},
            ),
        }
    },
    "/worker/{job_id}/events": {
        "get": {
            "summary": "The calls of the job as server-sent events",
            "parameters": [
                _JOB,
                {"name": "Last-Event-ID", "in": "header", "schema": _AFTER},
                {"name": "after", "in": "query", "schema": _AFTER},
            ],
            "responses": _answers(
                *_GUARDED, 422,
                **{
                    "200": {
                        "description": "job_tool_use, job_tool_result, and gap where events were missed",
                        "content": {"text/event-stream": {"schema": {"type": "string"}}},
                    }
                },
            ),
        }
    },
}  # fmt: skip


_SCHEMAS: dict[str, Any] = {
    "Health": {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}},
    "Error": {
        "type": "object",
        "required": ["success", "error"],
        "properties": {"success": {"const": False}, "error": {"type": "string"}},
    },
    "CallBody": {
        "type": "object",
        "required": ["tool_name"],
        "properties": {
            "tool_name": {"type": "string", "minLength": 1},
            "parameters": {"type": ["object", "null"], "default": {}},
            "timeout_secs": {"type": ["number", "null"], "minimum": 0, "description": "At most 300 count."},
            "nesting_depth": {"type": ["integer", "null"], "minimum": 0, "default": 0},
            "call_token": {
                "type": ["string", "null"],
                "description": "PTC_CALL_TOKEN of the process that makes the call, if a tool started it.",
            },
            "format": {
                "enum": ["text", "json", None],
                "default": "text",
                "description": "json: the value itself as output, and more about the call.",
            },
        },
    },
    "Answer": {
        "type": "object",
        "required": ["success", "duration_ms", "was_sanitized"],
        "properties": {
            "success": {"type": "boolean"},
            "output": {},
            "error": {"type": "string"},
            "duration_ms": {"type": "integer", "minimum": 0},
            "was_sanitized": {"type": "boolean"},
        },
    },
    "Tools": {
        "type": "object",
        "required": ["tools"],
        "properties": {
            "tools": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name", "description", "parameters", "source"],
                    "properties": {"name": {"type": "string"}, "parameters": {"type": "object"}},
                },
            }
        },
    },
}
