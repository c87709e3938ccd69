print(price(item="pear"))
# WARNS: 1 no function there
