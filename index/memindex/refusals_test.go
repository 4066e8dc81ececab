package memindex

import (
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/memory"
)

// TestSavedRefusals: a text is not sent to the model for a day after it was refused, also by other
// processes; what is no time and key counts as nothing.
func TestSavedRefusals(t *testing.T) {
	key := catalog.EmbeddingKey{7}
	for name, test := range map[string]struct {
		key, value string
		want       string
	}{
		"an hour ago":      {hex.EncodeToString(key[:]), fmt.Sprint(time.Now().Add(-time.Hour).Unix(), " it is too long"), "it is too long"},
		"two days ago":     {hex.EncodeToString(key[:]), fmt.Sprint(time.Now().Add(-48*time.Hour).Unix(), " it is too long"), ""},
		"at no time":       {hex.EncodeToString(key[:]), "it is too long", ""},
		"another text":     {"0800", fmt.Sprint(time.Now().Unix(), " it is too long"), ""},
		"without a number": {"key", fmt.Sprint(time.Now().Unix(), " it is too long"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			content := memory.NewFolderContent()
			open := func() (*live.Store, *live.Follower) {
				c, _ := content.Open("m")
				st := New(1, indextest.NewCountingModel(t))
				f, err := st.Load(t.Context(), 0, c)
				indextest.Must(t, err)
				return st, f
			}
			st, f := open()
			e := catalog.RecordWithBody{Record: catalog.Record{Path: "a.md", Chunks: []catalog.Chunk{
				{Key: key, Span: text.Span{EndByte: 4, StartLine: 1, EndLine: 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, "text")},
			}}, Body: text.Body{Text: "text"}}
			indextest.Must(t, st.Put(t.Context(), 0, e))
			indextest.Must(t, f.SetValue(t.Context(), refusalKeys(f)+test.key, test.value))
			st, f = open()
			reason := func() (why string) {
				st.ReadLocked(func(docs *live.Documents) {
					why = st.EmbeddingRefusal(docs.DocumentAt(search.Location{Path: "a.md"}), 0)
				})
				return why
			}
			if got := reason(); got != test.want {
				t.Errorf("it is refused as %q, want %q", got, test.want)
			}
			indextest.Must(t, st.RecordRefusals(t.Context(), 0, nil, map[catalog.EmbeddingKey]string{key: "it is odd"}))
			if st, _ = open(); reason() != "it is odd" {
				t.Errorf("refused anew it is refused as %q", reason())
			}
			indextest.Must(t, st.ClearRefusals(t.Context(), 0))
			if left, err := f.Values(t.Context(), refusalKeys(f)); err != nil || len(left) > 0 {
				t.Errorf("forgiven, there are %v, %v", left, err)
			}
		})
	}
}
