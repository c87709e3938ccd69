package ptc

// frame is a line from the host; value and failure are still JSON.
type frame struct {
	kind, message, filename, directory string
	id                                 int64
	value, failure                     []byte
}

func parseFrame(line []byte) frame {
	var f frame
	reader := decoder{data: line}
	// A frame that cannot be read is one without a type, which nobody waits for.
	_ = reader.object(func(key string) error {
		from := reader.at
		if err := reader.skip(); err != nil {
			return err
		}
		raw := line[from:reader.at]
		switch key {
		case "type":
			return decode(raw, &f.kind)
		case "id":
			return decode(raw, &f.id)
		case "message":
			return decode(raw, &f.message)
		case "filename":
			return decode(raw, &f.filename)
		case "directory":
			return decode(raw, &f.directory)
		case "value":
			f.value = raw
		case "error":
			f.failure = raw
		}
		return nil
	})
	return f
}

// outcome is the result's JSON, or the failure.
func outcome(tool string, answer frame) ([]byte, *ToolError) {
	switch answer.kind {
	case "result":
		return answer.value, nil
	case "failure":
		failure := &ToolError{Tool: tool}
		if err := decode(answer.failure, failure); err != nil {
			failure.Message = string(answer.failure)
		}
		failure.Tool = tool
		return nil, failure
	}
	return nil, &ToolError{Type: "TypeError", Message: "the call was not understood: " + answer.message, Tool: tool}
}
