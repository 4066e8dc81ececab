package ocrtest

import (
	"context"
	"crypto/sha256"
	"maps"
	"testing"
)

// Store is the same interface as ocr.Store.
type Store interface {
	RecognisedPages(ctx context.Context, file [32]byte, languages string) (map[int][]byte, error)
	SaveRecognised(ctx context.Context, file [32]byte, languages string, page int, content []byte) error
}

// CheckStore tests that a store meets the contract of ocr.Store; open reopens it.
func CheckStore(t *testing.T, open func() Store) {
	one, two := sha256.Sum256([]byte(t.Name()+" one")), sha256.Sum256([]byte(t.Name()+" two"))
	save := func(file [32]byte, languages string, page int, content string) {
		t.Helper()
		if err := open().SaveRecognised(t.Context(), file, languages, page, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(file [32]byte, languages string, pages map[int]string) {
		t.Helper()
		all, err := open().RecognisedPages(t.Context(), file, languages)
		got := make(map[int]string)
		for number, content := range all {
			got[number] = string(content)
		}
		if err != nil || all == nil || !maps.Equal(got, pages) {
			t.Errorf("in %s there are %v, %v, want %v", languages, got, err, pages)
		}
	}
	want(one, "eng", map[int]string{})
	first, second, again := `{"page":1,"text":"an"}`, `{"page":7,"text":"ü\n"}`, `{"page":7,"text":"u\n"}`
	save(one, "eng", 1, first)
	save(one, "eng", 7, second)
	save(one, "eng~0f", 7, again)
	save(two, "eng", 7, again)
	want(one, "eng", map[int]string{1: first, 7: second})
	want(one, "eng~0f", map[int]string{7: again})
	want(two, "eng", map[int]string{7: again})
	save(one, "eng", 7, again) // saved by two machines at the same time
	want(one, "eng", map[int]string{1: first, 7: again})
}
