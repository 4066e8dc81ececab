package search

import (
	"reflect"
	"testing"
	"time"
	"unsafe"

	"vademecum/docs/meta"
	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
)

// TestDocumentOfRecord: a document reports what its record did, and is not larger than
// the memory of a million of them allows: from 208 bytes on the next size that Go has
// is 224.
func TestDocumentOfRecord(t *testing.T) {
	at := func(seconds int64) time.Time { return time.Unix(seconds, 7) }
	for name, r := range map[string]catalog.Record{
		"of a text": {
			ID: 5, Path: "a/b.md", Size: 77, Modified: at(1), ChangeTime: at(2), ReadAt: at(3), Hash: [32]byte{1}, TextHash: [32]byte{2}, Title: "B",
			MIME: "text/markdown", TextMIME: "text/plain", Encoding: "GBK", ExtractionNote: "cut", Meta: meta.Data{Tags: []string{"x"}, Date: 20240102}, SlotRange: lexical.SlotRange{First: 4, Count: 2},
		},
		"that says nothing": {ID: 6, Path: "c.bin", Modified: at(0), ChangeTime: time.Unix(0, 0), ReadAt: at(-1), SkipReason: "it is no text"},
	} {
		d := NewDocument(&r, 3)
		if got := d.Record(); !reflect.DeepEqual(got, r) || d.Location() != (Location{3, r.Path}) {
			t.Errorf("%s: of\n%+v became\n%+v", name, r, got)
		}
	}
	if size := unsafe.Sizeof(Document{}); size > 208 {
		t.Errorf("a document takes %d bytes", size)
	}
}
