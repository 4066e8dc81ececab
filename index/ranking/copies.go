package ranking

import (
	"context"
	"slices"
	"strings"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// MaxListedCopies is how many copies of a passage are listed with their positions, for which their
// texts must be read.
const MaxListedCopies = 5

// noteCopies records in the chosen passages the other places of their texts, or of parts of these, and
// the versions in other languages. A place has the same text only if it has all of the passage: a reader
// takes the dose in one for the dose in the other.
func noteCopies(ctx context.Context, r *Ranking) error {
	if err := r.addCopies(ctx); err != nil {
		return err
	}
	for _, p := range r.chosen {
		p.Versions = r.versions[p.Document]
		renamed, similar, err := r.nearDuplicates(ctx, p)
		if err != nil {
			return err
		}
		copies := slices.Concat(r.copies, renamed)
		slices.SortFunc(copies, search.CompareLocations)
		whole, parts := p.copiesOfPassage(copies)
		p.Copies, p.SimilarChunks = whole, append(similar, parts...)
		slices.SortFunc(p.SimilarChunks, search.CompareLocations)
		for _, listed := range [][]search.Chunk{p.Copies, p.SimilarChunks} {
			for _, c := range listed[:min(len(listed), MaxListedCopies)] {
				r.wantText(c.Document)
			}
		}
	}
	return r.readTexts(ctx)
}

// nearDuplicates returns the near duplicates that were folded into a passage. One that differs from its
// chunk only by the name of a file in an archive is a copy, and gets the hash of that chunk.
func (r *Ranking) nearDuplicates(ctx context.Context, p *Passage) (renamed, similar []search.Chunk, err error) {
	for n := p.first; n <= p.last; n++ {
		own := slices.IndexFunc(p.chunks, func(c search.Chunk) bool { return c.Number == n })
		for _, c := range r.near[chunkAt{p.Document, n}] {
			isSame, isShown := false, false
			if own >= 0 {
				isSame, err = r.hasSameText(ctx, &c, &p.chunks[own])
			}
			if err == nil && !isSame {
				isShown, err = r.isPartlyShown(ctx, &c, p)
			}
			switch {
			case err != nil:
				return nil, nil, err
			case isSame:
				c.ContentHash = p.chunks[own].ContentHash
				renamed = append(renamed, c)
			case isShown:
				similar = append(similar, c)
			}
		}
	}
	return renamed, similar, nil
}

// leastPartShown is the minimum number of consecutive words that a chunk must have in common with the shown
// text of a passage to be named as a place of a part of it.
const leastPartShown = 3 * leastStretch

// isPartlyShown reports whether a part of a chunk is in the shown text of a passage, which may have been
// reduced to what the chunk does not have.
func (r *Ranking) isPartlyShown(ctx context.Context, c *search.Chunk, p *Passage) (bool, error) {
	text, err := r.documentText(ctx, c.Document)
	if err != nil || text == "" {
		return false, err
	}
	said := wordsOf(r.bodies[c.Document], c.Span.StartByte, c.Span.EndByte)
	shown := wordsOf(r.bodies[p.Document], p.Span.StartByte, p.Span.EndByte)
	least := min(leastPartShown, len(said), len(shown))
	if least < leastStretch {
		return true, nil
	}
	return slices.ContainsFunc(said.commonStretches(shown), func(s stretch) bool { return s.length >= least }), nil
}

// addCopies records the copies of the near duplicates that were folded into other chunks.
func (r *Ranking) addCopies(ctx context.Context) error {
	for at, near := range r.near {
		for _, c := range r.copies {
			isIts := func(n search.Chunk) bool { return n.ContentHash == c.ContentHash }
			isIt := func(n search.Chunk) bool { return isInRange(c, n, n.Number, n.Number) }
			if !slices.ContainsFunc(near, isIts) || slices.ContainsFunc(r.near[at], isIt) {
				continue
			}
			if text, err := r.documentText(ctx, c.Document); err != nil {
				return err
			} else if text != "" {
				r.near[at] = append(r.near[at], c)
			}
		}
	}
	return nil
}

// copiesOfPassage returns the other places of the chunks of a passage: those that have the whole passage,
// and those that have only a part of it. Consecutive copies, which are in the order of their locations,
// are one place.
func (p *Passage) copiesOfPassage(copies []search.Chunk) (whole, parts []search.Chunk) {
	hashes := p.contentHashes()
	var place search.Chunk
	var held []rank.ChunkTextHash // hashes of the chunks of place
	last := -1                    // number of the last of them
	endPlace := func() {
		switch {
		case len(held) == 0:
		case containsRun(held, hashes):
			whole = append(whole, place)
		default:
			parts = append(parts, place)
		}
	}
	for i := range copies {
		c := &copies[i]
		isIts := func(own search.Chunk) bool { return own.ContentHash == c.ContentHash }
		if !slices.ContainsFunc(p.chunks, isIts) || isInRange(*c, p.Chunk, p.first, p.last) {
			continue
		}
		if len(held) > 0 && place.Document == c.Document && last+1 == c.Number {
			place.Span.EndByte, place.Span.EndLine = c.Span.EndByte, c.Span.EndLine
			held = append(held, c.ContentHash)
		} else {
			endPlace()
			place, held = *c, []rank.ChunkTextHash{c.ContentHash}
		}
		last = c.Number
	}
	endPlace()
	return whole, parts
}

// contentHashes lists the content hashes of the chunks of a passage, in the order of the text; nil if text
// of another chunk is between them, so that no place is known to have the whole.
func (p *Passage) contentHashes() (hashes []rank.ChunkTextHash) {
	for n := p.first; n <= p.last; n++ {
		at := slices.IndexFunc(p.chunks, func(c search.Chunk) bool { return c.Number == n })
		if at < 0 {
			return nil
		}
		hashes = append(hashes, p.chunks[at].ContentHash)
	}
	return hashes
}

// containsRun reports whether run, if it is not empty, occurs in all.
func containsRun(all, run []rank.ChunkTextHash) bool {
	for i := range len(all) - len(run) + 1 {
		if len(run) > 0 && slices.Equal(all[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// isInRange reports whether c is one of the chunks with the numbers first to last in the document of the
// chunk of. It is also true if that document has been replaced by a newer version of the same file,
// because the old text is no copy.
func isInRange(c, of search.Chunk, first, last int) bool {
	if c.Document.Location() != of.Document.Location() {
		return false
	}
	return c.Document.ID != of.Document.ID || first <= c.Number && c.Number <= last
}

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
