"""The secrets in the window: the list of them, their values and names, the passphrase, and files to import."""
