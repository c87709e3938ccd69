"""The studio as it is: lenient, and what a script runs under that is going nowhere in particular."""

from ptc_studio.targets.target import DeploymentTarget, Note

TARGET = DeploymentTarget(
    id="plain",
    name="Plain",
    language="any",
    runtime="",
    notes=(Note("The studio as it is: every runtime, tools in each language's own manner, nothing is refused.", "S"),),
)
