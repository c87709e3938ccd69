print("x")
exit(0)
print("never")
