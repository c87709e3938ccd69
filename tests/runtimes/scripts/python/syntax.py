print("never")
if True print("never")  # HERE
