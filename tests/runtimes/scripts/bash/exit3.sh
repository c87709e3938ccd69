echo x
add --a 1 > /dev/null
exit 3 # HERE
