package index

import (
	"strings"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestChineseVariants: tags, values, names and paths in traditional Chinese are selected in
// simplified Chinese, and the other way round.
func TestChineseVariants(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"人物/陳玄禮.md": "---\n標籤: [長安]\n出身: 洛陽\n---\n# 一\n\n他住在長安。\n",
		"马嵬.md":     "---\ntags: 长安\n---\n# 二\n\n[[陈玄礼]]\n",
		"Other.md":  "# 三\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, tt := range []struct {
		filter Filter
		want   string
	}{
		{Filter{Conditions: meta.Conditions{{Tag: "长安"}}}, "人物/陳玄禮.md 马嵬.md"},
		{Filter{Conditions: meta.Conditions{{Tag: "長安"}}}, "人物/陳玄禮.md 马嵬.md"},
		{Filter{Conditions: meta.Conditions{{Key: "出身", Value: "洛阳"}}}, "人物/陳玄禮.md"},
		{Filter{Path: "*陈*"}, "人物/陳玄禮.md"},
		{Filter{Path: "馬嵬.md"}, "马嵬.md"},
		{Filter{Path: "other.md"}, "Other.md"},
		{Filter{Path: "人物/陈*"}, "人物/陳玄禮.md"},
		{Filter{Path: "*张*"}, ""},
		{Filter{LinksTo: "陳玄禮"}, "马嵬.md"},
	} {
		all, err := ix.List(t.Context(), tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
		}
		if got := strings.Join(paths, " "); got != tt.want {
			t.Errorf("%+v selects %q, want %q", tt.filter, got, tt.want)
		}
	}
	if d, err := ix.DescribeDocument(t.Context(), "陈玄礼"); err != nil || d.Path != "人物/陳玄禮.md" {
		t.Errorf("陈玄礼 is %q: %v", d.Path, err)
	}
	if got := strings.Join(ix.FrontMatterValues("出身"), " "); got != "洛陽" {
		t.Errorf("the values are %q, not as they are spelt", got)
	}
}

// TestScoreWithoutSubject: an answer without the subject of the question has no score above 1,
// however many places of a document have its other words.
func TestScoreWithoutSubject(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"陆蘅.md": "# 陆蘅\n\n- 朔方军将领陆承宗之女。\n- 左肩有箭伤，下雨天会疼。\n- 结局：沈砚与陆蘅不成亲。\n",
		"通鉴.md": "# 通鉴\n陳玄禮殺楊國忠。上乃命力士引貴妃於佛堂，縊殺之。\n",
		"其他.md": "# 其他\n今天天气很好，我们去公园。结婚以后要买房。\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	if a := mustSearch(t, ix, Query{Text: "陆蘅受过什么伤"}); found(a) == "" {
		t.Error("nothing is found")
	}
}
