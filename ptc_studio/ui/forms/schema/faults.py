"""What is wrong with a value, and where."""

from dataclasses import dataclass, replace

from ptc_studio.ui.forms.schema.values import Path, Step


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to mend."""

    path: Path
    message: str
    """One plain sentence."""
    rule: str = ""
    """The keyword of the schema that it offends, such as `minimum`."""
    advice: bool = False
    """A value that looks wrong and can be sent all the same: `format` promises nothing."""

    @property
    def place(self) -> str:
        """Where it is, as one writes it: `lines[2].amount`; nothing for the whole."""
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return text.removeprefix(".")

    def within(self, step: Step) -> "Fault":
        """The same, seen from the value around."""
        return replace(self, path=(step, *self.path))
