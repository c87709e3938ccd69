echo on
add --a 1 > /dev/null
while :; do :; done # HERE
