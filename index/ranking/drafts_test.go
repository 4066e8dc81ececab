package ranking

import (
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestCompareEditions: of two names that differ in a year or version the later is newer; one without is no edition.
func TestCompareEditions(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"policy 2024.md", "policy 2019.md", 1}, {"policy v2.10.md", "policy v2.9.docx", 1}, {"policy.md", "policy2019.md", 0}, {"制度.md", "制度2019.md", 0}, {"policy.md", "policy v2.md", 0}, {"a v1.md", "b v2.md", 0},
	} {
		document := func(path string) *search.Document { return search.NewDocument(&catalog.Record{Path: path}, 0) }
		if got := compareEditions(document(c.a), document(c.b)); got != c.want {
			t.Errorf("%s and %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestFrontMatterSaysDraft checks which fields of front matter say that a text does not hold.
func TestFrontMatterSaysDraft(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"status", "Superseded", true}, {"status", "draft", true}, {"状态", "已作废", true}, {"状态", "已廢止", true}, {"draft", "true", true}, {"archived", "true", true}, {"superseded_by", "plan v2", true},
		{"status", "valid", false}, {"draft", "false", false}, {"superseded", "false", false}, {"superseded-by", "", false}, {"superseded_by", "none", false}, {"replaced_parts", "seal", false}, {"title", "draft", false}, {"updated", "true", false},
	} {
		if got := saysDraft(meta.Field{Key: c.key, Values: []string{c.value}}); got != c.want {
			t.Errorf("%s: %s says draft: %v", c.key, c.value, got)
		}
	}
}

// TestFinalDraftWords: a Korean or Japanese word for a copy ends a word, and is none within another.
func TestFinalDraftWords(t *testing.T) {
	for name, want := range map[string]bool{"인사본부 규정": false, "계획 사본": true, "계획-사본 2": true, "복사본_계획": true, "최초안내": false, "計画 コピー": true, "コピー機": false, "副本计划": true} {
		if got := parseMarkedName(name).isDraft; got != want {
			t.Errorf("%s is a draft: %v", name, got)
		}
	}
}
