package ranking

import (
	"context"
	"math"
	"strings"

	"vademecum/index/search"
)

// Directory is where documents are together.
type Directory struct {
	folder int
	path   string // "" of the folder itself
}

// DirectoryOf returns the directory of a document.
func DirectoryOf(d *search.Document) Directory {
	return Directory{d.Folder, d.Path[:max(0, strings.LastIndexByte(d.Path, '/'))]}
}

// directories are what addDirectories adds up.
type directories struct {
	numbers map[*search.Document]int32 // of the members
	members []member
	of      []int32 // the member of each of what was fused
	sums    map[Directory]float64
}

// member is a document of which chunks were found.
type member struct {
	document   *search.Document
	in         Directory
	best, gain float64 // the score of the best chunk, without what its document adds, and what each gains
}

func newDirectories() directories {
	return directories{numbers: make(map[*search.Document]int32), sums: make(map[Directory]float64)}
}

// clear forgets the question, and keeps the room for the next.
func (d *directories) clear() {
	clear(d.numbers)
	clear(d.sums)
	clear(d.members)
	d.members, d.of = d.members[:0], d.of[:0]
}

// addDirectories adds to the scores what the directories have. One alone tells nothing
// apart.
func addDirectories(_ context.Context, r *recall) error {
	if r.Directories() < 2 {
		return nil
	}
	for i := range r.fused {
		f := &r.fused[i]
		d := r.Chunk(r.chunks[f.chunk].slot).Document
		n, known := r.numbers[d]
		if !known {
			n = int32(len(r.members))
			r.numbers[d] = n
			r.members = append(r.members, member{document: d, in: DirectoryOf(d)})
		}
		m := &r.members[n]
		r.of, m.best = append(r.of, n), max(m.best, f.score-f.parts[byDocument])
	}
	for _, m := range r.members {
		r.sums[m.in] += m.best
	}
	for n := range r.members {
		m := &r.members[n]
		m.gain = rounded(directoryPart * r.sums[m.in] / float64(max(1, r.Together(m.document))))
	}
	for i := range r.fused {
		gain := r.members[r.of[i]].gain
		r.fused[i].parts[byDirectory] = gain
		r.fused[i].score += gain
	}
	return nil
}

// rounded is a sum without what depends on the order in which it was made.
func rounded(sum float64) float64 { return math.Round(sum*1e9) / 1e9 }
