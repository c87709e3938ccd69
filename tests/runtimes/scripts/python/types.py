sent = {
    "text": "é",
    "yes": True,
    "no": False,
    "none": None,
    "int": 7,
    "float": 1.5,
    "list": [1, [2]],
    "map": {"a": {"b": 1}},
}
print("same" if echo(sent) == sent else "different")
