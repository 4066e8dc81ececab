package analysis

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"vademecum/internal/base/script"
)

// stemEnglish stems an English word. The stem is the same for British and American spelling.
func stemEnglish(env *snowballstem.Env) bool {
	w := env.Current()
	if englishFunctions()[w] {
		return true // for example, does is not a form of doe
	}
	env.SetCurrent(commonSpelling(singularAcronym(w)))
	return english.Stem(env)
}

var englishFunctions = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range script.EnglishFunctionWords() {
		m[w] = true
	}
	return m
})

// British and American spellings of roots, which occur in many words, and of word endings. Both are
// mapped to the form that is not the spelling of another word.
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

// shortestRoot is the minimum number of letters before an ending, at least one of them a vowel.
// This excludes words such as size and spelling.
const shortestRoot = 3

// commonSpelling maps the British and American spellings of a word to the same form.
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

// isAcronyms reports whether a word is the plural of an acronym: capitals followed by a lower-case
// s.
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

// singularAcronym removes the s from a lower-case word that is probably the plural of an acronym:
// it has no vowel, like ccbs, or its only vowel is before the s and it begins as no English word
// does, like ppis. Stemmers keep this s.
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

// onsets lists the pairs of consonants at the beginning of English words.
const onsets = " bl br ch cl cr dr dw fl fr gh gl gn gr kh kl kn kr ph pl pn pr ps pt rh sc sh sk sl sm sn sp sq st sw th tr ts tw wh wr "
