package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// TestDates checks that lists and facets use the same date: that in the document, or else in its
// name, or else of its file.
func TestDates(t *testing.T) {
	s := open(t, map[string]string{
		"note.md":              "---\ndate: 2017-03-02\n---\nA spacer.\n",
		"law (2012-12-28).txt": "The spacer act.\n", "plain.txt": "Spacer.\n",
	}, nil)
	today := time.Now().Format(time.DateOnly)
	var dates []string
	page := s.get("/library/documents?sort=date")
	elements(t, page, func(n *html.Node, _ map[string]string) {
		if n.Data == "td" && n.FirstChild != nil && len(n.FirstChild.Data) == len(today) {
			dates = append(dates, n.FirstChild.Data)
		}
	})
	if want := []string{today, "2017-03-02", "2012-12-28"}; !slices.Equal(dates, want) {
		t.Errorf("the dates are %q, want %q:\n%s", dates, want, page)
	}
	found := s.get("/search?q=spacer")
	for _, year := range []string{"2012", "2017", today[:4]} {
		if !strings.Contains(found, "?after="+year+"&amp;before="+year) {
			t.Errorf("there is no facet of %s:\n%s", year, found)
		}
	}
	for path, isShown := range map[string]bool{"note.md": true, "law (2012-12-28).txt": true, "plain.txt": false} {
		if page := s.get("/doc?path=" + url.QueryEscape(path)); isShown != strings.Contains(page, "<dt>Date</dt>") {
			t.Errorf("%s: a date is shown %v", path, !isShown)
		}
	}
}

// TestGivenUp checks the text about a timeout, in each language.
func TestGivenUp(t *testing.T) {
	s := open(t, notes, nil)
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for language, want := range map[string]string{"en": "took longer than 30 s and was stopped", "zh": "用时超过 30 秒"} {
		for path, status := range map[string]int{"/find?q=spacer": http.StatusGatewayTimeout, "/search?q=spacer": http.StatusGatewayTimeout} {
			r := httptest.NewRequestWithContext(late, http.MethodGet, "http://127.0.0.1"+path, nil)
			r.Header.Set("Accept-Language", language)
			answer := httptest.NewRecorder()
			s.pages.ServeHTTP(answer, r)
			if page := answer.Body.String(); answer.Code != status || !strings.Contains(page, want) || strings.Contains(page, "deadline") {
				t.Errorf("%s in %s: %d without %q:\n%s", path, language, answer.Code, want, page)
			}
		}
	}
}

// TestDocuments checks that the list of documents can be filtered by name and folder and sorted,
// and gives the reasons for files that are not indexed.
func TestDocuments(t *testing.T) {
	s := open(t, map[string]string{
		"a/Beta.md": "# Zwei\n", "a/b/gamma.md": "# alpha\n\n" + strings.Repeat("long ", 50) + "\n", "delta.txt": "Something\n", "a/beta.bin": "\x00\x01", "<b>/x.md": "# X\n",
	}, nil)
	listed := func(page string) (paths []string) {
		elements(t, page, func(n *html.Node, a map[string]string) {
			if a["class"] == "path" && n.FirstChild != nil {
				paths = append(paths, n.FirstChild.Data)
			}
		})
		return paths
	}
	for query, want := range map[string][]string{
		"":                     {"<b>/x.md", "a/Beta.md", "a/b/gamma.md", "delta.txt"},
		"?sort=title":          {"a/b/gamma.md", "delta.txt", "<b>/x.md", "a/Beta.md"},
		"?sort=-title":         {"a/Beta.md", "<b>/x.md", "delta.txt", "a/b/gamma.md"},
		"?sort=size&in=a":      {"a/b/gamma.md", "a/Beta.md"},
		"?name=beta":           {"a/Beta.md", "a/beta.bin"},
		"?name=ZWEI&part=list": {"a/Beta.md"},
		"?name=b":              {"a/Beta.md", "<b>/x.md", "a/b/gamma.md", "a/beta.bin"},
		"?name=b&sort=title":   {"a/beta.bin", "a/b/gamma.md", "<b>/x.md", "a/Beta.md"},
		"?name=md+a/":          {"a/Beta.md", "a/b/gamma.md"},
		"?name=nowhere":        nil,
		"?sort=%3Cscript%3E":   {"<b>/x.md", "a/Beta.md", "a/b/gamma.md", "delta.txt"},
		"?skip=3":              {"delta.txt"},
		"?skip=9999&in=a":      nil,
	} {
		page := s.get("/library/documents" + query)
		if got := listed(page); !slices.Equal(got, want) {
			t.Errorf("%s lists %q, want %q", query, got, want)
		}
		if isPart := strings.Contains(query, "part="); isPart == strings.Contains(page, "<html") {
			t.Errorf("%s is a whole page: %v", query, !isPart)
		}
	}
	page := s.get("/library/documents?in=a&sort=size")
	for _, want := range []string{
		`<th scope="col" class="n" aria-sort="descending"><a href="/library/documents?in=a&amp;sort=-size">Size</a></th>`, `<li class="open"><a href="/library/documents?in=a&amp;sort=size" aria-current="true">a</a> <span class="n">2</span><ul><li><a href="/library/documents?in=a%2Fb&amp;sort=size">b</a>`,
		`>&lt;b&gt;</a> <span class="n">1</span>`, `<a href="/library/documents?sort=size">All folders</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	for to, isCounted := range map[string]bool{"": true, "?in=a": true, "?name=x": false, "?kind=text": false, "?tag=none": false} {
		if page := s.get("/library/documents" + to); !strings.Contains(page, ">&lt;b&gt;</a>") || isCounted != strings.Contains(page, `>&lt;b&gt;</a> <span class="n">1</span>`) {
			t.Errorf("%s: documents of folders are counted: %v\n%s", to, !isCounted, page)
		}
	}
	for _, to := range []string{"/library", "/library/documents?name=beta"} {
		if page := s.get(to); !strings.Contains(page, `href="/doc?path=a%2Fbeta.bin"`) || !strings.Contains(page, "not a text format (.bin)") || to != "/library" && !strings.Contains(page, ">beta.bin</a>") {
			t.Errorf("%s does not lead to a file that is not indexed:\n%s", to, page)
		}
	}
	page = s.get("/doc?path=a%2Fbeta.bin")
	for _, want := range []string{"not a text format (.bin)", `<button name="how" value="show"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, `value="open"`) {
		t.Errorf("a program may be opened:\n%s", page)
	}
	if w := s.send(http.MethodGet, "/doc?path=a%2Fbeta.bin&page=1", nil); w.Code != http.StatusNotFound {
		t.Errorf("it has pages: %d", w.Code)
	}
}
