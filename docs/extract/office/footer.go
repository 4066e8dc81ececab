package office

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// Footers are the texts that stand on every slide, each of which is written once.
type Footers struct{ known []string }

// New leaves of the texts of a footer those that no slide before had.
func (f *Footers) New(blocks []markdown.Block) []markdown.Block {
	return slices.DeleteFunc(blocks, func(b markdown.Block) bool {
		isKnown := slices.Contains(f.known, b.Text) || len(f.known) > extract.MaxDepth
		if !isKnown {
			f.known = append(f.known, b.Text)
		}
		return isKnown
	})
}
