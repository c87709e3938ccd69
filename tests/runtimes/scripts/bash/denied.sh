error=$(call_tool mul --a 1 --b 1 2>&1)
[ $? -eq 126 ] && echo "${error%%:*}"
