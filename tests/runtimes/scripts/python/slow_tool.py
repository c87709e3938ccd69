print("on")
sleep(30)  # HERE
