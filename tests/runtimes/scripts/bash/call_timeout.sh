error=$(call_tool sleep --seconds 3 --timeout 0.2 2>&1)
[ $? -eq 124 ] && echo "${error%%:*}"
add --a 1
