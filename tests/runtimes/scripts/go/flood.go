line := strings.Repeat("x", 100)
for i := 0; i < 200_000; i++ {
	fmt.Println(line)
}
