print("first")
gate()
print("second")
