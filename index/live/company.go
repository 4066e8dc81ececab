package live

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
// a single file.
const companyPart = 0.2

// directory is where documents are together.
type directory struct {
	folder int
	path   string // "" of the folder itself
}

func directoryOf(d *search.Document) directory {
	return directory{d.Folder, d.Path[:max(0, strings.LastIndexByte(d.Path, '/'))]}
}

// addCompany adds to the scores what the directories have. One alone tells nothing
// apart.
func (m *Memory) addCompany(all []fused) {
	if len(m.directories) < 2 {
		return
	}
	var found []companion
	number, of := make(map[*search.Document]int), make([]int, len(all)) // in found
	for i, f := range all {
		d := m.Chunks[f.slot].Document
		n, known := number[d]
		if !known {
			n = len(found)
			number[d], found = n, append(found, companion{in: directoryOf(d)})
		}
		of[i], found[n].best = n, max(found[n].best, f.score)
	}
	sums := make(map[directory]float64)
	for _, c := range found {
		sums[c.in] += c.best
	}
	for n, c := range found {
		found[n].gain = rounded(companyPart * sums[c.in] / float64(max(1, m.directories[c.in])))
	}
	for i := range all {
		all[i].parts.Company = found[of[i]].gain
		all[i].score += all[i].parts.Company
	}
}

// companion is a document of which chunks were found.
type companion struct {
	in         directory
	best, gain float64 // the score of the best chunk, and what each gains
}

// rounded is a sum without what depends on the order in which it was made.
func rounded(sum float64) float64 { return math.Round(sum*1e9) / 1e9 }

// count counts a searchable document in its directory, or takes it out by -1.
func (m *Memory) count(d *search.Document, by int) {
	if d.Skip != "" {
		return
	}
	at := directoryOf(d)
	if m.directories[at] += by; m.directories[at] <= 0 {
		delete(m.directories, at)
	}
}
