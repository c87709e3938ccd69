print(outer())
