value = 1
for _ in range(200):
    value = [value]

received, levels = echo(value), 0
while isinstance(received, list):
    received, levels = received[0], levels + 1
print(levels)
