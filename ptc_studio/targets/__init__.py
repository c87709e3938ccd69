"""Where scripts are deployed: what each target calls a tool, what it puts around a script, and what the model sees.

A target is a folder here, whose `TARGET` says all that is known of it; `target.py` has the words for that.
"""

from ptc_studio.targets.catalog import UnknownTarget, all_targets, find_target, recognise, target_ids
from ptc_studio.targets.deployment import Destination, Given, check, deploy, is_for_language
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

__all__ = [
    "CallStyle",
    "CheckedScript",
    "DeploymentTarget",
    "Destination",
    "Finding",
    "Given",
    "Note",
    "TargetLimits",
    "UnknownTarget",
    "all_targets",
    "check",
    "deploy",
    "find_target",
    "is_for_language",
    "recognise",
    "target_ids",
]
