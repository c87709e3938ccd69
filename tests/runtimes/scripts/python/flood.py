for _ in range(200_000):
    print("x" * 100)
