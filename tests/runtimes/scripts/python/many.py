total = 0
for _ in range(5000):
    total = add(total, 1)
print(total)
