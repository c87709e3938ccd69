try:
    fail(kind="http")
except Exception as error:
    print(error.status, error.body["why"], error.headers["x-id"])
