import sys

print("x")
add(a=1)
sys.exit(3)  # HERE
