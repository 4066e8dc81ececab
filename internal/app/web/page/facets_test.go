package page

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// many are documents that one question finds.
var many = map[string]string{
	"lungs/asthma.md":      "---\ntags: [lungs, care/child]\ndate: 2024-11-05\n---\n# Asthma\n\nA spacer helps children who breathe badly.\n",
	"lungs/croup/steam.md": "---\ntags: [lungs]\ndate: 2023-02-01\n---\n# Croup\n\nNo spacer, but cool air at the window.\n",
	"forms/order.txt":      "Order of 2023-05-01\n\nOne spacer for the practice, by post, as soon as you can.\n",
	"中文/哮喘.md":             "---\ndate: 2022-01-01\n---\n# 哮喘\n\n儿童用 spacer 储雾罐吸入，每日两次。\n",
}

// linksOf lists the links of a page in elements of a class, as "text address".
func linksOf(t *testing.T, page, class string) (links []string) {
	t.Helper()
	elements(t, page, func(n *html.Node, a map[string]string) {
		if a["class"] != class {
			return
		}
		for l := range n.Descendants() {
			if l.Type != html.ElementNode || l.Data != "a" {
				continue
			}
			text := ""
			for d := range l.Descendants() {
				if d.Type == html.TextNode {
					text += d.Data
				}
			}
			for _, attribute := range l.Attr {
				if attribute.Key == "href" {
					links = append(links, strings.Join(strings.Fields(text), " ")+" "+attribute.Val)
				}
			}
		}
	})
	return links
}

// TestFacets checks that results are counted by facet, each value with a link that sets the filter,
// and that filters can be removed one by one and together.
func TestFacets(t *testing.T) {
	s := open(t, many, nil)
	page := s.get("/search?q=spacer")
	facets := linksOf(t, page, "facets")
	for _, want := range []string{
		"lungs /search?in=lungs&q=spacer", "forms /search?in=forms&q=spacer", "Markdown /search?kind=Markdown&q=spacer", "text /search?kind=text&q=spacer",
		"#lungs /search?q=spacer&tag=lungs", "#care /search?q=spacer&tag=care", "2024 /search?after=2024&before=2024&q=spacer", "2022 /search?after=2022&before=2022&q=spacer", "Chinese /search?language=zh&q=spacer",
	} {
		if !slices.Contains(facets, want) {
			t.Errorf("no %q among %q", want, facets)
		}
	}
	for _, want := range []string{`>lungs</a> <span class="n">2</span>`, `>Markdown</a> <span class="n">3</span>`, `>#lungs</a> <span class="n">2</span>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, `class="chips"`) {
		t.Error("a question to all documents has what can be taken away")
	}
	page = s.get("/search?q=spacer&in=lungs&after=2023&before=2023&language=en")
	if strings.Contains(page, "asthma.md") || !strings.Contains(page, "steam.md") {
		t.Errorf("it is not narrowed:\n%s", page)
	}
	want := []string{
		"Year 2023 ×take it away /search?in=lungs&language=en&q=spacer", "Folder lungs ×take it away /search?after=2023&before=2023&language=en&q=spacer",
		"Language English ×take it away /search?after=2023&before=2023&in=lungs&q=spacer", "clear /search?q=spacer",
	}
	if got := linksOf(t, page, "chips"); !slices.Equal(got, want) {
		t.Errorf("chips are\n%q, want\n%q", got, want)
	}
	if got := linksOf(t, s.get("/search?q=spacer&in=lungs"), "facets"); !slices.Contains(got, "croup /search?in=lungs%2Fcroup&q=spacer") {
		t.Errorf("the folders in one are not among %q", got)
	}
	if got := linksOf(t, s.get("/search?q=spacer&tag=%23lungs"), "chips"); !slices.Contains(got, "Tag #lungs ×take it away /search?q=spacer") {
		t.Errorf("a tag as it is written is %q", got)
	}
	if page := s.get("/search?q=spacer&language=zh"); strings.Contains(page, "asthma.md") || !strings.Contains(page, "哮喘.md") {
		t.Errorf("not in Chinese alone:\n%s", page)
	}
	if page := s.get("/search?q=spacer&language=%22x"); !strings.Contains(page, "asthma.md") || strings.Contains(page, `class="chips"`) {
		t.Errorf("a language that is none:\n%s", page)
	}
}

// TestByDate checks that results can be sorted by date, latest first, and that the fields for dates
// have a picker.
func TestByDate(t *testing.T) {
	s := open(t, many, nil)
	page := s.get("/search?q=spacer&sort=date")
	last := -1
	for _, path := range []string{"asthma.md", "steam.md", "哮喘.md"} {
		at := strings.Index(page, ">"+map[string]string{"asthma.md": "lungs/asthma.md", "steam.md": "lungs/croup/steam.md", "哮喘.md": "中文/哮喘.md"}[path])
		if at < last || at < 0 {
			t.Errorf("%s stands at %d, behind %d", path, at, last)
		}
		last = at
	}
	if !strings.Contains(page, `href="/search?q=spacer">best first</a>`) || !strings.Contains(page, `name="sort" value="date"`) {
		t.Errorf("the order cannot be changed:\n%s", page)
	}
	if links := linksOf(t, page, "facets"); len(links) > 0 || strings.Contains(page, `href="#facets"`) {
		t.Errorf("it counts what is not listed: %q", links)
	}
	if got := linksOf(t, s.get("/search?q=spacer&sort=date&in=lungs"), "chips"); !slices.Contains(got, "clear /search?q=spacer&sort=date") {
		t.Errorf("what it is narrowed to cannot be taken away: %q", got)
	}
	for to, want := range map[string]string{"/search?q=spacer&after=2024-01-05": `value="2024-01-05" autocomplete="off" placeholder="2024-11" type="date"`, "/search?q=spacer&after=2024": `value="2024" autocomplete="off" placeholder="2024-11" size="10"`} {
		if page := s.get(to); !strings.Contains(page, want) {
			t.Errorf("%s: no %s in\n%s", to, want, page)
		}
	}
}

// TestManyValues checks that all values of a facet are listed or counted.
func TestManyValues(t *testing.T) {
	years := make(map[string]string)
	for year := 1990; year < 1990+mostValues+2; year++ {
		years[strconv.Itoa(year)+".md"] = "---\ndate: " + strconv.Itoa(year) + "-01-01\n---\n# Order\n\nOne spacer.\n"
	}
	page := open(t, years, nil).get("/search?q=spacer&most=200")
	links := linksOf(t, page, "facets")
	for _, year := range []string{"1992", "2000", "2091"} {
		if !slices.Contains(links, year+" /search?after="+year+"&before="+year+"&q=spacer") {
			t.Errorf("no year %s among %q", year, links)
		}
	}
	if !strings.Contains(page, "<summary>show more</summary>") || !strings.Contains(page, "and 2 more") {
		t.Errorf("it does not say that there are more:\n%s", page)
	}
}
