try:
    call_tool("sleep", {"seconds": 3}, timeout=0.2)
except TimeoutError as error:
    print(type(error).__name__)
print(add(a=1))
