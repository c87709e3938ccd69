"""Your first tools: every function in this folder can be called by scripts.

Save a change and it counts at once. What runs at the top level of a file, such as a `print`, makes it a script, which
is not loaded as tools.
"""

from typing import Literal

GREETINGS = {"english": "Hello", "french": "Bonjour", "german": "Guten Tag"}


def greet(name: str, language: Literal["english", "french", "german"] = "english") -> str:
    """Greet somebody by name."""
    return f"{GREETINGS[language]}, {name}!"
