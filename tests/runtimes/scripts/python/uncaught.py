print("before")
add(a=1)
fail(kind="key")  # HERE
