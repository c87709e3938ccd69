print("on")
add(a=1)
while True:  # HERE
    pass
