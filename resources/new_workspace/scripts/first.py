# Your first script. Press F5 to run it: each call of a tool shows up in Calls while it happens.
# It runs in a process of its own, apart from the tools, which only it can call.
guests = ["Ada", "Grace", "Alan"]

for guest in guests:
    print(greet(guest))

# An alias of studio.yaml: the same tool, with one argument fixed.
print(greet_in_german("Konrad"))

# The last expression is the result of the run.
len(guests)
