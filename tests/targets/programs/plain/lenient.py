rows = [stock("pear"), await stock(item="fig")]
return sum(row["count"] for row in rows)
# SEES: null
