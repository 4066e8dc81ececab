package operations

import (
	"math"
	"testing"

	"vademecum/index"
)

// FuzzCursors: a cursor is taken only for the query that gave it, and leads where that said.
func FuzzCursors(f *testing.F) {
	q, find := index.Query{Text: "temples", TopK: 5}, index.FindQuery{Text: "temples"}
	for _, cursor := range []string{"", "-", "1", "1-", "-1-ffff", "01-abcd", "+1-abcd", "9999999999999999999-abcd", pageCursor(1, q), pageCursor(index.MaxPages, q), lineCursor(30, find)} {
		f.Add(cursor, "temples")
	}
	f.Fuzz(func(t *testing.T, cursor, text string) {
		q, find := q, find
		q.Text, find.Text = text, text
		if page, err := decodeCursor(cursor, q, 1, index.MaxPages-1, "", ""); err == nil && cursor != "" && (page < 1 || page >= index.MaxPages || cursor != pageCursor(page, q)) {
			t.Errorf("cursor %q leads to page %d", cursor, page)
		}
		if skip, err := decodeCursor(cursor, find, 0, math.MaxInt, "", ""); err == nil && cursor != "" && (skip < 0 || cursor != lineCursor(skip, find)) {
			t.Errorf("cursor %q leads to line %d", cursor, skip)
		}
	})
}
