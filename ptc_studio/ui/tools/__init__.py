"""The panel of tools: sources, modules, tools and aliases, with what is to be known of each."""
