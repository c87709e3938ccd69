"""Host side of the runtimes. Importing this package loads the protocols alone."""

from ptc_studio.runtimes.protocol import (
    CodeResult,
    CodeRuntime,
    DirectProjection,
    ToolProjection,
    namespace_to_callables,
    validate_namespace,
)

__all__ = [
    "CodeResult",
    "CodeRuntime",
    "DirectProjection",
    "ToolProjection",
    "namespace_to_callables",
    "validate_namespace",
]
