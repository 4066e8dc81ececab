package operations

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/index"
)

// EncodeObject returns the JSON text of an object to be sent as a result.
func EncodeObject(object any) (string, error) {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(object)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// TextSize returns the size of a text as a content block of a result, including the JSON around it.
func TextSize(text string) index.Budget {
	blob, err := json.Marshal(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"text", text})
	if err != nil { // never for a text
		return index.Budget{}
	}
	return index.Budget{Characters: utf8.RuneCount(blob) + 1, Bytes: len(blob) + 1} // with a comma
}

// Fenced encloses a text in two lines of backticks, more than the text has in a row, so that nothing in
// the text can be mistaken for its end, or for a citation or note of this server.
func Fenced(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + "\n" + text + "\n" + fence
}

// longestNote is the maximum length of a note in characters.
const longestNote = 600

// FormatNotes returns notes as text for a model, one per line.
func FormatNotes(notes []string) string {
	var out strings.Builder
	for _, n := range notes {
		out.WriteString("Note: " + shorten(n, longestNote) + "\n")
	}
	return out.String()
}

// shorten cuts a text to a number of characters and marks the cut.
func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// WithNotes appends notes to a text, one per line.
func WithNotes(text string, notes []string) string {
	for _, n := range notes {
		text += "\nNote: " + n
	}
	return text
}

// cursorParameter returns the parameter "cursor", by which a model asks for the next page.
func cursorParameter(about string, into *string) Parameter {
	return Parameter{Name: "cursor", Description: about, Aliases: []string{"nextcursor", "pagetoken"}, Target: into}
}

// encodeCursor returns the cursor for a position in the result of a query. The query must consist of
// values that can be encoded as JSON.
func encodeCursor(place int, query any) string {
	asked, _ := json.Marshal(query) // never fails for plain values
	sum := sha256.Sum256(asked)
	return fmt.Sprintf("%d-%x", place, sum[:2])
}

// decodeCursor returns the position in a cursor that an operation has returned for the same query; 0 for
// an empty cursor. A position that is not from least to most is an error.
func decodeCursor(cursor string, query any, least, most int, operation, of string) (place int, err error) {
	if cursor == "" {
		return 0, nil
	}
	number, _, _ := strings.Cut(cursor, "-")
	place, err = strconv.Atoi(number)
	if err != nil || place < least || place > most || cursor != encodeCursor(place, query) {
		return 0, fmt.Errorf("cursor %s was not given by %s for this %s and filter: leave it out to start from the beginning", quoteName(cursor), operation, of)
	}
	return place, nil
}
