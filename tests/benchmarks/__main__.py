"""`make bench`."""

import asyncio

from tests.benchmarks import calls, window

asyncio.run(calls.main())
window.main()
