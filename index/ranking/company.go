package ranking

import (
	"math"
	"strings"

	"vademecum/index/search"
)

// companyPart is how much a chunk gains by the mean score of the documents in its
// directory, each with its best chunk, of which those that are not found have 0:
// what is asked about is often a matter of one directory. On code in 90 directories
// it gains .014 nDCG@10 and on medical Chinese .001; twice as much gains .024 on
// code, and loses two of 162 questions to real folders, where a directory may hold
// a single file. What a document gains by its own words elsewhere does not count: with
// it 2 of 195 have the right passage first no more.
const companyPart = 0.2

// Directory is where documents are together.
type Directory struct {
	folder int
	path   string // "" of the folder itself
}

// DirectoryOf is that of a document.
func DirectoryOf(d *search.Document) Directory {
	return Directory{d.Folder, d.Path[:max(0, strings.LastIndexByte(d.Path, '/'))]}
}

// addCompany adds to the scores what the directories have. One alone tells nothing
// apart.
func (l *Library) addCompany(all []fused) {
	if l.Directories() < 2 {
		return
	}
	var found []companion
	number, of := make(map[*search.Document]int), make([]int, len(all)) // in found
	for i, f := range all {
		d := l.Chunk(f.slot).Document
		n, known := number[d]
		if !known {
			n = len(found)
			number[d], found = n, append(found, companion{document: d, in: DirectoryOf(d)})
		}
		of[i], found[n].best = n, max(found[n].best, f.score-f.parts[byDocument])
	}
	sums := make(map[Directory]float64)
	for _, c := range found {
		sums[c.in] += c.best
	}
	for n, c := range found {
		found[n].gain = rounded(companyPart * sums[c.in] / float64(max(1, l.Together(c.document))))
	}
	for i := range all {
		all[i].parts[byDirectory] = found[of[i]].gain
		all[i].score += found[of[i]].gain
	}
}

// companion is a document of which chunks were found.
type companion struct {
	document   *search.Document
	in         Directory
	best, gain float64 // the score of the best chunk, without what its document adds, and what each gains
}

// rounded is a sum without what depends on the order in which it was made.
func rounded(sum float64) float64 { return math.Round(sum*1e9) / 1e9 }
