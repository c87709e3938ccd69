type Inner struct {
	B int `json:"b"`
}

type Sample struct {
	Text  string           `json:"text"`
	Yes   bool             `json:"yes"`
	No    bool             `json:"no"`
	None  *int             `json:"none"`
	Int   int              `json:"int"`
	Float float64          `json:"float"`
	List  []any            `json:"list"`
	Map   map[string]Inner `json:"map"`
}

sent := Sample{
	Text: "é", Yes: true, Int: 7, Float: 1.5,
	List: []any{1.0, []any{2.0}}, Map: map[string]Inner{"a": {B: 1}},
}
received := MustCallTool[Sample]("echo", Args{"value": sent})
if reflect.DeepEqual(sent, received) {
	fmt.Println("same")
}
