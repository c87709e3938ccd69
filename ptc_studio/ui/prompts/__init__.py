"""Calls that wait for a person: a banner, a panel for each, and what comes of it.

The path: `WindowAsker` takes a question from the call's thread to the window's, `WaitingPrompts` holds it while it
waits, banner, list and panel show it, `PromptDecision` answers it. Nothing of it is modal or takes the keyboard.
"""
