row = stock("pear")
count = row["count"]
for tag in row["tags"]:
    print(tag, end=" ")
rounded = ceil(count / 2)
# SEES: "Execution logs:\nred\nripe\nLast output from code snippet:\n4"
