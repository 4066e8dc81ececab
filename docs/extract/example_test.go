package extract_test

import (
	"bytes"
	"fmt"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// A reader returns the text of a file, given its bytes, or the reason why there is none. This one
// reads lists with one item per line. It would be an entry in the list of docs/formats/formats.go.
func ExampleReader() {
	read := func(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
		name, items, ok := bytes.Cut(raw, []byte("\n"))
		if !ok {
			return extract.Content{}, &extract.SkipError{Reason: message.New("a list without items")}
		}
		text := "- " + string(bytes.ReplaceAll(bytes.TrimSpace(items), []byte("\n"), []byte("\n- "))) + "\n"
		return extract.Content{Text: text, Form: extract.Markdown, Title: string(name)}, nil
	}
	var list extract.Reader = read

	content, err := list([]byte("Shopping\nbread\nmilk\n"), extract.NoProgress)
	fmt.Printf("%s\n%s%v\n", content.Title, content.Text, err)
	_, err = list([]byte("Shopping"), extract.NoProgress)
	fmt.Println(err)
	// Output:
	// Shopping
	// - bread
	// - milk
	// <nil>
	// a list without items
}
