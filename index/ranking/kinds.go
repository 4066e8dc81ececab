package ranking

import (
	"context"
	"path"
	"slices"
	"strings"

	"vademecum/docs/kind"
	"vademecum/index/search"
)

// called lists the words by which a question names kinds of passages, in lower case. In scripts
// with spaces only whole words count.
var called = map[kind.Kind]string{
	kind.LinkList:      "link links list lists contents toc index bookmarks 链接 鏈接 目录 目錄 列表 清单 索引 书签",
	kind.ChangeLog:     "changelog changes changed release releases version versions history new 更新 变更 變更 版本 发布 日志",
	kind.Licence:       "license licence licenses licences licensed licensing copyright warranty permission 许可 許可 授权 版权 版權 协议",
	kind.References:    "reference references bibliography cite cites cited citation citations literature paper papers 参考 參考 引用 文献 论文",
	kind.PointerPage:   "alias aliases see redirect 别名 別名",
	kind.GeneratedFile: "generated lock lockfile minified tags 生成",
}

// kindsNamed returns the kinds that a question names.
func kindsNamed(question string) map[kind.Kind]bool {
	question = strings.ToLower(question)
	words := strings.FieldsFunc(question, isSeparator)
	asked := make(map[kind.Kind]bool)
	for k, list := range called {
		for name := range strings.FieldsSeq(list) {
			if slices.Contains(words, name) || name[0] >= 0x80 && strings.Contains(question, name) {
				asked[k] = true
			}
		}
	}
	return asked
}

// weighKinds lowers the scores of candidates of a kind that is rarely wanted (see weights), unless the
// question names the kind or has phrases in quotation marks.
func weighKinds(_ context.Context, r *Ranking) error {
	if len(r.quoted) > 0 {
		return nil
	}
	var asked map[kind.Kind]bool
	for i := range r.candidates {
		c := &r.candidates[i]
		weight, isLess := weights[c.Traits.Kind]
		if !isLess {
			continue
		}
		if asked == nil {
			asked = kindsNamed(r.Text)
		}
		if !asked[c.Traits.Kind] && !namesFile(r.Text, c.Document.Path) {
			c.SetScore(byKind, c.Score*weight)
		}
	}
	if asked != nil {
		search.SortCandidates(r.candidates)
	}
	return nil
}

// namesFile reports whether a question contains the name of a file, with or without its
// extension.
func namesFile(question, p string) bool {
	base := strings.ToLower(path.Base(p))
	stem := strings.TrimSuffix(base, path.Ext(base))
	if stem == "" {
		return false
	}
	text := strings.ToLower(question)
	for from := 0; ; {
		i := strings.Index(text[from:], stem)
		if i < 0 {
			return false
		}
		from += i
		before, after := text[:from], text[from+len(stem):]
		if (before == "" || isBorder(lastRune(before))) && (after == "" || isBorder(firstRune(after))) {
			return true
		}
		from += len(stem)
	}
}
