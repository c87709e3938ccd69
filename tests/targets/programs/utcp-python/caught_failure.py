try:
    shop.fail(reason="closed")
except RuntimeError as error:
    return json.dumps(str(error))
# SEES: {"result": "\"Error calling tool 'shop.fail': closed\"", "logs": []}
