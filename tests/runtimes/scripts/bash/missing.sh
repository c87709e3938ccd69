error=$(mul --a 1 2>&1)
[ $? -eq 2 ] && echo "${error:0:9} ${error:11:33}"
