import os

print(os.getcwd(), price(item="pear"))
# WARNS: 1 cannot be imported
