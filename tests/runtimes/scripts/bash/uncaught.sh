echo before
add --a 1 > /dev/null
fail --kind key # HERE
