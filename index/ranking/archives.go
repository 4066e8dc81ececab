package ranking

import (
	"context"
	"slices"
	"strings"

	"vademecum/index/search"
)

// isArchive reports whether a document is an archive, whose chapters are copies of files.
func isArchive(d *search.Document) bool { return d.MIME == "application/zip" }

// saidBy returns the words of a passage, without the name of a file in an archive, which is a
// heading above the text there.
func saidBy(d *search.Document, text string) ComparableText {
	if isArchive(d) && strings.HasPrefix(text, "# ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return ComparableTextOf(text)
}

// hasSameText reports whether two passages, one of them from an archive, have the same content.
func (r *Ranking) hasSameText(ctx context.Context, a, b *search.Chunk) (bool, error) {
	if !isArchive(a.Document) && !isArchive(b.Document) {
		return false, nil
	}
	text, err := r.chunkText(ctx, a)
	if err != nil {
		return false, err
	}
	said := slices.Clone(saidBy(a.Document, text))
	if text, err = r.chunkText(ctx, b); err != nil {
		return false, err
	}
	return slices.Equal(said, saidBy(b.Document, text)), nil
}
