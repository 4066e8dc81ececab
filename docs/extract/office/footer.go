package office

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// FooterDeduplicator remembers header and footer texts, which repeat on every slide but are written
// only once.
type FooterDeduplicator struct{ seen []string }

// KeepUnseen returns the blocks that were not on an earlier slide, and remembers them.
func (f *FooterDeduplicator) KeepUnseen(blocks []markdown.Block) []markdown.Block {
	return slices.DeleteFunc(blocks, func(b markdown.Block) bool {
		isKnown := slices.Contains(f.seen, b.Text) || len(f.seen) > extract.MaxNestingDepth
		if !isKnown {
			f.seen = append(f.seen, b.Text)
		}
		return isKnown
	})
}
