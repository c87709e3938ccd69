error=$(call_tool nope 2>&1)
[ $? -eq 127 ] && echo "${error/: / }"
