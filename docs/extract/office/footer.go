package office

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// SeenFooters are the texts that stand on every slide, each of which is written once.
type SeenFooters struct{ seen []string }

// KeepUnseen leaves of the texts of a footer those that no slide before had.
func (f *SeenFooters) KeepUnseen(blocks []markdown.Block) []markdown.Block {
	return slices.DeleteFunc(blocks, func(b markdown.Block) bool {
		isKnown := slices.Contains(f.seen, b.Text) || len(f.seen) > extract.MaxDepth
		if !isKnown {
			f.seen = append(f.seen, b.Text)
		}
		return isKnown
	})
}
