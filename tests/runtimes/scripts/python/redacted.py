print(len(echo({"password": "hunter2canary"})["password"]))
