package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// AskedName is a name in a question that may be taken for another one with much the same characters: a Chinese
// name, whose pairs of characters may all be in a longer or similar one, a word with a number, one without
// umlauts, or a number with a unit.
type AskedName struct {
	Text       string // as in the question
	characters []rune // folded; nil if it is a word
	word       string // in lower case
	number     string
	respelled  []string // terms of a word without umlauts; see RespelledName
	quantity   quantity // a number with a unit; zero if it is none
	// its last character may be a verb, judging by what follows
	mayEndWithVerb bool
}

// NamePresence says whether a text has a name, only a similar one, or neither.
type NamePresence int

// Whether a text has a name: not at all, only a similar name, or the name itself.
const (
	NameAbsent NamePresence = iota
	OnlySimilarName
	NamePresent
)

// AskedNames returns the names in a question that may be taken for others.
func AskedNames(question string) (names []AskedName) {
	text := normalizeQuestion(question)
	for r := range runsOf(text) {
		if !r.unspaced {
			continue
		}
		written := []rune(text[r.start:r.end])
		characters := []rune(foldWord(string(written)))
		if len(written) != len(characters) {
			continue
		}
		for _, s := range nameSpansIn(characters, markAskingPhrases(characters)) {
			if s.length() >= leastSubject {
				names = append(names, AskedName{
					Text: string(written[s.start:s.end]), characters: characters[s.start:s.end],
					mayEndWithVerb: s.end < len(characters) && strings.ContainsRune(afterVerb, characters[s.end]),
				})
			}
		}
	}
	return append(append(names, numberedNames(text)...), askedQuantities(text)...)
}

// PresenceIn returns whether a text has the name, only a similar one, or neither.
func (n AskedName) PresenceIn(text string) NamePresence {
	switch {
	case n.IsQuantity():
		return n.quantityStandingIn(text)
	case n.respelled != nil:
		return n.respelledStandingIn(text)
	case n.characters == nil:
		return n.numberPresenceIn(text)
	}
	return n.charactersPresenceIn([]rune(foldWord(text)))
}

// charactersPresenceIn returns whether a folded text has a Chinese name, or only a similar one: a longer
// one that begins with it, or one that differs in the last character.
func (n AskedName) charactersPresenceIn(text []rune) NamePresence {
	standing := NameAbsent
	beginning, last := n.characters[:len(n.characters)-1], n.characters[len(n.characters)-1]
	for at := range text {
		rest := text[at:]
		switch {
		case hasPrefix(rest, n.characters):
			if !isNameContinuedBy(rest[len(n.characters):]) {
				return NamePresent
			}
			standing = OnlySimilarName
		case n.mayEndWithVerb || !mayEndName(last) || !hasPrefix(rest, beginning):
		case strings.ContainsRune(nameEndings, last) || isNameContinuedBy(rest[len(beginning):]):
			standing = OnlySimilarName
		}
	}
	return standing
}

func hasPrefix(text, prefix []rune) bool {
	return len(text) >= len(prefix) && slices.Equal(text[:len(prefix)], prefix)
}

// isNameContinuedBy reports whether the text after a name makes it a longer name: the first character of
// the text may be the last one of a name, and ends its word.
func isNameContinuedBy(rest []rune) bool {
	switch {
	case len(rest) == 0 || !mayEndName(rest[0]):
		return false
	case len(rest) == 1 || strings.ContainsRune(nameEndings, rest[0]):
		return true
	}
	return !unicode.Is(unicode.Han, rest[1]) || strings.ContainsRune(afterName, rest[1]) || strings.ContainsRune(wordCharacters, rest[1])
}

// afterName lists words of one character that follow a name.
const afterName = "的和与或及是在等"

// mostCommonPairs is the maximum number of common two-character words that contain a character which may be
// part of a name: a character in more of them is likelier a word of its own.
const mostCommonPairs = 1

// wordCharacters are words of one character that are in hardly any common word.
const wordCharacters = "扎刺插拔灌挤揉捏按推拉提搬抬挖剪割缝补染烫烧煎炖焯熬喂养种浇剥削剁拌倒抹吹咽吸拍摸跳跑爬骑坐站躺睡醒哭笑骂打摔撞掉坏漏堵裂断缺借租赔罚判抢偷骗" +
	"卖葬埋嚼敷擦涂穿戴娶嫁贵疼痒咬切拆抓扔洗煮炒烤蒸腌晒泡吐咳喘晕麻肿胀丸膏栓汤粉粒针贴片剂液囊吗呢吧啊县镇村乡区市省州岛河江湖山寺庙塔桥站店馆院校厂组类等型款版章条节段篇卷册页岁斤两元角寸尺吨米秒"

// nameEndings are last characters of the names of drugs and substances, which are no words of their own.
const nameEndings = "龙碱素唑胺酯汀洛肟辛霉酮醇酚钠钾啶嗪胍肽苷酶铂滨韦坦芬铵烷烯腺"

// afterVerb lists characters that follow a verb or an adjective.
const afterVerb = "太很得了过着完到起在于"

// mayEndName reports whether a character may be the last one of a name, rather than a word of its own after
// the name.
func mayEndName(r rune) bool {
	return unicode.Is(unicode.Han, r) && !IsFunctionTerm(string(r)) && !strings.ContainsRune(wordCharacters, r) && commonPairsWith()[r] <= mostCommonPairs
}

// commonPairsWith returns, for each character, the number of common two-character words that contain it.
var commonPairsWith = sync.OnceValue(func() map[rune]int {
	counts := make(map[rune]int)
	for t := range commonTerms() {
		if utf8.RuneCountInString(t) == 2 {
			for _, r := range t {
				counts[r]++
			}
		}
	}
	return counts
})
