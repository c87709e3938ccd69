"""The live tree of calls, the inspector beside it, and the views of their values."""
