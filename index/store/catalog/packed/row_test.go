package packed

import (
	"errors"
	"reflect"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
)

func TestMetaRoundTrip(t *testing.T) {
	for name, want := range map[string]meta.Data{
		"dates of chunks": {Tags: []string{"x"}, ChunkDates: []meta.DateRange{{First: 20240301, Last: 20240302}, {}, {First: 20240301, Last: 99991231}}},
		"nothing":         {},
		"a date":          {Date: 20260508},
		"all":             {Date: 20260508, Tags: []string{"心脏", "a/b"}, LinkTargets: []string{"b.md", ""}, Fields: []meta.Field{{Key: "doi", Values: []string{"1", "2"}}, {Key: "x"}}},
	} {
		b := PackMeta(want)
		if got, err := parseMeta(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if (len(b) == 0) != want.IsZero() {
			t.Errorf("%s takes %d bytes", name, len(b))
		}
		for end := 1; end < len(b); end++ {
			if got, err := parseMeta(b[:end]); err == nil && reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d of %d bytes are enough", name, end, len(b))
			}
		}
	}
}

func TestPartsRoundTrip(t *testing.T) {
	want := []extract.Part{{Kind: extract.Page, Number: 1, StartByte: 0, PackedLayout: "\x00\xff"}, {Kind: extract.Sheet, Name: "Dosen", Number: 2, FirstRow: 3, StartByte: 400}}
	if got, err := ParseParts(PackParts(want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := ParseParts(PackParts(nil)); err != nil || len(got) != 0 {
		t.Errorf("of none: %+v, %v", got, err)
	}
	if b := PackParts(want); len(b) > 0 {
		if _, err := ParseParts(b[:len(b)-1]); err == nil {
			t.Error("a missing byte is not noticed")
		}
	}
}

// saved is a record and the row that was saved of it.
func saved() (catalog.Record, Row) {
	r := catalog.Record{
		Path: "a.md", Title: "A", MIME: "text/markdown", TextMIME: "text/plain", Encoding: "gbk", ExtractionNote: "a note",
		Hash: [32]byte{1}, TextHash: [32]byte{2}, Meta: meta.Data{Tags: []string{"x"}},
		Chunks: []catalog.Chunk{{Span: text.Span{EndByte: 5, StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey{9}, Traits: kind.Traits{Kind: kind.GeneratedFile}, Terms: analysis.CountTerms(analysis.ChunkNames{}, "alpha")}},
	}
	row := Row{Meta: PackMeta(r.Meta), HasChunks: true, ChunkCount: 1, Chunks: PackChunks(r.Chunks)}
	row.RecordChecksum, row.ChunksChecksum = RecordChecksum(&r, row.Meta), blob.Checksum(r.TextHash[:], row.Chunks)
	return r, row
}

// TestUnpack: a row gives back what was saved, and one that is not what was saved is
// damaged, whichever part of it.
func TestUnpack(t *testing.T) {
	want, row := saved()
	got := want
	got.Meta, got.Chunks = meta.Data{}, nil
	if err := row.Unpack(&got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, harm := range map[string]func(*catalog.Record, *Row){
		"path":      func(r *catalog.Record, _ *Row) { r.Path = "b.md" },
		"title":     func(r *catalog.Record, _ *Row) { r.Title = "" },
		"MIME":      func(r *catalog.Record, _ *Row) { r.MIME = "text/plain" },
		"text MIME": func(r *catalog.Record, _ *Row) { r.TextMIME = "" },
		"encoding":  func(r *catalog.Record, _ *Row) { r.Encoding = "" },
		"note":      func(r *catalog.Record, _ *Row) { r.ExtractionNote = "" },
		"skip":      func(r *catalog.Record, _ *Row) { r.SkipReason = "it is empty" },
		"moved":     func(r *catalog.Record, _ *Row) { r.Title, r.MIME = r.MIME, r.Title },
		"hash":      func(r *catalog.Record, _ *Row) { r.Hash[31]++ },
		"text hash": func(r *catalog.Record, _ *Row) { r.TextHash[31]++ },
		"meta":      func(_ *catalog.Record, p *Row) { p.Meta = PackMeta(meta.Data{Tags: []string{"y"}}) },
		"no meta":   func(_ *catalog.Record, p *Row) { p.Meta = nil },
		"chunks":    func(_ *catalog.Record, p *Row) { p.Chunks[len(p.Chunks)-1]++ },
		"no chunks": func(_ *catalog.Record, p *Row) { p.HasChunks = false },
		"count":     func(_ *catalog.Record, p *Row) { p.ChunkCount = 2 },
	} {
		r, p := saved()
		if harm(&r, &p); !errors.Is(p.Unpack(&r), catalog.ErrDamaged) {
			t.Errorf("%s: the damage is not noticed", name)
		}
	}
}

// TestUnpackSkipped: a document that is skipped has no chunks, and is whole.
func TestUnpackSkipped(t *testing.T) {
	r := catalog.Record{Path: "a.bin", SkipReason: "not text"}
	row := Row{RecordChecksum: RecordChecksum(&r, nil)}
	if err := row.Unpack(&r); err != nil || len(r.Chunks) > 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestTextChecksum: it distinguishes what differs in the hash, the text or its parts.
func TestTextChecksum(t *testing.T) {
	seen := make(map[uint32]bool)
	for _, sum := range []uint32{
		TextChecksum([32]byte{}, []byte("alpha"), nil), TextChecksum([32]byte{1}, []byte("alpha"), nil), TextChecksum([32]byte{}, []byte("alphb"), nil), TextChecksum([32]byte{}, []byte("alpha"), []byte{1}),
	} {
		if seen[sum] {
			t.Errorf("%x comes twice", sum)
		}
		seen[sum] = true
	}
}
