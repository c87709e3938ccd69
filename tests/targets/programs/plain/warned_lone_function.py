async def main():
    return await stock("pear")


# WARNS: 1 Nothing calls `main`
