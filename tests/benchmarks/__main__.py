"""`make bench`."""

import asyncio

from tests.benchmarks import call_tree, calls, endpoint, panel, runtimes, window

asyncio.run(calls.main())
asyncio.run(runtimes.main())
endpoint.main()
call_tree.main()
panel.main()
window.main()
