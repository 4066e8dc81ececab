// Package ranking ranks passages for a question. Whose the chunks are, and where they
// and their postings are kept, it asks whoever holds them.
package ranking

import (
	"vademecum/index/say"
	"vademecum/index/search"
)

// What adds to a score, in the order in which it is told.
const (
	byWords search.Part = iota
	byVectors
	byName
	byHeading
	byFolder
	byDocument
	byDirectory
	ByPhrase
	byVersion
	byKind
	ByCopy
	byOriginal
	parts
)

// said is how each is told.
var said = [parts]say.Part{
	byWords:     {Key: "words", Name: say.Text{English: "words", Chinese: "词语"}},
	byVectors:   {Key: "vectors", Name: say.Text{English: "vectors", Chinese: "语义（向量）"}},
	byName:      {Key: "name", Name: say.Text{English: "name of the document", Chinese: "文档名"}},
	byHeading:   {Key: "heading", Name: say.Text{English: "heading", Chinese: "标题"}},
	byFolder:    {Key: "folder", Name: say.Text{English: "folder", Chinese: "文件夹"}},
	byDocument:  {Key: "document", Name: say.Text{English: "words in the document", Chinese: "同文档的其他词语"}},
	byDirectory: {Key: "company", Name: say.Text{English: "others in the directory", Chinese: "同文件夹的其他文档"}},
	ByPhrase:    {Key: "phrase", Name: say.Text{English: "words in a row", Chinese: "连续词语"}},
	byVersion: {Key: "version",
		Raised: say.Text{English: "raised by %.2f: a version of it in another language answers so well", Chinese: "提高 %.2f：它的另一语言版本同样符合问题"}},
	byKind: {Key: "seldom_meant", ReasonKey: "kind",
		Lowered: say.Text{English: "lowered by %.2f, as it is %s", Chinese: "降低 %.2f，因为它是%s"}},
	ByCopy: {Key: "copy",
		Raised: say.Text{English: "raised by %.2f: a draft that nearly says the same answers so well", Chinese: "提高 %.2f：与其几乎相同的草稿同样符合问题"}},
	byOriginal: {Key: "original",
		Raised:  say.Text{English: "raised by %.2f: it is the original of a passage that nearly says the same", Chinese: "提高 %.2f：它是另一处几乎相同文字的原文"},
		Lowered: say.Text{English: "lowered by %.2f: the original of what it nearly says stands in its place", Chinese: "降低 %.2f：与其几乎相同的原文排在它的位置"}},
}
