package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// askingList lists question phrases of scripts without spaces, which mean "what is", "how many",
// "please" and the like, in simplified characters.
const askingList = `
	请问 请教 想问 问一下 告诉我 帮我 我想知道 我想 怎么 怎样 怎么样 怎么办 怎么做 怎么算 怎么写 怎么用 怎么回事 如何 为什么 为何 为啥 什么 什么是 是什么 什么时候 几月份 几月 几号 几时 什么样 什么意思 干什么 啥
	哪些 哪个 哪里 哪儿 哪种 有哪些 有哪几种 谁 几天 几年 几个 几个月 几次 几倍 几岁 几种 几点 有几 有几个 有几种 有几天 是几年 多少 多少天 多少钱 多少个 多少次 有多少 多久 要多久 多长 多长时间 多大 多高 多远 多重
	是否 能否 可否 能不能 可不可以 要不要 会不会 是不是 有没有 可以吗 对吗 吗 呢
	ですか ますか でしょうか とは なぜ どう どうやって どうすれば いくつ いくら どこ だれ なに 何ですか 教えて ください
	무엇 어떻게 왜 얼마 어디 누구 언제 입니까 인가요 하나요`

// askingPhrases maps first characters to the phrases of askingList.
var askingPhrases = sync.OnceValue(func() map[rune][][]rune {
	m := make(map[rune][][]rune)
	for _, phrase := range strings.Fields(askingList) {
		p := []rune(phrase)
		m[p[0]] = append(m[p[0]], p)
	}
	return m
})

// intervalPhrases and oncePhrases are the parts of question phrases that mean "how often", with other
// words between them: "多久复查一次".
var (
	intervalPhrases = strings.Fields("多久 多长时间 几天 几日 几周 几星期 几个星期 几月 几个月 几年 几小时 几个小时 几分钟 多少天 多少周 多少个月 多少年 多少小时 多少分钟")
	oncePhrases     = strings.Fields("一次 一回 一遍 一趟")
)

// markAskingPhrases reports, for each character, whether it belongs to a question phrase.
func markAskingPhrases(characters []rune) []bool {
	asks := make([]bool, len(characters))
	markHowOften(string(characters), asks)
	for i, r := range characters {
		for _, phrase := range askingPhrases()[r] {
			if len(phrase) <= len(characters)-i && string(phrase) == string(characters[i:i+len(phrase)]) {
				markAll(asks[i : i+len(phrase)])
			}
		}
	}
	return asks
}

// markHowOften marks the characters of both parts of a question phrase that means "how often".
func markHowOften(text string, asks []bool) {
	interval := findPhrase(text, intervalPhrases)
	if once := findPhrase(interval.after, oncePhrases); once.phrase != "" {
		interval.mark(asks)
		once.mark(asks[len(asks)-utf8.RuneCountInString(interval.after):])
	}
}

// foundPhrase is a phrase in a text. It is empty if none was found.
type foundPhrase struct{ before, phrase, after string }

// findPhrase finds the first of the phrases in a text.
func findPhrase(text string, phrases []string) (found foundPhrase) {
	for _, p := range phrases {
		if before, after, ok := strings.Cut(text, p); ok && (found.phrase == "" || len(before) < len(found.before)) {
			found = foundPhrase{before, p, after}
		}
	}
	return found
}

// mark sets the elements of asks for the characters of the phrase. asks has an element for each
// character of the text in which the phrase was found.
func (f foundPhrase) mark(asks []bool) {
	start := utf8.RuneCountInString(f.before)
	markAll(asks[start : start+utf8.RuneCountInString(f.phrase)])
}

func markAll(asks []bool) {
	for i := range asks {
		asks[i] = true
	}
}

// kanaParticles recognises pairs of characters that are not part of a word in Japanese, where the
// hiragana of grammar stand between words of Chinese characters and katakana. Such pairs consist of
// two hiragana, or of a particle and a neighbouring character, as in 判を and を判.
type kanaParticles bool // whether the run contains words between hiragana

// kanaParticlesOf returns a value that recognises, in a run of characters without spaces, the pairs
// that are Japanese grammar rather than part of a word. It recognises none if the run is all
// hiragana, as that may be a word, or has no hiragana.
func kanaParticlesOf(run []rune) kanaParticles {
	return kanaParticles(slices.ContainsFunc(run, isHiragana) && slices.ContainsFunc(run, func(r rune) bool { return !isHiragana(r) }))
}

func (p kanaParticles) has(first, second rune) bool {
	if !p {
		return false
	}
	return isHiragana(first) && isHiragana(second) || isParticleKana(first) || isParticleKana(second)
}

func isHiragana(r rune) bool { return unicode.Is(unicode.Hiragana, r) }

func isParticleKana(r rune) bool { return strings.ContainsRune("をはがのにへとでもや", r) }

// editionWords ask for the newest of several editions. They are not reported as unknown if no text has
// them, because the newest text hardly calls itself that.
var editionWords = lazySet("latest newest current currently recent up-to-date uptodate aktuell aktuelle aktueller aktuelles aktuellen aktuellste neueste neuester neuestes neuesten derzeit derzeitige", asWritten)

// unspacedEditionWords are the editionWords in scripts without spaces.
var unspacedEditionWords = strings.Fields("最新 现行 現行 当前 當前 目前")

// markEditionWords marks the bytes of a text in words that ask for an edition.
func markEditionWords(text string, marked []bool) {
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		if !r.unspaced {
			if editionWords()[strings.ToLower(word)] {
				markAll(marked[r.start:r.end])
			}
			continue
		}
		for _, edition := range unspacedEditionWords {
			if at := strings.Index(word, edition); at >= 0 {
				markAll(marked[r.start+at : r.start+at+len(edition)])
			}
		}
	}
}

// askingWordList lists words with which people ask in German and French, folded. None is a word of
// another language, so that they need not be in a sentence that tells its language: "Was bedeutet
// Err006?"
const askingWordList = `
	wann wer wem wieso weshalb warum wieviel wieviele welcher welches welchem welchen womit wofur woran worauf
	bedeutet bedeuten passiert passieren passierte geschieht geschah heisst heist lautet
	combien pourquoi quoi quelle quels quelles lequel laquelle signifie signifient signifiait`

var askingWords = lazySet(askingWordList, asWritten)

// askingParts matches phrases whose last word only asks: "long" in "how long", "mean" in "what does x
// mean". Elsewhere in a question, these words may say what it is about.
var askingParts = lazyregexp.New(`(?i)\bhow (?:long|often|far|old|many|much|high|big|large|fast|soon|deep|wide|heavy)\b|\bwie (?:oft|lange?|viele?|weit|hoch|alt|gross|schnell|tief|schwer|teuer|breit)\b|\bwie groß(?:\PL|$)|` +
	`\b(?:what|was|que|quoi)\b.*?\b(?:happen(?:s|ed)?|passe|arrive)\b|\b(?:does|do|did)\b.*\b(?:mean|stand for)\W*$|\b(?:number|nummer|numéro)\b|\b[0-9]+[ -]years?[ -]old\b`)

// askingSpans returns the byte ranges of words in a query that only ask.
func askingSpans(text string) (spans []wordRun) {
	for _, at := range askingParts.FindAllStringIndex(text, -1) {
		asked := strings.TrimRightFunc(text[at[0]:at[1]], func(r rune) bool { return !isLetterOrDigit(r) })
		last := strings.LastIndexByte(strings.TrimSuffix(asked, " for"), ' ') + 1
		spans = append(spans, wordRun{start: at[0] + last, end: at[0] + len(asked)})
	}
	return spans
}

// markAskingWords marks the bytes of words in a query that only ask.
func markAskingWords(text string, asks []bool) {
	for _, s := range askingSpans(text) {
		markAll(asks[s.start:s.end])
	}
}
