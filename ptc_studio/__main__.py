"""`python -m ptc_studio` is `ptc-studio`."""

from ptc_studio.cli.main import script

script()
