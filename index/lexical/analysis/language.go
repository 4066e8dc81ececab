package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"

	"vademecum/internal/base/script"
)

// language holds the data to analyse a language; package script detects languages. The stemmers are
// those of Snowball (https://snowballstem.org/algorithms/).
type language struct {
	code      string
	letters   *unicode.RangeTable
	stem      func(*snowballstem.Env) bool
	functions string // words of closed classes, which do not indicate the subject of a text
}

// languages is the table of languages. To support another one, add a row. English comes first.
//
// Every text, in any language, is indexed by its English stems, because names, terms and quotations
// occur in all languages. A text in another language is also indexed by the stems of that language,
// marked with its code. The language of a query of a word or two is unknown, and may differ from
// that of the texts it should find. Therefore the words of a query are stemmed in all languages.
// The code prevents matches of English texts by a stem that results from removing an Italian
// ending.
var languages = []language{
	// English; the added words ask what a text says.
	{"en", unicode.Latin, stemEnglish, strings.Join(script.EnglishFunctionWords(), " ") + " say says mention mentions"},
	// German, without "wäre", which looks like "Ware" (goods) without its accent
	{"de", unicode.Latin, german.Stem, `der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber
		sondern denn weil dass daß wenn als ob wie wo woher wohin womit wann warum wieso weshalb wer wen wem was welche welcher welches welchen welchem
		ich mich mir du dich dir er ihn ihm sie ihr ihnen es wir uns euch man sich mein meine meinen meinem meiner dein deine deinen
		deinem deiner sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren unserem unserer dieser diese dieses diesem diesen jener jede jeder jedes alle allen alles mit von vom zu zum zur bei beim nach aus in im ins an am ans auf für über
		unter vor durch gegen ohne um bis seit zwischen während wegen trotz ist sind war waren wird werden wurde wurden hat haben
		hatte hätte würde würden bin bist habe kann können könnte könnten muss müssen müsste soll sollen sollte sollten darf dürfen
		dürfte will wollen mag möchte nicht nur auch noch schon so sehr mehr viel viele vielen wieviel wenig einige einigen mehrere
		etwas da dann hier dort nun jetzt immer wieder doch gibt dabei dafür damit danach daran darauf daraus davon dazu`},
	{"fr", unicode.Latin, french.Stem, `le la les l un une des du de d au aux et ou mais donc or ni car que qu qui quoi dont où quand comment
		pourquoi combien quel quelle quels quelles lequel laquelle je j tu il elle on nous vous ils elles me m te t se s lui leur
		leurs y en moi toi eux mon ma mes ton ta tes son sa ses notre nos votre vos ce c cet cette ces ceci cela ça dans sur sous par pour
		avec sans chez vers entre depuis pendant avant après contre jusque est sont été être était étaient es suis sera ai as
		a ont avait avoir fait faut peut peuvent doit doivent ne n pas plus moins très aussi si comme même tout tous toute toutes
		beaucoup peu plusieurs quelques devrait devrais pourrait pourrais serait aurait`},
	{"es", unicode.Latin, spanish.Stem, `el la los las lo un una unos unas de del al y e o u pero sino porque que qué quien quién cual cuál cuáles
		cuando cuándo donde dónde como cómo cuanto cuánto cuántos por para con sin sobre entre desde hasta hacia según durante contra
		ante a en yo tú él ella ellos ellas nosotros usted ustedes me te se le les nos mi mis tu tus su sus este esta estos estas esto ese
		esa esos esas eso aquel aquella es son era eran ser fue fueron está están estar estaba ha han haber había hay tiene tienen
		puede pueden debe deben hace no sí ni muy más menos también ya si cada todo toda todos todas otro otra
		mucho mucha muchos muchas poco varios debería debo puedo podría sería`},
	{"it", unicode.Latin, italian.Stem, `il lo la l i gli le un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal
		dalla dai dalle in nel nello nella nei nelle su sul sulla sui sulle con per tra fra e ed o ma se che chi cui quale quali
		quando dove come perché quanto quanti cosa io tu lui lei noi voi loro mi ti si ci vi ne mio mia suo sua suoi sue questo
		questa questi queste quello quella quelli quelle è sono era erano essere stato stata ha hanno avere aveva può possono deve
		devono non più meno molto anche già così ogni tutto tutti tutta tutte
		poco pochi molta molti molte alcuni alcune dovrebbe dovrei potrebbe potrei sarebbe devo posso`},
	{"pt", unicode.Latin, portuguese.Stem, `o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem sobre
		entre até desde e ou mas porque que quê quem qual quais quando onde como quanto quantos eu tu ele ela eles elas nós você
		vocês me te se lhe lhes meu minha seu sua seus suas este esta estes estas isto esse essa esses essas isso aquele aquela
		é são era eram ser foi foram está estão estar há tem têm ter tinha pode podem deve devem faz não sim nem muito mais menos
		também já se cada todo toda todos todas outro outra ao à aos às
		muita muitos muitas pouco poucos vários deveria devo posso poderia seria`},
	{"nl", unicode.Latin, dutch.Stem, `de het een en of maar want dat die dit deze dan als wat wie welke welk waar wanneer waarom hoe hoeveel ik
		jij je u hij zij ze wij we jullie hem haar hun ons mij me zich mijn zijn uw onze van in op te ten ter met voor door naar
		bij uit aan om over onder tussen tegen tot zonder na sinds tijdens is was waren ben bent wordt worden werd werden heeft
		hebben had kan kunnen moet moeten mag mogen zal zullen wil niet geen ook nog al wel zeer meer veel weinig enkele er hier daar zou
		zouden kunt moest mocht`},
	{"ru", unicode.Cyrillic, russian.Stem, `и в во не на я он она оно они мы вы ты что чтобы кто как где когда почему зачем сколько какой какая
		какое какие который которая которое которые чем с со к ко по за из от до для при о об у под над без через между после перед
		а но или либо же ли бы если то так тоже также это этот эта эти того этого этой тот та те все всё весь вся мой моя его её
		их наш ваш свой быть был была было были есть будет нет да уже ещё еще только очень более можно нужно надо может могут`},
	{"sv", unicode.Latin, swedish.Stem, `en ett den det de dem och eller men att som om när var vad vem vilken vilket vilka hur varför jag du han hon vi
		ni mig dig sig oss er honom henne min mitt mina din sin sitt sina hans hennes deras denna detta dessa i på av för till från
		med utan under över vid mellan efter före genom mot hos är var varit vara blir blev har hade ha kan kunde ska skulle måste
		får inte ej också bara så mycket mer där här då nu än`},
	{"da", unicode.Latin, danish.Stem, `en et den det de dem og eller men at som om når hvor hvad hvem hvilken hvilket hvilke hvordan hvorfor jeg du han
		hun vi i mig dig sig os jer ham hende min mit mine din sin sit sine hans hendes deres denne dette disse på af for til fra med
		uden under over ved mellem efter før gennem mod hos er var været være bliver blev har havde have kan kunne skal skulle må
		ikke også kun så meget mere der her da nu end`},
	{"no", unicode.Latin, norwegian.Stem, `en ei et den det de dem og eller men at som om når hvor hva hvem hvilken hvilket hvilke hvordan hvorfor jeg du
		han hun vi dere meg deg seg oss ham henne min mitt mine din sin sitt sine hans hennes deres denne dette disse i på av for til
		fra med uten under over ved mellom etter før gjennom mot hos er var vært være blir ble har hadde ha kan kunne skal skulle må
		ikke også bare så mye mer der her da nå enn`},
	{"fi", unicode.Latin, finnish.Stem, `ja tai mutta että kun jos kuin niin myös ei en et emme ole on ovat oli olivat olla se ne tämä nämä tuo nuo joka
		jotka mikä mitä missä milloin miksi miten kuka minä sinä hän me te he sen tämän sitä jo vain vielä kanssa ennen jälkeen`},
	{"ro", unicode.Latin, romanian.Stem, `și si de în in la cu un o pe nu care este e sunt din pentru sau ca că mai prin al ale a ai lui ei lor ce cine
		când unde cum cât câte eu tu el ea noi voi se îi le îl acest această aceste fi fost are au avea poate trebuie foarte dar`},
}

var languageOf = func() map[string]*language {
	m := make(map[string]*language)
	for i := range languages {
		m[languages[i].code] = &languages[i]
	}
	return m
}()

// languageRow returns the row of a language in the table languages, or nil if there is none.
func languageRow(l script.Language) *language { return languageOf[l.Code()] }

// functionWordsIn returns the function words of each language, folded.
var functionWordsIn = sync.OnceValue(func() map[*language]map[string]bool {
	all := make(map[*language]map[string]bool)
	for i := range languages {
		l := &languages[i]
		all[l] = make(map[string]bool)
		for w := range strings.FieldsSeq(l.functions) {
			all[l][foldWord(w)] = true
		}
	}
	return all
})

func (l *language) isFunctionWord(word string) bool { return functionWordsIn()[l][foldWord(word)] }

// stemTerm returns the term of a word in a language other than English, or "" if the word is a
// function word or not written in letters of that language.
func (l *language) stemTerm(word string) string {
	first, _ := utf8.DecodeRuneInString(word)
	if len(word) > maxTermBytes || !unicode.Is(l.letters, first) {
		return ""
	}
	return stemTermsIn()[l].getOrMake(word, func(word string) string {
		if strings.ContainsFunc(word, unicode.IsDigit) || l.isFunctionWord(word) {
			return ""
		}
		return string(stemField) + l.code + ":" + l.stemAndFold(strings.ToLower(word))
	})
}

// stemTermsIn returns the cache of the terms of words in each language.
var stemTermsIn = sync.OnceValue(func() map[*language]*wordCache[string] {
	all := make(map[*language]*wordCache[string])
	for i := range languages {
		all[&languages[i]] = newWordCache[string](1 << 14)
	}
	return all
})

// appendStems appends the terms for the words of a normalised text by their stems in the language.
func (l *language) appendStems(out []string, text string) []string {
	for r := range runsOf(text) {
		if r.unspaced {
			continue
		}
		if t := l.stemTerm(text[r.start:r.end]); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// stemForms returns the terms of the stems of a word in all languages except English.
func stemForms(word string) []string {
	var forms []string
	for i := range languages[1:] {
		if t := languages[1+i].stemTerm(word); t != "" {
			forms = append(forms, t)
		}
	}
	return forms
}

// formsOf returns the additional terms by which a word of a query is found: its stems in other
// languages, and its closed form, for texts that write it as two words.
func formsOf(word string) []string {
	return forms.getOrMake(word, func(word string) []string {
		all := append(stemForms(word), closedForm(termOfWord(word)))
		all = append(append(all, currencyForms(word)...), unitForms(word)...)
		if respelled := fromUmlauts.Replace(strings.ToLower(word)); respelled != strings.ToLower(word) {
			all = append(all, termOfWord(respelled))
		}
		if articleUnits[strings.ToLower(word)] == "number" {
			all = append(all, numberTerm)
		}
		return all
	})
}

var forms = newWordCache[[]string](1 << 12)

// isFunctionWordIn reports whether a word is a function word in English or in one of the given
// languages.
func isFunctionWordIn(rows []*language, word string) bool {
	return script.IsFunctionWord(strings.ToLower(word)) || askingWords()[foldWord(word)] && word != strings.ToUpper(word) || slices.ContainsFunc(rows, func(l *language) bool { return l.isFunctionWord(word) })
}

// functionRows returns the likely languages of a query, whose function words are ignored in it.
// Only likely languages count, because a function word of one language may be a name in another:
// MIT, die.
func functionRows(question string) (rows []*language) {
	for _, l := range script.LikelyLanguages(question) {
		if row := languageRow(l); row != nil {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return rowsOfLongFunctionWords(question)
	}
	return rows
}

// leastTelling is the minimum number of letters of a function word that reveals the language of a
// short query, like gegen in "Tabletten gegen Schmerzen". Shorter ones are also words of other
// languages.
const leastTelling = 5

// rowsOfLongFunctionWords returns the languages with compounds that have a long function word in
// the query.
func rowsOfLongFunctionWords(question string) (rows []*language) {
	for r := range runsOf(question) {
		word := question[r.start:r.end]
		if r.unspaced || utf8.RuneCountInString(word) < leastTelling {
			continue
		}
		for _, l := range compoundLanguages() {
			if l.isFunctionWord(word) && !slices.Contains(rows, l) {
				rows = append(rows, l)
			}
		}
	}
	return rows
}
