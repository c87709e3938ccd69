print("before")
raise ValueError("broken")  # HERE
