# Your first script: press F5. Each call shows up in Calls.
# It runs in a process of its own, apart from the tools.
guests = ["Ada", "Grace", "Alan"]

for guest in guests:
    print(greet(guest))

# An alias of studio.yaml: the same tool, with one argument fixed.
print(greet_in_german("Konrad"))

# The last expression is the result of the run.
len(guests)
