package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestArticles: a question that names a law and an article finds the passage with that
// article first, whatever others refer to it, and wherever a passage begins.
func TestArticles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(words string) string {
		all := strings.Fields(words)
		return all[random.IntN(len(all))]
	}
	laws, acts := strings.Fields("刑法 民法 劳动法 合同法 公司法 专利法 著作权法 消费者保护法"), strings.Fields("Data Labour Patents")
	files := make(map[string]string)
	for i, law := range laws {
		behind := strings.Repeat(" ", i%2) // some leave it out
		files[law+".md"] = "# " + law + "\n\n" + articles(func(n int) string {
			text := "第" + inCharacters(n) + "条" + behind
			for range 1 + random.IntN(4) {
				text += pick("公民 单位 法院 监护人 出租人") + pick("应当 可以 不得") + pick("依法履行职责。 提供真实资料。 缴纳费用。 签订书面协议。")
			}
			if random.IntN(2) == 0 {
				text += fmt.Sprintf("违反%s第%s条规定的，依照本法第%s条处罚。", pick("刑法 民法 劳动法"), inCharacters(1+random.IntN(60)), inCharacters(1+random.IntN(60)))
			}
			if n%15 == 1 {
				return "## 第" + inCharacters(n/15+1) + "章 总则\n\n" + text
			}
			return text
		})
	}
	for _, act := range acts {
		files[act+" Act.md"] = "# " + act + " Act\n\n" + articles(func(n int) string {
			return fmt.Sprintf("Article %d\nThe %s shall %s. Article %d of the %s Act applies.", n, pick("court tenant registrar"), pick("pay file appeal"), 1+random.IntN(60), pick("Data Labour"))
		})
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	ask := func(question, path, begins string) {
		a := mustSearch(t, ix, Query{Text: question, TopK: 1})
		if p := a.Passages[0]; !strings.Contains(p.Path, path) || !strings.Contains("\n"+p.Text, "\n"+begins) {
			t.Errorf("%q finds %s: %q", question, p.Path, p.Text)
		}
	}
	for n := 1; n <= 60; n++ {
		for _, law := range laws {
			ask(law+"第"+inCharacters(n)+"条", law, "第"+inCharacters(n)+"条")
		}
		for _, act := range acts {
			ask(fmt.Sprintf("article %d of the %s act", n, strings.ToLower(act)), act, fmt.Sprintf("Article %d\n", n))
		}
	}
}

func articles(article func(n int) string) string {
	var all strings.Builder
	for n := 1; n <= 60; n++ {
		all.WriteString(article(n) + "\n\n")
	}
	return all.String()
}

// inCharacters writes a number below 100.
func inCharacters(n int) string {
	digits := []string{"", "一", "二", "三", "四", "五", "六", "七", "八", "九"}
	switch {
	case n < 10:
		return digits[n]
	case n < 20:
		return "十" + digits[n%10]
	}
	return digits[n/10] + "十" + digits[n%10]
}
