"""`make bench`."""

import asyncio

from tests.benchmarks import calls

asyncio.run(calls.main())
