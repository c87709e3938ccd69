try:
    call_tool("sleep", {"seconds": 3}, timeout=0.2)
except TimeoutError as error:
    print(type(error).__name__)
try:
    call_tool("sleep", {"seconds": 3}, timeout_secs=0.2)
    print("timeout_secs is not understood")
except TimeoutError:
    print(add(a=1))
