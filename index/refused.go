package index

import (
	"fmt"

	"vademecum/index/live"

	"vademecum/index/rank"
)

// refused lists the passages that the model refuses, and why.
func (ix *Index) refused() []Skip {
	var all []Skip
	for _, r := range ix.store.Refused() {
		all = append(all, Skip{Path: ix.linesOf(r.Chunk), Reason: r.Reason})
	}
	return all
}

// place says where the chunk at a slot stands, "" when it is gone.
func (ix *Index) place(s rank.Slot) string {
	if c, ok := ix.store.ChunkOf(s); ok {
		return ix.linesOf(c)
	}
	return ""
}

func (ix *Index) linesOf(c live.Chunk) string {
	return fmt.Sprintf("%s, lines %d-%d", ix.show(c.Document.At()), c.Span.StartLine, c.Span.EndLine)
}
