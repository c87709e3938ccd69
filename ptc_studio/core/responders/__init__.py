"""Who answers a call: the tool, or whoever stands in for it.

The stand-ins form a chain. Each gets the call and the rest of the chain, and either answers, or hands on. A new kind
of answer is one module with one class here; nothing else knows of it.
"""

from ptc_studio.core.responders.chain import Answer, Responder, ResponderChain

__all__ = ["Answer", "Responder", "ResponderChain"]
