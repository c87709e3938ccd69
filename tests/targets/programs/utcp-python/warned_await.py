row = await shop.stock(item="pear")
return row
# WARNS: 1 SyntaxError there
