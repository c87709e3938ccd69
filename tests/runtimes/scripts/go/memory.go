fmt.Println("on")
var kept [][]byte
for {
	block := make([]byte, 16<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	kept = append(kept, block)
}
