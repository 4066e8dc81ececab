package analysis

import (
	"strings"
	"sync"
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

// markAskingPhrases reports, for each character, whether it belongs to a question phrase.
func markAskingPhrases(characters []rune) []bool {
	asks := make([]bool, len(characters))
	for i, r := range characters {
		for _, phrase := range askingPhrases()[r] {
			if len(phrase) <= len(characters)-i && string(phrase) == string(characters[i:i+len(phrase)]) {
				for j := range phrase {
					asks[i+j] = true
				}
			}
		}
	}
	return asks
}
