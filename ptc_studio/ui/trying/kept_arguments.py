"""Offers the arguments of former calls again; secrets never come back, because they were never kept."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ptc_studio.ui.forms import one_line
from ptc_studio.ui.trying.password_fields import without_passwords

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.workbench import Workbench


def keep(workbench: "Workbench", target: "Target", arguments: Any) -> None:
    """Remembers the arguments of a call, without passwords and what is redacted in them."""
    if not isinstance(arguments, dict) or not arguments:
        return
    arguments = without_passwords(arguments, target.spec.parameters)
    redactor = workbench.studio.executor.redactor
    if target.alias is not None and target.alias.redact:
        redactor = redactor.extended(keys=target.alias.redact)
    workbench.argument_sets.add(target.spec.name, arguments, redactor.value(arguments, "arguments").value)


def recall(workbench: "Workbench", target: "Target") -> list[Mapping[str, Any]]:
    """What can be offered for the target, the latest first."""
    sets = workbench.argument_sets.of(target.spec.name)
    return [{"label": one_line(each), "value": each} for each in sets]
