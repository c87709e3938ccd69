"""What the tests of the secrets' dialogs share: no keyring, and a file of their own that is quickly unlocked."""

import pytest

PASSPHRASE = "correct horse battery"


@pytest.fixture(autouse=True)
def _secrets_of_their_own(own_secrets: None) -> None:
    """Locked: each test unlocks them."""
