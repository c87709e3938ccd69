var names []string
for _, variable := range os.Environ() {
	if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "PTC_") {
		names = append(names, name)
	}
}
fmt.Println(strings.Join(names, " "))
