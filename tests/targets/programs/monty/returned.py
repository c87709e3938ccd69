row = stock("pear")
if row["count"] > 5:
    return {"enough": row["item"]}
"too few"
# SEES: {"enough": "pear"}
