print(len(echo("ä" * 3_000_000)))
