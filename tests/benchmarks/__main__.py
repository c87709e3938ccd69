"""`make bench`."""

import asyncio

from tests.benchmarks import call_tree, calls, endpoint, history, panel, runtimes, targets, window

asyncio.run(calls.main())
asyncio.run(runtimes.main())
asyncio.run(targets.main())
asyncio.run(history.main())
endpoint.main()
call_tree.main()
panel.main()
window.main()
