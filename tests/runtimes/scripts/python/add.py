print(add(a=1, b=2))
