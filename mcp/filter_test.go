package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// vault creates a folder of notes with front matter and links. The files are of 2020-06-15.
func vault(t *testing.T) string {
	dir := folder(t, map[string]string{
		"trips/Kyoto.md":      "---\ntags: [travel, Japan/Kyoto]\ndate: 2023-09-12\nstatus: draft\naliases: [京都]\n---\n# Kyoto\n\nTemples by day.\n",
		"trips/Ramen.md":      "# Ramen\n\nTemples of soup, see [[Kyoto|the trip]]. #food/noodles\n",
		"food/Soup.md":        "---\nstatus: [done, shared]\nrating: 5\ndate: 2024-11\n---\nTemples sell soup. #food\n",
		"2023-01-05 Diary.md": "Temples and 京都, see [[京都]] and [[nowhere]]. #日记\n",
		"plain.txt":           "Temples in a text.\n",
	})
	past := time.Date(2020, 6, 15, 12, 0, 0, 0, time.Local)
	for _, file := range []string{"trips/Kyoto.md", "trips/Ramen.md", "food/Soup.md", "2023-01-05 Diary.md", "plain.txt"} {
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(file)), past, past); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var (
	citedPath  = regexp.MustCompile(`(?m)^\[\d+\] (.+?), line`)
	listedPath = regexp.MustCompile(`(?m)^- (.+?) (?:—|\()`)
)

// pathsIn lists what a pattern matches in a text, sorted and without duplicates.
func pathsIn(text string, pattern *regexp.Regexp) string {
	var all []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.TrimSuffix(filepath.Base(m[1]), filepath.Ext(m[1])))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// TestFilters checks that a filter selects the same documents in both tools, in all forms that
// models send.
func TestFilters(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, vault(t), Options{ResultsMode: ResultsText}), "test")
	const all = "2023-01-05 Diary Kyoto Ramen Soup plain"
	for filter, want := range map[string]string{
		`"tags": ["food"]`: "Ramen Soup", `"tags": "#food"`: "Ramen Soup", `"tags": "food, noodles"`: "", `"tags": ["food/noodles"]`: "Ramen",
		`"tags": "[\"travel\", \"japan\"]"`: "Kyoto", `"tags": ["TRAVEL"]`: "Kyoto", `"tags": ["日记"]`: "2023-01-05 Diary", `"tags": []`: all, `"tags": null`: all, `"tags": ""`: all,
		`"after": "2023"`: "2023-01-05 Diary Kyoto Soup", `"after": 2023`: "2023-01-05 Diary Kyoto Soup", `"after": "2023-09-12"`: "Kyoto Soup", `"after": "2023-09-13"`: "Soup",
		`"before": "2020-06-15"`: "Ramen plain", `"before": "2020-06-14"`: "", `"before": "2023-01"`: "2023-01-05 Diary Ramen plain", `"after": "2023年9月", "before": "2023/9"`: "Kyoto", `"after": "", "before": null`: all,
		`"where": ["status=draft"]`: "Kyoto", `"where": "Status = DONE"`: "Soup", `"where": {"status": "shared"}`: "Soup", `"where": {"status": ["done", "shared"], "rating": 5}`: "Soup",
		`"where": "{\"rating\": 5}"`: "Soup", `"where": ["rating: 5"]`: "Soup", `"where": ["tags=food"]`: "Ramen Soup", `"where": ["status=draft", "status=done"]`: "",
		`"where": "status=done, rating=5"`: "Soup", `"where": "status: done; rating: 5"`: "Soup", `"where": "status=done, rating=4"`: "", `"where": ""`: all,
		`"links_to": "trips/Kyoto.md"`: "2023-01-05 Diary Ramen", `"links_to": "[[京都]]", "tags": ["food"]`: "Ramen", `"linked_from": "Ramen"`: "Kyoto", `"links_to": "Soup"`: "", `"linked_from": ""`: all,
		`"tags": ["food"], "path": "trips"`: "Ramen", `"tags": ["food"], "after": "2024", "where": ["status=done"], "path": "**/*.md"`: "Soup",
	} {
		found := allText(c.call("retrieve_docs", `{"query": "temples", "top_k": 20, `+filter+`}`))
		if got := pathsIn(found, citedPath); got != want {
			t.Errorf("%s finds %s, want %s:\n%s", filter, got, want, found)
		}
		listed := allText(c.call("list_docs", `{`+filter+`}`))
		if got := pathsIn(listed, listedPath); got != want {
			t.Errorf("%s lists %s, want %s:\n%s", filter, got, want, listed)
		}
	}
}

// TestBrokenLinks checks that broken links are listed by note, and that what a note links to is
// shown below it.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, vault(t), Options{ResultsMode: ResultsText}), "test")
	if got := allText(c.call("list_docs", `{"broken_links": true}`)); got != "1 broken link in 1 document\n- 2023-01-05 Diary.md: [[nowhere]]" {
		t.Error(got)
	}
	if got := allText(c.call("list_docs", `{"broken_links": "true", "path": "trips"}`)); got != "0 broken links in 0 documents" {
		t.Error(got)
	}
	if r := c.call("list_docs", `{"broken_links": true, "tag_counts": true}`); !r.IsError {
		t.Errorf("both are listed: %s", firstText(r))
	}
	diary := allText(c.call("read_doc", `{"path": "2023-01-05 Diary.md"}`))
	if !strings.Contains(diary, "\nLinks to: trips/Kyoto.md\nLinks that lead nowhere: nowhere") {
		t.Error(diary)
	}
	c.call("index_docs", `{"docs": ["Temples of a text that links to [[Kyoto]]."]}`)
	if got := pathsIn(allText(c.call("retrieve_docs", `{"query": "temples", "links_to": "Kyoto"}`)), citedPath); got != "2023-01-05 Diary Ramen" {
		t.Errorf("beside a text %s link", got)
	}
	if none := allText(c.call("retrieve_docs", `{"query": "temples", "links_to": "Soup"}`)); !strings.Contains(none, "No document in this selection links to Soup.") {
		t.Error(none)
	}
}

// TestDeeper checks that cursors lead through all passages, that a cursor is refused for another
// question, and that a brief result has one line for each passage.
func TestDeeper(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 12 {
		files[fmt.Sprintf("note%d.md", i)] = fmt.Sprintf("# Note %d\n\nTemples of part %d are open.", i, i)
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	next := regexp.MustCompile(`(?m)^More by cursor (\S+)$`)
	seen := make(map[string]bool)
	cursor, pages := "", 0
	for ; pages < 5; pages++ {
		text := allText(c.call("retrieve_docs", `{"query": "temples open", "top_k": 5, "cursor": "`+cursor+`"}`))
		if first := fmt.Sprintf("[%d] ", 5*pages+1); !strings.HasPrefix(text, first) {
			t.Errorf("page %d does not begin with %s: %s", pages, first, text)
		}
		for _, m := range citedPath.FindAllStringSubmatch(text, -1) {
			if seen[m[1]] {
				t.Errorf("page %d has %s again", pages, m[1])
			}
			seen[m[1]] = true
		}
		m := next.FindStringSubmatch(text)
		if m == nil {
			break
		}
		cursor = m[1]
	}
	if len(seen) != 12 || pages != 2 {
		t.Errorf("%d notes on %d pages", len(seen), pages+1)
	}
	for arguments, want := range map[string]string{
		`{"query": "open temples", "top_k": 5, "cursor": "` + cursor + `"}`:                  "was not given by retrieve_docs for this question",
		`{"query": "temples open", "top_k": 5, "path": "a", "cursor": "` + cursor + `"}`:     "was not given by retrieve_docs",
		`{"query": "temples open", "top_k": 5, "cursor": "-1"}`:                              "was not given by retrieve_docs",
		`{"query": "temples open", "top_k": 5, "cursor": "99` + cursor[1:] + `"}`:            "was not given by retrieve_docs",
		`{"query": "temples open", "top_k": 5, "cursor": "` + strings.Repeat("9", 40) + `"}`: "was not given by retrieve_docs",
	} {
		if r := c.call("retrieve_docs", arguments); !r.IsError || !strings.Contains(firstText(r), want) {
			t.Errorf("%s: error %v, %s", arguments, r.IsError, firstText(r))
		}
	}
	if brief := allText(c.call("retrieve_docs", `{"query": "temples open", "brief": true}`)); len(citedPath.FindAllString(brief, -1)) != 12 {
		t.Error(brief)
	}
}

// TestBriefNamesFurtherRows checks that a brief result shows the rows that answer alike and are near, and names
// the others.
func TestBriefNamesFurtherRows(t *testing.T) {
	t.Parallel()
	rows := "matter,due,what\nBellwether,30 September 2025,notice\nKestrel,17 March 2025,renewal\nTannhof,30 September 2025,order\n" +
		strings.Repeat("Oriole,9 May 2026,a report that nobody has asked for yet\n", 10) + "Wetherby,30 September 2025,rent\n"
	c := connect(t, serve(t, folder(t, map[string]string{"due.csv": rows}), Options{ResultsMode: ResultsText}), "test")
	got := allText(c.call("retrieve_docs", `{"query": "due on 30 September 2025", "brief": true}`))
	if !strings.Contains(got, "due.csv, lines 2-4") || !strings.Contains(got, "Tannhof,30 September 2025,order\n```") || !strings.Contains(got, "more of it in: line 15\n") {
		t.Error(got)
	}
}

// TestBriefAnswers checks that a brief result has the sentence that answers below a heading, which is in
// its citation, and not the heading.
func TestBriefAnswers(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, map[string]string{
		"warfarin.md": "# Warfarin\n\n## Dose of warfarin after hip replacement\n\nFive milligrams on two days, then by the INR.\n\n## Bleeding\n\nVitamin K is given by mouth. In warfarin the INR falls slowly.\n",
		"ward.md":     "# Rules\n\nDose of warfarin after hip replacement:\n\n- 5 mg on day one\n- then by the INR\n",
		"plain.txt":   "Dose of warfarin after hip replacement\n\nFive at night for two days.\n\nThen by the INR.\n",
		"华法林.md":      "# 华法林\n\n## 髋关节置换术后的剂量\n\n头两天每晚五毫克。此后按INR调整。\n\n## 出血\n\n口服维生素K。\n",
	}), Options{ResultsMode: ResultsText}), "test")
	for query, want := range map[string][]string{
		"dose of warfarin after hip replacement": {
			"line 5 — Dose of warfarin after hip replacement\n```\nFive milligrams on two days, then by the INR.\n```",
			"ward.md, lines 5-6 — Rules > Dose of warfarin after hip replacement\n```\n- 5 mg on day one\n- then by the INR\n```",
			"plain.txt, lines 1-3\n```\nDose of warfarin after hip replacement\n\nFive at night for two days.\n```",
		},
		"warfarin and bleeding": {"line 9 — Bleeding\n```\nIn warfarin the INR falls slowly.\n```"},
		"髋关节置换术后剂量":             {"line 5 — 髋关节置换术后的剂量\n```\n头两天每晚五毫克。此后按INR调整。\n```"},
	} {
		got := allText(c.call("retrieve_docs", `{"query": "`+query+`", "brief": true}`))
		for _, shown := range want {
			if !strings.Contains(got, shown) {
				t.Errorf("%q has not\n%s\nbut\n%s", query, shown, got)
			}
		}
	}
}

// TestTagsInSeveralWords checks that a tag with spaces and capitals can be used as it is listed.
func TestTagsInSeveralWords(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, map[string]string{
		"one.md":  "---\ntags: [Slow Food, Home, \"b, c\"]\n---\nwords",
		"many.md": "---\ntags: [slow, food, home]\n---\nwords",
	}), Options{}), "test")
	for tags, want := range map[string]string{
		`["Slow Food"]`: "one", `["slow food"]`: "one", `"#Slow Food"`: "one", `"slow food, home"`: "one", `"#Slow Food #Home"`: "one", `"[\"Slow Food\"]"`: "one",
		`["slow", "food"]`: "many", `"#slow #food"`: "many", `"[slow, food]"`: "many", `["home"]`: "many one", `["\"b, c\""]`: "one", `["b, c"]`: "",
	} {
		if got := pathsIn(allText(c.call("list_docs", `{"tags": `+tags+`}`)), listedPath); got != want {
			t.Errorf("%s lists %s, want %s", tags, got, want)
		}
	}
	if got := pathsIn(allText(c.call("list_docs", `{"where": ["tags=Slow Food"]}`)), listedPath); got != "one" {
		t.Errorf("as a key of front matter it lists %s", got)
	}
}

// TestNothingIsMeant checks the message for a filter that no document matches, which lists what
// there is.
func TestNothingIsMeant(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, vault(t), Options{ResultsMode: ResultsText}), "test")
	for filter, want := range map[string]string{
		`"tags": ["foot"]`:                                  "No document has the tag #foot; there are: food (2).",
		`"tags": ["kyoto"]`:                                 "No document has the tag #kyoto; there are: Japan/Kyoto (1).",
		`"tags": ["xyzzy"]`:                                 "No document has the tag #xyzzy; there are: food (2), Japan (1), Japan/Kyoto (1), food/noodles (1), travel (1).",
		`"where": ["status=drafty"]`:                        "No document has status=drafty in its front matter; there are: draft (1).",
		`"where": ["stats=draft"]`:                          "No document has the key stats in its front matter; there are: status (2).",
		`"after": "2025"`:                                   "No document is dated after 2025; the nearest date is 2024-11.",
		`"before": "2019"`:                                  "No document is dated before 2019; the nearest date is 2020-06-15.",
		`"tags": ["food"], "where": ["status=draft"]`:       "No document meets all of these conditions: #food (2), status=draft (1).",
		`"tags": ["food"], "path": "plain.txt"`:             "No document meets all of these conditions: #food (2), path plain.txt.",
		`"tags": ["food"], "path": "nowhere/**"`:            "No document has a path like nowhere/**.",
		`"tags": ["foot"], "path": "*.md", "after": "2025"`: "No document has the tag #foot; there are: food (2).\nNote: No document is dated after 2025; the nearest date is 2024-11.",
	} {
		for tool, arguments := range map[string]string{"retrieve_docs": `{"query": "temples", ` + filter + `}`, "list_docs": `{` + filter + `}`} {
			got := allText(c.call(tool, arguments))
			if !strings.HasSuffix(got, "\nNote: "+want) {
				t.Errorf("%s %s:\n%s\nwant %s", tool, filter, got, want)
			}
			if strings.Contains(got, "Little was found") {
				t.Errorf("%s %s asks for other wordings, which find no more", tool, filter)
			}
		}
	}
}

func TestBadFilters(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, vault(t), Options{}), "test")
	for filter, want := range map[string]string{
		`"after": "yesterday"`:                 `after must be a date such as 2024, 2024-11 or 2024-11-05, got "yesterday"`,
		`"before": "05/11/2024"`:               `before must be a date such as 2024, 2024-11 or 2024-11-05, got "05/11/2024"`,
		`"before": true`:                       "before must be a date",
		`"after": "2024-05", "before": 2023`:   "after 2024-05 and before 2023: no date is both",
		`"links_to": "Kioto"`:                  "links_to: no such document: Kioto",
		`"linked_from": ["Ramen"]`:             "linked_from must be a text, got array",
		`"backlinks": "Kyoto"`:                 "did you mean links_to?",
		`"tags": 5`:                            "tags must be a list of texts, got number",
		`"tags": [""]`:                         `tags must be tags such as project or recipes/soup, got ""`,
		`"tags": ["food", " # "]`:              `tags must be tags such as project or recipes/soup, got " # "`,
		`"where": ["tags="]`:                   `where must be KEY=VALUE`,
		`"where": [""]`:                        `where must be KEY=VALUE`,
		`"where": ["draft"]`:                   `where must be KEY=VALUE, a front matter key and its value, such as status=draft, got "draft"`,
		`"where": {"status": {"is": "draft"}}`: `where must be a list of texts such as "status=draft"`,
		`"since": "2024"`:                      "did you mean after?",
		`"tag": "food"`:                        "did you mean tags?",
		`"frontmatter": {"status": "draft"}`:   "did you mean where?",
	} {
		for tool, arguments := range map[string]string{"retrieve_docs": `{"query": "temples", ` + filter + `}`, "list_docs": `{` + filter + `}`} {
			if r := c.call(tool, arguments); !r.IsError || !strings.Contains(firstText(r), want) || strings.Contains(firstText(r), "\n") {
				t.Errorf("%s %s: error %v, %q; want one line with %q", tool, filter, r.IsError, firstText(r), want)
			}
		}
	}
}

// TestWhatNotesSay checks that a result shows the date and the tags of a note.
func TestWhatNotesSay(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, vault(t), Options{}), "test")
	r := c.call("retrieve_docs", `{"query": "temples by day", "path": "Kyoto.md", "top_k": 1}`)
	if got, want := allText(r), "[1] trips/Kyoto.md, lines 1-9 (2023-09-12 #travel #Japan/Kyoto)\n"; !strings.HasPrefix(got, want) {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	if meta := passages(r)[0].Meta; fmt.Sprintf("%v %v", meta["tags"], meta["date"]) != "[travel Japan/Kyoto] 2023-09-12" {
		t.Errorf("the resource says %v", meta)
	}
	r = c.call("retrieve_docs", `{"query": "temples", "path": "plain.txt"}`)
	if meta := passages(r)[0].Meta; meta["tags"] != nil || meta["date"] != nil || strings.Contains(allText(r), "(") || strings.Contains(allText(r), "linked") {
		t.Errorf("of a text that says nothing of itself: %s, %v", allText(r), meta)
	}
	listed := allText(c.call("list_docs", `{"path": "food"}`))
	if want := "12:00; 2024-11 #food)"; !strings.Contains(listed, want) {
		t.Errorf("the list says\n%s", listed)
	}
}

func TestTagCounts(t *testing.T) {
	t.Parallel()
	dir := vault(t)
	c := connect(t, serve(t, dir, Options{}), "test")
	want := "6 tags\n- #food: 2\n- #Japan: 1\n- #Japan/Kyoto: 1\n- #food/noodles: 1\n- #travel: 1\n- #日记: 1"
	if got := allText(c.call("list_docs", `{"tag_counts": true}`)); got != want {
		t.Errorf("tags are\n%s", got)
	}
	if got := allText(c.call("list_docs", `{"tag_counts": true, "path": "trips", "after": "2023"}`)); got != "3 tags\n- #Japan: 1\n- #Japan/Kyoto: 1\n- #travel: 1" {
		t.Errorf("in one folder they are\n%s", got)
	}
	var many strings.Builder
	for i := range 250 {
		fmt.Fprintf(&many, "#tag%d\n", i)
	}
	writeFile(t, dir, "many1.md", many.String()[:1500])
	writeFile(t, dir, "many2.md", many.String()[1500:])
	seen, cursor := make(map[string]bool), ""
	for pages := 1; ; pages++ {
		text := allText(c.call("list_docs", fmt.Sprintf(`{"tag_counts": true, "cursor": %q}`, cursor)))
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(line, "- "); ok {
				seen[name] = true
			}
		}
		_, rest, more := strings.Cut(text, "More: call list_docs with cursor ")
		if !more || pages > 5 {
			break
		}
		if _, err := fmt.Sscanf(rest, "%q", &cursor); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < 250 {
		t.Errorf("the pages list %d tags", len(seen))
	}
}

func TestCompleteFilters(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, vault(t), Options{}), "test")
	c.call("list_docs", `{}`) // this waits until everything is indexed
	for _, tt := range []struct{ name, typed, want string }{
		{"tags", "", "food Japan Japan/Kyoto food/noodles travel 日记"}, {"tags", "#jap", "Japan Japan/Kyoto"}, {"tag", "OOD", "food food/noodles"}, {"tags", "none", ""},
		{"where", "", "aliases date rating status"}, {"where", "sta", "status"}, {"where", "status=d", "status=done status=draft status=shared"}, {"where", "none=", ""},
	} {
		r, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"}, Argument: mcp.CompleteParamsArgument{Name: tt.name, Value: tt.typed},
		})
		if err != nil || strings.Join(r.Completion.Values, " ") != tt.want {
			t.Errorf("%s %q completes to %q, %v; want %s", tt.name, tt.typed, r.Completion.Values, err, tt.want)
		}
	}
}
