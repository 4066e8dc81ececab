package packed

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/indextest"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
)

func TestChunksRoundTrip(t *testing.T) {
	want := []catalog.Chunk{
		{Span: text.Span{StartByte: 0, EndByte: 12, StartLine: 1, EndLine: 2}, Key: catalog.EmbeddingKey{1}, ContentHash: rank.ChunkTextHash{3}, Terms: analysis.CountTerms(analysis.ChunkNames{}, "one two two")},
		{Span: text.Span{StartByte: 14, EndByte: 99, StartLine: 4, EndLine: 9}, Heading: []string{"A", "", "血压"}, Key: catalog.EmbeddingKey{2}, Terms: analysis.TermCounts{}},
	}
	got, err := ParseChunks(PackChunks(want), len(want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := ParseChunks(PackChunks(want), 3); err == nil {
		t.Error("a missing chunk is not noticed")
	}
}

// TestCompress: many chunks take less room, and come back as they were.
func TestCompress(t *testing.T) {
	var want []catalog.Chunk
	for i := range 1000 {
		var words strings.Builder
		for word := range 100 {
			fmt.Fprintf(&words, "word%d ", (i*word)%500)
		}
		want = append(want, catalog.Chunk{Span: text.Span{StartByte: i, EndByte: i + 1, StartLine: 1, EndLine: 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, words.String())})
	}
	raw := PackChunks(want)
	compressed := Compress(raw)
	if got, err := ParseChunks(compressed, len(want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %d chunks, %v", len(got), err)
	}
	plain := 0
	for _, c := range want {
		plain += len(c.Terms)
	}
	if 3*len(raw) > 2*plain {
		t.Errorf("terms of %d bytes take %d", plain, len(raw))
	}
	if 2*len(compressed) > len(raw) {
		t.Errorf("%d bytes take %d", len(raw), len(compressed))
	}
	if few := PackChunks(want[:1]); !bytes.Equal(Compress(few), few) {
		t.Errorf("%d bytes are compressed, too", len(few))
	}
	if _, err := ParseChunks(compressed[:len(compressed)/2], len(want)); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("of half of it: %v", err)
	}
}

// TestTexts: each text comes back as it was, and a note takes less room.
func TestTexts(t *testing.T) {
	note := strings.Repeat("A note about 血压 and its treatment. ", 50)
	parts := []extract.Part{{Kind: extract.Page, Number: 2, StartByte: 3}}
	for name, c := range map[string]struct {
		text    string
		shorter bool
	}{
		"nothing": {}, "a line": {text: "one line"}, "a note": {note, true},
		"a book":          {text: strings.Repeat(note, 10)},
		"a note of noise": {text: indextest.Incompressible(2000)},
	} {
		stored := CompressText(c.text)
		got, err := ParseBody(stored, PackParts(parts))
		if err != nil || got.Text != c.text || !reflect.DeepEqual(got.Parts, parts) {
			t.Errorf("%s: got %d bytes of %d, %v", name, len(got.Text), len(c.text), err)
		}
		if is := len(stored) < len(c.text); is != c.shorter {
			t.Errorf("%s: %d bytes take %d", name, len(c.text), len(stored))
		}
	}
	stored := CompressText(note)
	if _, err := ParseBody(stored[:len(stored)/2], nil); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("of half a note: %v", err)
	}
}

func FuzzParseChunks(f *testing.F) {
	f.Add(PackChunks([]catalog.Chunk{{Heading: []string{"A"}, Terms: analysis.CountTerms(analysis.ChunkNames{}, "one two")}}), 1)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1<<30)
	f.Fuzz(func(t *testing.T, blob []byte, count int) {
		chunks, err := ParseChunks(blob, max(count, 0))
		if err != nil {
			return
		}
		for _, c := range chunks {
			_ = lexical.New().Put(0, c.Terms) // must not panic
		}
		if again := PackChunks(chunks); len(again) > 2*len(blob) && !bytes.HasPrefix(blob, compressedMark) {
			t.Errorf("%d bytes became %d", len(blob), len(again))
		}
	})
}

// TestSharedBeginnings: terms with a long beginning in common come back, and none is taken
// for one that leaves out more of another than is written.
func TestSharedBeginnings(t *testing.T) {
	var out []byte
	for _, end := range []string{"a", "b", "bc"} {
		term := strings.Repeat("x", 2*mostShared) + end
		out = append(blob.AppendBytes(out, term), 1)
	}
	want := []catalog.Chunk{{Terms: out}}
	if got, err := ParseChunks(PackChunks(want), 1); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	name := strings.Repeat("x", 2*mostShared)
	r := blob.Reader{Rest: append(blob.AppendBytes([]byte{2, 0}, name), mostShared+1, 0)}
	if readTerms(&r); !errors.Is(r.Err, catalog.ErrDamaged) {
		t.Errorf("more than %d bytes of a term are shared: %v", mostShared, r.Err)
	}
}

// TestDamagedCounts: numbers of terms grow, from 1 to that of the last.
func TestDamagedCounts(t *testing.T) {
	terms := []term{term("\x01a"), term("\x01b")}
	for _, b := range [][]byte{{1, 0}, {1, 6}, {2, 2, 0}, {1, 3}, {1}} {
		if counts, ok := readCounts(&blob.Reader{Rest: b}, terms); ok && len(b) > 1 {
			t.Errorf("%v gives %q", b, counts)
		}
	}
	if counts, ok := readCounts(&blob.Reader{Rest: []byte{2, 2, 3, 5}}, terms); !ok || string(counts) != "\x01a\x01\x01b\x05" {
		t.Errorf("got %q, %v", counts, ok)
	}
}
