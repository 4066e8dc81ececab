package index

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
)

// TestMemoryOfAChunk builds an index of 10,000 chunks of 600 bytes, and loads it. One
// takes 2,000 bytes, 256 of them for its vector and 1,500 for its 80 terms, as texts
// made at random have many that are nowhere else; with a vector in floats it takes
// 4,200. What was built may take a fifth more.
func TestMemoryOfAChunk(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures, and finds no races")
	}
	const notes, parts = 100, 100
	talk, files := newBabbler(), make(map[string]string)
	for n := range notes {
		var text strings.Builder
		for part := range parts {
			text.WriteString(talk.text(n*parts+part) + "\n\n")
		}
		files[fmt.Sprintf("%d.md", n)] = text.String()
	}
	dir, file := indextest.NewNotesFolder(t, files).Dir, filepath.Join(t.TempDir(), "x.db")
	held := func(what string) (each int64) {
		before := heap()
		ix := benchIndex(t, dir, file)
		chunks := int64(benchSync(t, ix))
		ix.store.TrimCapacity() // as a server does some seconds later
		each = (heap() - before) / chunks
		t.Logf("%s: %d bytes for each of %d chunks", what, each, chunks)
		indextest.Must(t, ix.Close())
		return each
	}
	tables := benchIndex(t, indextest.NewNotesFolder(t, map[string]string{"a.md": talk.text(0)}).Dir, filepath.Join(t.TempDir(), "a.db"))
	benchSync(t, tables) // what is made at the first use counts for no chunk
	indextest.Must(t, tables.Close())
	built, loaded := held("built"), held("loaded")
	if loaded > 2500 {
		t.Errorf("a chunk that was loaded takes %d bytes", loaded)
	}
	if built > loaded*6/5 {
		t.Errorf("a chunk that was built takes %d bytes, one that was loaded %d", built, loaded)
	}
}
