package analysis

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"vademecum/internal/base/script"
)

// stemEnglish returns the stem of an English word, the same for British and American spelling.
func stemEnglish(env *snowballstem.Env) bool {
	w := env.Current()
	if englishFunctions()[w] {
		return true // does is not a form of doe
	}
	env.SetCurrent(commonSpelling(singularAcronym(w)))
	return english.Stem(env)
}

var englishFunctions = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range script.FunctionWords() {
		m[w] = true
	}
	return m
})

// British and American spellings: roots, which occur in many words, and endings of words. Both
// are mapped to the one that is not the spelling of another word.
var (
	spellings = strings.NewReplacer(
		"colour", "color", "favour", "favor", "flavour", "flavor", "honour", "honor", "humour", "humor", "labour", "labor",
		"neighbour", "neighbor", "odour", "odor", "rumour", "rumor", "tumour", "tumor", "vapour", "vapor", "vigour", "vigor",
		"behaviour", "behavior", "armour", "armor", "harbour", "harbor", "endeavour", "endeavor", "rigour", "rigor",
		"fibre", "fiber", "centred", "centered", "centre", "center", "litre", "liter", "metre", "meter", "theatre", "theater",
		"calibre", "caliber", "titre", "titer", "goitre", "goiter",
		"aem", "em", "oedem", "edem", "oesoph", "esoph", "oestr", "estr", "paed", "ped", "gynaec", "gynec", "caesar", "cesar",
		"rrhoea", "rrhea", "pnoea", "pnea", "foet", "fet", "coelia", "celia", "caec", "cec", "faec", "fec", "aetiol", "etiol",
		"anaesth", "anesth", "manoeuv", "maneuv", "leucocyt", "leukocyt", "leucop", "leukop", "sulph", "sulf",
		"aluminium", "aluminum", "defence", "defense", "offence", "offense", "licence", "license", "artefact", "artifact",
		"sceptic", "skeptic", "mould", "mold", "dgement", "dgment", "grey", "gray", "practis", "practic",
	)
	spelledEndings = [][2]string{
		{"ization", "isation"}, {"izations", "isations"}, {"ize", "ise"}, {"izes", "ises"}, {"ized", "ised"}, {"izing", "ising"}, {"izer", "iser"}, {"izers", "isers"},
		{"yze", "yse"}, {"yzes", "yses"}, {"yzed", "ysed"}, {"yzing", "ysing"}, {"yzer", "yser"}, {"yzers", "ysers"},
		{"elled", "eled"}, {"elling", "eling"}, {"logue", "log"}, {"logues", "logs"}, {"programme", "program"}, {"programmes", "programs"},
	}
)

// shortestRoot is the least number of letters before an ending: size and spelling have none of
// these endings. One must be a vowel.
const shortestRoot = 3

// commonSpelling returns a word in the spelling used for both.
func commonSpelling(w string) string {
	for _, ending := range spelledEndings {
		root, ok := strings.CutSuffix(w, ending[0])
		if ok && (root == "" || len(root) >= shortestRoot && strings.ContainsAny(root, vowels)) {
			w = root + ending[1]
			break
		}
	}
	return spellings.Replace(w)
}

const vowels = "aeiouy"

// isAcronyms reports whether a word is the plural of an acronym: capitals followed by a small s.
func isAcronyms(word string) bool {
	last := len(word) - 1
	if last < 2 || word[last] != 's' {
		return false
	}
	for i := range last {
		if c := word[i]; (c < 'A' || c > 'Z') && (i < 2 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// singularAcronym removes the s from a lower-case word that is apparently the plural of an
// acronym: it has no vowel, as ccbs, or begins as no English word does and has a vowel only
// before the s, as ppis. Stemmers keep the s of both.
func singularAcronym(w string) string {
	root, ok := strings.CutSuffix(w, "s")
	if !ok || len(root) < 3 || strings.HasSuffix(root, "s") {
		return w
	}
	switch strings.IndexAny(root, vowels) {
	case -1:
		return root
	case len(root) - 1:
		if !strings.Contains(onsets, " "+root[:2]+" ") {
			return root
		}
	}
	return w
}

// onsets are the pairs of consonants that English words begin with.
const onsets = " bl br ch cl cr dr dw fl fr gh gl gn gr kh kl kn kr ph pl pn pr ps pt rh sc sh sk sl sm sn sp sq st sw th tr ts tw wh wr "
