def main():
    print(add(a=1))


if __name__ == "__main__":
    main()
