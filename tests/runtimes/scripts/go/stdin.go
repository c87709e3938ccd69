data, err := io.ReadAll(os.Stdin)
if err != nil {
	panic(err)
}
fmt.Println(len(data))
