_hidden = shop.add(a=1, b=2)
return _hidden
# WARNS: 1 starts with an underscore
