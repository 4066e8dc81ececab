package office

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// SeenFooters remembers header and footer texts, which repeat on every slide and are
// written once.
type SeenFooters struct{ seen []string }

// KeepUnseen returns the blocks that no earlier slide had, and remembers them.
func (f *SeenFooters) KeepUnseen(blocks []markdown.Block) []markdown.Block {
	return slices.DeleteFunc(blocks, func(b markdown.Block) bool {
		isKnown := slices.Contains(f.seen, b.Text) || len(f.seen) > extract.MaxDepth
		if !isKnown {
			f.seen = append(f.seen, b.Text)
		}
		return isKnown
	})
}
