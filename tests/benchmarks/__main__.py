"""`make bench`."""

import asyncio

from tests.benchmarks import call_tree, calls, window

asyncio.run(calls.main())
call_tree.main()
window.main()
