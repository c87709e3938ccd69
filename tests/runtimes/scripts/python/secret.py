print("key sk-proj-abcdefghij01234", end="", flush=True)
print("56789ABCDEFGHIJabcdefgh end")
