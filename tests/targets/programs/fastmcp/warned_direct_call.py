return await add(a=1, b=2)
# WARNS: 1 no function there
