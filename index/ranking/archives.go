package ranking

import (
	"context"
	"slices"
	"strings"

	"vademecum/index/search"
)

// isArchive reports whether a document is an archive, whose chapters are copies of files.
func isArchive(d *search.Document) bool { return d.MIME == "application/zip" }

// saidBy returns the words of a passage. In an archive, it leaves out the heading above the text, which
// is the name of a file.
func saidBy(d *search.Document, text string) ComparableText {
	if isArchive(d) && strings.HasPrefix(text, "# ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return ComparableTextOf(text)
}

// hasSameText reports whether two chunks have the same content, if at least one of them is from an
// archive; otherwise it returns false.
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
