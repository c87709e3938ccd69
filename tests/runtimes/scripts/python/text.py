sent = 'a\x00b\n\t"\\ 😀 日本 \u2028'
print("same" if echo(sent) == sent else "different")
