sent = b"\x00\xff\x10"
print(hexed(data=sent))
print("same" if echo({"in": [sent]}) == {"in": [sent]} else "different")
