"""The suite on other machines than this one: `make test-machines`, or `python -m tests.machines NAME...` for some of them."""
