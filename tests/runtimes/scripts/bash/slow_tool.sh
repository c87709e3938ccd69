echo on
call_tool sleep --seconds 30 # HERE
