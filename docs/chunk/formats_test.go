package chunk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/docs/formats"
	"vademecum/docs/text"
)

func TestMain(m *testing.M) {
	formats.RunIfChild()
	os.Exit(m.Run())
}

// formatSamples are small files of every format.
const formatSamples = "../../internal/e2e/testdata/formats"

// FuzzFormats checks that the chunks of whatever a reader makes of a file are
// sound, and its parts in order.
func FuzzFormats(f *testing.F) {
	entries, err := os.ReadDir(formatSamples)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(formatSamples, e.Name()))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(e.Name(), raw)
	}
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		d, err := formats.Read(t.Context(), name, raw)
		if err != nil {
			return
		}
		if !utf8.ValidString(d.Text) || strings.TrimSpace(d.Text) == "" || strings.ContainsRune(d.Text, 0) {
			t.Fatalf("the text is %.80q", d.Text)
		}
		for i, p := range d.Parts {
			if p.StartByte < 0 || p.StartByte > len(d.Text) || p.StartByte > 0 && d.Text[p.StartByte-1] != '\n' || i > 0 && p.StartByte < d.Parts[i-1].StartByte {
				t.Fatalf("part %d of %+v begins at the wrong place", i, d.Parts)
			}
		}
		checkChunks(t, ParseBlocks(text.Body{Text: d.Text, Parts: d.Parts}, d.Form))
	})
}
