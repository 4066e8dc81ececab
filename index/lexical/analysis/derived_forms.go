package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// irregularForms lists forms of words, each line those of one word, that no rule on endings derives from
// each other. They are folded.
const irregularForms = `
	foot feet
	tooth teeth
	child children
	man men
	woman women
	mouse mice
	goose geese
	person people
	life lives live living alive
	wife wives
	knife knives
	leaf leaves
	half halves
	shelf shelves
	wolf wolves
	criterion criteria
	phenomenon phenomena
	bacterium bacteria
	datum data
	index indices indexes
	matrix matrices
	vertex vertices
	appendix appendices
	vertebra vertebrae
	die dead death died dying
	give gave given
	take took taken
	go went gone
	come came
	write wrote written
	buy bought
	sell sold sale
	teach taught
	think thought
	bring brought
	catch caught
	fight fought
	eat ate eaten
	drink drank drunk
	drive drove driven
	speak spoke spoken speech
	break broke broken
	choose chose chosen choice
	fall fell fallen
	know knew known knowledge
	grow grew grown growth
	throw threw thrown
	see saw seen
	sing sang sung song
	begin began begun
	swim swam swum
	run ran
	hold held
	keep kept
	leave left
	lose lost loss
	find found
	feel felt
	meet met
	pay paid payment
	say said
	tell told
	make made
	send sent
	spend spent
	build built
	sleep slept
	wear wore worn
	win won
	steal stole stolen theft
	bleed bled blood
	breathe breath
	weigh weight
	high height
	long length
	wide width
	deep depth
	strong strength
	hot heat
	proud pride
	receive receipt reception
	describe description
	prescribe prescription
	decide decision
	divide division
	expand expansion
	reduce reduction
	produce production
	absorb absorption
	destroy destruction
	marry marriage
	bury burial
	arrive arrival
	refuse refusal
	surgery surgical surgeon
	kidney renal
	nehmen nimmt nimmst nahm nahmen genommen
	geben gibt gab gaben gegeben
	essen isst ass gegessen
	lesen liest las gelesen
	sprechen spricht sprach gesprochen
	helfen hilft half geholfen hilfe
	sterben stirbt starb gestorben tod tot
	gehen geht ging gegangen
	kommen kommt kam gekommen
	schreiben schrieb geschrieben
	bleiben blieb geblieben
	finden fand gefunden
	trinken trank getrunken
	bringen brachte gebracht
	denken dachte gedacht
	kennen kannte gekannt
	verlieren verlor verloren verlust
	beginnen begann begonnen beginn
	fahren fuhr gefahren fahrt
	tragen trug getragen
	schlafen schlief geschlafen schlaf
	treffen trifft traf getroffen
	werfen wirft warf geworfen
	arzt arzte
	fuss fusse
	zahn zahne
	hand hande
	haus hauser
	buch bucher
	kind kinder
	mann manner
`

// irregularFormsOf maps each word of irregularForms to the others of its line.
var irregularFormsOf = sync.OnceValue(func() map[string][]string {
	m := make(map[string][]string)
	for line := range strings.Lines(irregularForms) {
		words := strings.Fields(line)
		for _, w := range words {
			for _, other := range words {
				if other != w {
					m[w] = append(m[w], other)
				}
			}
		}
	}
	return m
})

// derivingEndings lists groups of endings of English and German words that are derived from each other: with
// "ant ancy ance", pregnant is a form of pregnancy. The endings are folded.
var derivingEndings = splitEach(
	"ant ancy ance", "ent ency ence", "ic y ies", "tic sis tically", "osis osed ose ostic oses", "ical y", "ia ic", "aemia emia aemic emic",
	"ible ibility", "able ability", "ate ation acy", "ise isation", "ize ization", "ify ification", "ous osity",
	"isch ie ien", "lich lichkeit", "ig igkeit", "ieren ierung ierte iert ation", "en ung ungen t te", "eln elung elte elt", "ern erung erte ert",
)

// addedEndings are endings of English and German words that are added to a word.
var addedEndings = strings.Fields("ment ness ful less ity schaft heit")

// comparisonEndings are the endings with which adjectives are compared. Names have them too, as Baker.
var comparisonEndings = strings.Fields("er est ere")

// leastCompared is the minimum length of an adjective that is compared with an ending.
const leastCompared = 3

// leastStem is the minimum length of what is before an ending by which words are told to be derived from each
// other.
const leastStem = 4

func splitEach(lines ...string) (all [][]string) {
	for _, line := range lines {
		all = append(all, strings.Fields(line))
	}
	return all
}

// endingsOfNames are endings by which names are told apart: Laurent and Laurence, Henry and Henric.
var endingsOfNames = strings.Fields("ent ence ency ant ance ancy y ic ies")

// derivedWords returns words that may be forms of a word or derived from it, folded: pregnancy for pregnant, foot
// for feet. Some are no words.
func derivedWords(word string) (words []string) {
	folded := foldWord(word)
	if !isASCII(folded) || len(folded) < 3 {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(word)
	if unicode.IsUpper(first) && !isCommonTerm(termOfWord(folded)) && slices.ContainsFunc(endingsOfNames, func(e string) bool { return strings.HasSuffix(folded, e) }) {
		return nil // Laurent is not Laurence
	}
	add := func(w string) {
		if w != folded && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	addDerived(add, folded)
	if stem := stemEnglishWord(folded); stem != folded { // "treated": "treatment"
		addDerived(add, stem)
	}
	if unicode.IsLower(first) && isCommonTerm(termOfWord(folded)) {
		for _, ending := range comparisonEndings {
			add(folded + ending)
			if stem, ok := strings.CutSuffix(folded, ending); ok && len(stem) >= leastCompared {
				add(stem)
			}
		}
	}
	return words
}

// addDerived adds the words that may be derived from a folded word.
func addDerived(add func(string), folded string) {
	for _, w := range irregularFormsOf()[folded] {
		add(w)
	}
	for _, endings := range derivingEndings {
		for _, ending := range endings {
			stem, ok := strings.CutSuffix(folded, ending)
			if !ok || len(stem) < leastStem {
				continue
			}
			for _, other := range endings {
				add(stem + other)
			}
		}
	}
	for _, ending := range addedEndings {
		if stem, ok := strings.CutSuffix(folded, ending); ok && len(stem) >= leastStem {
			add(stem)
		} else if len(folded) >= leastStem {
			add(folded + ending)
		}
	}
}

// derivedTerms returns the terms of derivedWords, with those of their stems in German.
func derivedTerms(word string) []string {
	return derived.getOrMake(word, func(word string) (terms []string) {
		own := termOfWord(word)
		for _, w := range derivedWords(word) {
			for _, t := range []string{termOfWord(w), languageOf["de"].stemTerm(w)} {
				if t != "" && t != own && !IsFunctionTerm(t) && !slices.Contains(terms, t) {
					terms = append(terms, t)
				}
			}
		}
		return terms
	})
}

var derived = newWordCache[[]string](1 << 12)
