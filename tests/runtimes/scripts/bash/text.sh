sent='"a\u0000b\n\t\"\\ 😀 日本  "'
received=$(call_tool echo --value "$sent" --json)
[ "$received" = "$sent" ] && echo same
