package office

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A FooterDeduplicator remembers the texts of headers and footers, so that those that repeat on
// every slide are written only once.
type FooterDeduplicator struct{ seen []string }

// KeepUnseen returns the blocks of a slide's headers and footers that no earlier call was given,
// and remembers them.
func (f *FooterDeduplicator) KeepUnseen(blocks []markdown.Block) []markdown.Block {
	return slices.DeleteFunc(blocks, func(b markdown.Block) bool {
		isKnown := slices.Contains(f.seen, b.Text) || len(f.seen) > extract.MaxNestingDepth
		if !isKnown {
			f.seen = append(f.seen, b.Text)
		}
		return isKnown
	})
}
