print("x")
add(a=1)
exit(3)  # HERE
