error=$(call_tool sleep --seconds 3 --timeout 0.2 2>&1)
[ $? -eq 124 ] && echo "${error%%:*}"
python3 -c 'call_tool("sleep", {"seconds": 3}, timeout_secs=0.2)' 2>&1 | grep -q TimeoutError && add --a 1
