package notice

import (
	"cmp"

	"vademecum/internal/message"
	"vademecum/internal/script"
)

// LanguageName is what a language is called, by its code, or else the code.
func LanguageName(code string) message.Message {
	return message.New(script.LanguageName(code), cmp.Or(chineseNames[code], code))
}

// chineseNames are the Chinese names of the languages that script tells apart, by their codes.
var chineseNames = map[string]string{
	"en": "英语", "zh": "中文", "ja": "日语", "ko": "韩语", "de": "德语", "fr": "法语", "es": "西班牙语", "it": "意大利语", "pt": "葡萄牙语", "ru": "俄语", "nl": "荷兰语",
	"pl": "波兰语", "cs": "捷克语", "sv": "瑞典语", "da": "丹麦语", "no": "挪威语", "fi": "芬兰语", "hu": "匈牙利语", "tr": "土耳其语", "ro": "罗马尼亚语", "id": "印度尼西亚语", "vi": "越南语",
	"ca": "加泰罗尼亚语", "bs": "波斯尼亚语或克罗地亚语", "uk": "乌克兰语", "bg": "保加利亚语", "sr": "塞尔维亚语", "th": "泰语", "ar": "阿拉伯语", "fa": "波斯语", "he": "希伯来语", "el": "希腊语", "hi": "印地语",
	"bn": "孟加拉语", "ta": "泰米尔语", "te": "泰卢固语", "kn": "卡纳达语", "ml": "马拉雅拉姆语", "si": "僧伽罗语", "ka": "格鲁吉亚语", "hy": "亚美尼亚语", "km": "高棉语", "lo": "老挝语", "my": "缅甸语",
}

// languageMessage says which languages the documents are in that a question is not in.
func (n Note) languageMessage() message.Message {
	var names []message.Message
	for _, code := range n.Words {
		names = append(names, LanguageName(code))
	}
	if len(names) == 1 {
		return message.New("Most documents are in %v, and the question is not: asked in %[1]v, or with other wordings in it, more is found.", "文档大多是%v，而问题不是：用%[1]v提问，或加上%[1]v的说法，能找到更多。", names[0])
	}
	return message.New("Most documents are in these languages: %v; the question is not: asked in one of them, or with other wordings in them, more is found.", "文档大多使用这些语言：%v，而问题不是：用其中一种提问，或加上这些语言的说法，能找到更多。", joinMessages(names))
}
