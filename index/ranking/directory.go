package ranking

import (
	"context"
	"math"
	"strings"

	"vademecum/index/search"
)

// Directory identifies a directory of documents.
type Directory struct {
	folder int
	path   string // "" for the folder itself
}

// DirectoryOf returns the directory of a document.
func DirectoryOf(d *search.Document) Directory {
	return Directory{d.Folder, d.Path[:max(0, strings.LastIndexByte(d.Path, '/'))]}
}

// directoryScores is the working memory of addDirectoryScores, which raises the scores of chunks if other
// documents in their directory match too.
type directoryScores struct {
	numbers map[*search.Document]int32 // indexes in members
	members []directoryMember
	of      []int32 // by fused chunk, the index in members of its document
	sums    map[Directory]float64
}

// directoryMember is a document with found chunks.
type directoryMember struct {
	document *search.Document
	in       Directory
	// score of the best chunk, without the score for its document, and the gain of each chunk
	best, gain float64
}

// clear resets d, and keeps the allocated memory.
func (d *directoryScores) clear() {
	clear(d.numbers)
	clear(d.sums)
	clear(d.members)
	d.members, d.of = d.members[:0], d.of[:0]
}

// addDirectoryScores adds to the score of each chunk a share of the scores of the documents in its
// directory (see directoryPart). If there is only one directory, it does nothing.
func addDirectoryScores(_ context.Context, r *recallState) error {
	if r.CountDirectories() < 2 {
		return nil
	}
	for i := range r.fused {
		f := &r.fused[i]
		d := r.Chunk(r.chunks[f.chunk].slot).Document
		n, known := r.numbers[d]
		if !known {
			n = int32(len(r.members))
			r.numbers[d] = n
			r.members = append(r.members, directoryMember{document: d, in: DirectoryOf(d)})
		}
		m := &r.members[n]
		r.of, m.best = append(r.of, n), max(m.best, f.score-f.parts[byDocument])
	}
	for _, m := range r.members {
		r.sums[m.in] += m.best
	}
	for n := range r.members {
		m := &r.members[n]
		m.gain = roundSum(directoryPart * r.sums[m.in] / float64(max(1, r.CountInDirectory(m.document))))
	}
	for i := range r.fused {
		gain := r.members[r.of[i]].gain
		r.fused[i].parts[byDirectory] = gain
		r.fused[i].score += gain
	}
	return nil
}

// roundSum rounds a sum so that it does not depend on the order of summation.
func roundSum(sum float64) float64 { return math.Round(sum*1e9) / 1e9 }
