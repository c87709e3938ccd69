for number in range(9):
    if add(number) > 3:
        return mul(add(number), 10) + 2
print("never")
