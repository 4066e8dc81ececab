package sentence

import (
	"strings"
	"sync"
)

// abbreviationKind tells after which abbreviations a full stop may also end a sentence.
type abbreviationKind uint8

const (
	noAbbreviation abbreviationKind = iota
	beforeWord                      // ends no sentence
	beforeNumber                    // ends a sentence unless a number follows
	beforeName                      // ends a sentence if a word that often begins one follows
)

// abbreviationLists holds abbreviations by language and kind, in lower case and without the last full stop.
// Single letters need no entry.
var abbreviationLists = []struct {
	kind  abbreviationKind
	words string
}{
	// English
	{beforeWord, "dr mr mrs ms messrs prof hon vs approx e.g i.e cf viz incl excl esp resp"},
	{beforeNumber, "no nos art arts sec sect ch chap cl fig figs tab eq eqs vol vols pp para paras app"},
	{beforeName, "st mt rev gen col capt lt sgt gov co inc ltd corp bros al dept jan feb mar apr jun jul aug sep sept oct nov dec"},
	// German
	{beforeWord, "inkl einschl exkl zzgl abzgl bzw ggf evtl vgl sog insb insbes bspw dipl habil z.b u.a d.h i.d.r"},
	{beforeNumber, "nr nrn abs ziff lit buchst bd kap abb anl rn rdnr rz az abschn tz bl"},
	{beforeName, "gem ca hr fr frl ing med phil rer nat jur geb gest verh mind max mio mrd tsd betr allg usw str mär okt dez"},
	// French
	{beforeWord, "mme mmes mlle mgr p.ex env"},
	{beforeNumber, "réf alin"},
	{beforeName, "mm me cie éd"},
}

var abbreviations = sync.OnceValue(func() map[string]abbreviationKind {
	all := make(map[string]abbreviationKind)
	for _, list := range abbreviationLists {
		for word := range strings.FieldsSeq(list.words) {
			if all[word] == noAbbreviation {
				all[word] = list.kind
			}
		}
	}
	return all
})

// months holds the names of the months before which a number with a full stop is a day.
var months = wordSet("January February March April May June July August September October November December " +
	"Januar Jänner Februar Feber März Mai Juni Juli Oktober Dezember Jan Feb Mär Mrz Apr Jun Jul Aug Sep Sept Okt Oct Nov Dez Dec " +
	"janvier février mars avril mai juin juillet août septembre octobre novembre décembre")

// germanArticles holds the words after which a German number with a full stop is an ordinal: "am 5. Tag".
var germanArticles = wordSet("am im vom zum zur beim der dem den des das")

// lettered holds nouns with a letter after them, which is no initial: "vitamin K.", "hepatitis B.".
var lettered = wordSet("vitamin vitamine hepatitis hépatite influenza factor faktor facteur type typ group gruppe groupe class klasse classe grade category kategorie " +
	"plan option part teil partie section annex anlage anhang annexe appendix schedule exhibit table tabelle tableau figure clause protein")

// sentenceStarters holds words that often begin a sentence and no name.
var sentenceStarters = wordSet("The This That These Those It Its He She They We You There Then If When While In On At For From By With As After Before And But Or Not No All Each Any A An " +
	"Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Wir Ihr Dies Diese Dieser Dieses Im Am Bei Mit Nach Vor Für Von Zu Aus Auf Wenn Und Aber Oder Nicht Alle Jede Jeder " +
	"Le La Les Un Une Il Elle Ils Elles Ce Cette Ces Dans Pour Avec Si Et Mais")

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
