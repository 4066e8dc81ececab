package packed

import (
	"reflect"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

func TestChunksRoundTrip(t *testing.T) {
	want := []catalog.Chunk{
		{Span: text.Span{StartByte: 0, EndByte: 12, StartLine: 1, EndLine: 2}, Key: catalog.Key{1}, Wording: rank.Wording{3}, Terms: analysis.Count(analysis.Names{}, "one two two")},
		{Span: text.Span{StartByte: 14, EndByte: 99, StartLine: 4, EndLine: 9}, Heading: []string{"A", "", "血压"}, Key: catalog.Key{2}, Terms: analysis.Counts{}},
	}
	got, err := ParseChunks(Chunks(want), len(want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := ParseChunks(Chunks(want), 3); err == nil {
		t.Error("a missing chunk is not noticed")
	}
}

func FuzzParseChunks(f *testing.F) {
	f.Add(Chunks([]catalog.Chunk{{Heading: []string{"A"}, Terms: analysis.Count(analysis.Names{}, "one two")}}), 1)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1<<30)
	f.Fuzz(func(t *testing.T, blob []byte, count int) {
		chunks, err := ParseChunks(blob, max(count, 0))
		if err != nil {
			return
		}
		for _, c := range chunks {
			_ = lexical.New().Put(0, c.Terms) // must not panic
		}
		if again := Chunks(chunks); len(again) > 2*len(blob) {
			t.Errorf("%d bytes became %d", len(blob), len(again))
		}
	})
}
