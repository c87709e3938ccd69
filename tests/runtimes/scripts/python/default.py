print(add(a=1))
