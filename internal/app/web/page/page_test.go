package page

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/internal/app/hosts"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// site is the pages for a folder.
type site struct {
	t      *testing.T
	dir    string
	pages  *Pages
	view   *access.View
	cookie *http.Cookie
}

// tokens maps valid tokens to their users.
type tokens map[string]signin.User

func (k tokens) Check(_ context.Context, token string) (signin.User, error) {
	if u, ok := k[token]; ok {
		return u, nil
	}
	return signin.User{}, signin.ErrInvalidToken
}

func (k tokens) CanAcceptTokens() bool { return true }

// ask makes a site require one of the tokens.
func (k tokens) ask(o *Options) {
	o.Authenticator = &signin.Authenticator{Checkers: []signin.Checker{k}}
}

// newView indexes files and returns their view.
func newView(t *testing.T, files map[string]string) (view *access.View, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.DiscardHandler)
	builtin, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: builtin, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Sync(t.Context(), index.Scope{}); err != nil {
		t.Fatal(err)
	}
	return &access.View{Library: ix, Server: mcp.New(ix, mcp.Options{Logger: log, PassesResourcesToModel: hosts.ReadsResources, ResultLimits: hosts.ResultLimit})}, dir
}

// notes are the documents of most tests.
var notes = map[string]string{
	"asthma.md":       "---\ntags: [lungs, care/child]\ndate: 2024-11-05\n---\n# Asthma\n\nA spacer helps children.\n\nSee [[cough]].\n",
	"cough.md":        "# Cough\n\nA cough of eight weeks needs a picture.\n",
	"饮食/高血压.txt":      "高血压患者的饮食\n\n每人每天的食盐总量应少于5克，约大半个啤酒瓶盖。\n",
	"deep/down/x.md":  "# Deep\n\nThe well is 40 m deep, and the spacer is not.\n",
	"broken.pdf":      "%PDF-1.4 nothing",
	"odd name #1.txt": "A name with a sign: zebra.\n",
}

// open returns a site without authentication. change, if not nil, changes the options.
func open(t *testing.T, files map[string]string, change func(*Options)) *site {
	t.Helper()
	s := &site{t: t}
	s.view, s.dir = newView(t, files)
	o := Options{
		ChooseView:    func(signin.User) (*access.View, error) { return s.view, nil },
		Logger:        slog.New(slog.DiscardHandler),
		AllowRequest:  func(http.ResponseWriter, *http.Request, string, bool) bool { return true },
		SenderName:    func(ctx context.Context) string { return signin.UserFrom(ctx).Name },
		SenderAddress: func(*http.Request) string { return "192.0.2.1" },
		IsSecure:      func(r *http.Request) bool { return r.TLS != nil },
		IsOwner:       func(*http.Request) bool { return false },
		OpenStream: func(w http.ResponseWriter, r *http.Request, _ func(context.Context) bool) (context.Context, func(), bool) {
			return r.Context(), func() {}, true
		},
		ServerDescription: ServerDescription{IsForLocalUser: true, URL: "http://localhost/mcp", LocalServer: hosts.Server{EntryName: "vademecum", Program: "/bin/vademecum"}, JudgementsDir: t.TempDir()},
	}
	if change != nil {
		change(&o)
	}
	s.pages = New(o)
	return s
}

// send sends a request like a browser, with its cookies.
func (s *site) send(method, to string, form url.Values, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second) // a stream would not end
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost:8765"+to, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://localhost:8765")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if s.cookie != nil {
		r.AddCookie(s.cookie)
	}
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.Name != langCookie {
			s.cookie = c
		}
	}
	return w
}

// get returns a page, which must exist.
func (s *site) get(to string, header ...string) string {
	s.t.Helper()
	w := s.send(http.MethodGet, to, nil, header...)
	if w.Code != http.StatusOK {
		s.t.Fatalf("%s: %d\n%s", to, w.Code, w.Body)
	}
	return w.Body.String()
}

// everyPage are the addresses of all pages, with content.
var everyPage = []string{
	"/", "/search?q=spacer", "/search?q=spacer&why=1&in=deep&kind=Markdown", "/search?q=nowhereword", "/search?q=spacer&tag=none", "/find", "/find?q=spacer&in=deep&case=1", "/find?q=nowhereword", "/find?q=sp%5Ba%5Dcer&regexp=1&skip=1", "/find?q=x&after=soon", "/search?q=x&after=soon", "/check",
	"/doc?path=asthma.md", "/doc?path=asthma.md&at=line%3D4,6&q=spacer", "/doc?path=odd+name+%231.txt", "/library", "/library/documents", "/library/documents?tag=lungs",
	"/library/skipped?reason=x", "/library/left-out", "/library/left-out?file=broken", "/library/left-out?file=nowhere", "/library/left-out?rule=x", "/add", "/help", "/help/hosts", "/help/finding", "/try", "/try?q=spacer&client=codex", "/try/figures", "/nowhere",
}

// TestBeside checks that a word found in place of a misspelt one is reported and marked, in the
// results and in the document.
func TestBeside(t *testing.T) {
	s := open(t, notes, nil)
	page := s.get("/search?q=astma+picture")
	for _, want := range []string{`Found instead of astma: <mark class="beside">asthma</mark>`, `<mark class="beside">Asthma</mark>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	to := ""
	elements(t, page, func(n *html.Node, a map[string]string) {
		if strings.Contains(a["href"], "beside=asthma") && to == "" {
			to = a["href"]
		}
	})
	to, _, _ = strings.Cut(to, "#")
	if page := s.get(to); !strings.Contains(page, `<mark class="in beside">Asthma</mark>`) {
		t.Errorf("%s does not mark it:\n%s", to, page)
	}
	if page := s.get("/search?lang=zh&q=astma"); !strings.Contains(page, "替代 astma 找到：") {
		t.Errorf("not in Chinese:\n%s", page)
	}
}

// TestNothingFound checks that an empty result names what was searched, which may be a single
// document.
func TestNothingFound(t *testing.T) {
	s := open(t, notes, nil)
	for to, want := range map[string]string{
		"/find?q=nowhereword":                            "Nothing in the documents matches.",
		"/find?q=nowhereword&in=deep/down/x.md":          "Nothing in deep/down/x.md matches.",
		"/find?q=nowhereword&in=deep":                    "Nothing in deep/down/x.md matches.",
		"/find?q=nowhereword&in=none.md":                 "Nothing in none.md matches.",
		"/search?q=nowhereword&in=none.md":               "Nothing in none.md matches.",
		"/find?q=nowhereword&case=1&in=cough.md":         `<a href="/find?case=1&amp;q=nowhereword">Search all documents</a>`,
		"/search?q=nowhereword&in=asthma.md":             `<span class="quiet">Document</span> asthma.md`,
		"/search?q=spacer&in=deep":                       `<span class="quiet">Folder</span> deep`,
		"/search?q=spacer&in=asthma.md":                  `<span class="quiet">Document</span> asthma.md`,
		"/find?q=nowhereword&kind=Markdown":              "Nothing in the documents matches.",
		"/find?q=nowhereword&in=cough.md&lang=zh":        "cough.md 中没有找到。",
		"/search?q=nowhereword&in=cough.md":              "Nothing in cough.md matches.",
		"/search?q=nowhereword&tag=lungs&lang=zh":        "asthma.md 中没有找到。",
		"/search?q=nowhereword&tag=none":                 "Nothing in the documents matches.",
		"/search?q=nowhereword&tag=none&lang=zh":         "文档中没有找到。",
		"/search?q=nowhereword&in=cough.md&part=results": "Nothing in cough.md matches.",
		"/search?q=nowhereword":                          "Try other words, or fewer",
		"/search?q=nowhereword&in=cough.md&sort=":        `<a href="/search?q=nowhereword">Search all documents</a>`,
	} {
		page := s.get(to)
		if !strings.Contains(page, want) {
			t.Errorf("%s does not say %q:\n%s", to, want, page)
		}
		if strings.Contains(page, "best first") != strings.Contains(to, "spacer") {
			t.Errorf("%s shows the order of nothing, or none of what was found", to)
		}
	}
}

// TestPunctuation checks that lists and citations have the punctuation of the language, and that
// errors begin with a capital.
func TestPunctuation(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# A\n\nThe spacer helps children.\n", "b.md": "# B\n\nThe spacer helps children.\n"}, nil)
	for to, want := range map[string]string{
		"/search?q=spacer+children&why=1":         "</b> 60 %, <b>",
		"/search?q=spacer+children&why=1&lang=zh": "</b> 60 %、<b>",
		"/doc?path=a.md&at=line%3D2,3":            `data-citation="A, a.md, line 3"`,
		"/doc?path=a.md&at=line%3D2,3&lang=zh":    `data-citation="A，a.md，第 3 行"`,
	} {
		if page := s.get(to); !strings.Contains(page, want) {
			t.Errorf("%s does not say %q:\n%s", to, want, page)
		}
	}
	for to, want := range map[string]string{"/doc?path=none.md": "<p>There is no such document", "/nowhere": "<p>There is nothing here; MCP is at /mcp", "/nowhere?lang=zh": "<p>这里什么也没有"} {
		if page := s.send(http.MethodGet, to, nil).Body.String(); !strings.Contains(page, want) {
			t.Errorf("%s does not say %q:\n%s", to, want, page)
		}
	}
}

// TestManyLinks checks that of many documents that link to one the first are named and the others
// counted.
func TestManyLinks(t *testing.T) {
	files := map[string]string{"hub.md": "# Hub\n"}
	for i := range 23 {
		files[fmt.Sprintf("n%02d.md", i)] = "See [[hub]].\n"
	}
	page := open(t, files, nil).get("/doc?path=hub.md")
	for _, want := range []string{"Linked from", "n00.md", "n19.md", "and 3 more"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

// TestPartLanguage checks that a part of a page is in the language of the page that requests it.
func TestPartLanguage(t *testing.T) {
	s := open(t, notes, nil)
	chosen := []string{"Cookie", langCookie + "=zh-CN"}
	if page := s.get("/search?q=spacer&part=results", chosen...); !strings.Contains(page, "段落") {
		t.Errorf("what was chosen does not count:\n%s", page)
	}
	if page := s.get("/search?q=spacer&part=results", append(chosen, pageLanguage, "en")...); strings.Contains(page, "段落") || !strings.Contains(page, "2 passages") {
		t.Errorf("a part of an English page:\n%s", page)
	}
}

// elements calls of with each element of a page.
func elements(t *testing.T, page string, of func(n *html.Node, attributes map[string]string)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attributes := make(map[string]string)
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
		}
		of(n, attributes)
	}
}

// checkPage checks what holds for all pages: nothing inline, nothing loaded from elsewhere, a
// language, and a label for each field.
func checkPage(t *testing.T, at, language, page string) {
	t.Helper()
	labelled, fields, headings := make(map[string]bool), make(map[string]bool), 0
	elements(t, page, func(n *html.Node, a map[string]string) {
		for name, value := range a {
			if name == "style" || strings.HasPrefix(name, "on") {
				t.Errorf("%s: <%s %s=%q>", at, n.Data, name, value)
			}
			isLink := n.Data == "a" && a["rel"] == "noreferrer noopener" || strings.HasPrefix(value, "cursor://") || a["class"] == "button"
			if (name == "href" || name == "src" || name == "action") && !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "#") && !isLink {
				t.Errorf("%s leads to %s", at, value)
			}
		}
		switch n.Data {
		case "html":
			if a["lang"] != language {
				t.Errorf("%s is in %q", at, a["lang"])
			}
		case "script":
			if !strings.HasPrefix(a["src"], "/assets/page.js") || n.FirstChild != nil {
				t.Errorf("%s has a script of its own", at)
			}
		case "style", "img", "iframe", "object", "base":
			t.Errorf("%s has a %s", at, n.Data)
		case "h1":
			headings++
		case "label":
			labelled[a["for"]] = true
		case "input", "select":
			if a["type"] != "hidden" && a["aria-label"] == "" {
				fields[a["id"]] = true
			}
		}
	})
	for id := range fields {
		if !labelled[id] {
			t.Errorf("%s: the field %q has no label", at, id)
		}
	}
	if headings != 1 {
		t.Errorf("%s has %d headings of the first level", at, headings)
	}
}

// TestEveryPage checks each page in both languages, and that it may not be cached by others.
func TestEveryPage(t *testing.T) {
	s := open(t, notes, nil)
	for _, to := range everyPage {
		for accepted, language := range map[string]string{"en-GB,en;q=0.9": "en", "zh-TW,zh;q=0.9,en;q=0.8": "zh-CN", "": "en", "de,fr": "en", "de;q=0.5,en;q=0.2,zh;q=0.3": "zh-CN"} {
			w := s.send(http.MethodGet, to, nil, "Accept-Language", accepted)
			if want := statusOf(to); w.Code != want {
				t.Errorf("%s: %d, want %d\n%s", to, w.Code, want, w.Body)
			}
			checkPage(t, to, language, w.Body.String())
			for name, value := range map[string]string{
				"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
				"X-Frame-Options": "DENY", "Content-Language": language, "Content-Type": "text/html; charset=utf-8",
			} {
				if got := w.Header().Get(name); got != value {
					t.Errorf("%s: %s is %q", to, name, got)
				}
			}
			if strings.Contains(w.Body.String(), "%!") || strings.Contains(w.Body.String(), "ZgotmplZ") {
				t.Errorf("%s is not filled in:\n%s", to, w.Body)
			}
		}
	}
}

func statusOf(to string) int {
	switch {
	case to == "/nowhere":
		return http.StatusNotFound
	case strings.Contains(to, "after=soon"):
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// TestLanguage checks that a chosen language is kept.
func TestLanguage(t *testing.T) {
	s := open(t, notes, nil)
	w := s.send(http.MethodGet, "/library?lang=zh", nil, "Accept-Language", "en")
	cookies := w.Result().Cookies()
	if !strings.Contains(w.Body.String(), "<h1>资料库</h1>") || len(cookies) != 1 || !cookies[0].HttpOnly {
		t.Fatalf("%v\n%s", cookies, w.Body)
	}
	if page := s.get("/library", "Accept-Language", "en", "Cookie", cookies[0].Name+"="+cookies[0].Value); !strings.Contains(page, "<h1>资料库</h1>") {
		t.Errorf("it is forgotten:\n%s", page)
	}
	if page := s.get("/search?q=spacer&tag=lungs", "Accept-Language", "zh"); !strings.Contains(page, `href="/search?lang=en&amp;q=spacer&amp;tag=lungs"`) {
		t.Errorf("the same page in English is not to be had:\n%s", page)
	}
}

// TestFound checks that a passage is shown with its words marked and a link to it in its document.
func TestFound(t *testing.T) {
	s := open(t, notes, nil)
	page := s.get("/search?q=spacers+for+children&why=1")
	for _, want := range []string{
		`A <mark>spacer</mark> helps <mark>children</mark>.`, "asthma.md", ">Asthma</a>", "#care/child", "<time>2024-11-05</time>", "Words that count",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	to := ""
	elements(t, page, func(n *html.Node, a map[string]string) {
		if strings.HasPrefix(a["href"], "/doc?") && to == "" {
			to = a["href"]
		}
	})
	page = s.get(strings.TrimSuffix(to, "#passage"))
	for _, want := range []string{`<a id="passage"></a>`, `<mark class="in">spacer</mark>`, "<h1>Asthma</h1>", `href="/search?tag=lungs"`, ">cough.md<", "Show in its folder"} {
		if want == ">cough.md<" { // cough.md links to the other document, not the reverse
			continue
		}
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %q in\n%s", to, want, page)
		}
	}
	if page := s.get("/doc?path=cough.md"); !strings.Contains(page, "Linked from") || !strings.Contains(page, ">asthma.md</a>") {
		t.Errorf("nothing links to it:\n%s", page)
	}
}

// TestEveryPlace checks that every occurrence of a text is shown with its line and a link to it.
func TestEveryPlace(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# Spacers\n\nA spacer helps; each spacer <b>costs</b> 5.\n", "b.md": strings.Repeat("SPACER\n", 200)}, nil)
	page := s.get("/find?q=spacer")
	for _, want := range []string{
		"203 places in 2 documents.", `A <mark>spacer</mark> helps; each <mark>spacer</mark> &lt;b&gt;costs&lt;/b&gt; 5.`, `href="/doc?at=L3&amp;path=a.md&amp;q=spacer#passage"`,
		`href="/find?in=b.md&amp;q=spacer">and 150 more</a>`, `href="/search?q=spacer">Ask it as a question</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if page := s.get("/find?regexp=1&q=" + url.QueryEscape(`spacer|\d+ costs\.`)); !strings.Contains(page, `href="/search?q=spacer&#43;costs">Ask it`) {
		t.Errorf("a pattern is no question:\n%s", page)
	}
	if page := s.get("/find?q=spacer&case=1"); !strings.Contains(page, "2 places in 1 document.") || !strings.Contains(page, `name="case" value="1" checked`) {
		t.Errorf("case does not matter:\n%s", page)
	}
	if w := s.send(http.MethodGet, "/find?q=%28&regexp=1", nil); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "not a regular expression") {
		t.Errorf("a broken pattern: %d\n%s", w.Code, w.Body)
	}
	if page := s.get("/search?q=spacer"); !strings.Contains(page, `href="/find?q=spacer">Every place of these words</a>`) {
		t.Errorf("nothing leads there:\n%s", page)
	}
	for question, want := range map[string]string{
		"spacer helps": "?q=spacer+helps", "spacer?": "?q=spacer&regexp=1", "How much is each spacer, if it helps?": "", "spacer costs each child": "", "What is node.js?": "?q=node%7Cjs&regexp=1", "一个 spacer 要多少钱？": "",
	} {
		to := searchForm{Question: question, Most: passagesShown}.EveryPlace()
		if want != "" && to != "/find"+want {
			t.Errorf("%s leads to %s", question, to)
		}
		if page := s.get(to); want == "" && !strings.Contains(page, "<mark>spacer</mark>") {
			t.Errorf("%s leads by %s to nothing:\n%s", question, to, page)
		}
	}
}

// TestCheck checks that the quotations of an answer are shown with their verdicts.
func TestCheck(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# Spacers\n\nA spacer <b>costs</b> 5 francs, and helps children.\n"}, nil)
	post := func(answer string) (int, string) {
		w := s.send(http.MethodPost, "/check", url.Values{"answer": {answer}})
		return w.Code, w.Body.String()
	}
	code, page := post("It says “a spacer <b>costs</b> 15 francs” and \"and helps children\", and\n\n> Inhalers were invented in Berlin")
	for _, want := range []string{
		"Differs from the document", `costs&lt;/b&gt; <del>15</del><ins>5</ins> francs`, `href="/doc?at=char%3D11%2C41&amp;path=a.md#passage">a.md, line 3</a>`,
		"Found word for word", "Not found in the documents", "Inhalers were invented in Berlin</p>", "</textarea>",
	} {
		if code != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%d: no %q in\n%s", code, want, page)
		}
	}
	if code, page := post("Nothing is quoted."); code != http.StatusBadRequest || !strings.Contains(page, "There is no quotation in it") {
		t.Errorf("without a quotation: %d\n%s", code, page)
	}
	if code, page := post(strings.Repeat("“helps children” ", 33)); code != http.StatusOK || !strings.Contains(page, "and 3 more") {
		t.Errorf("of many quotations: %d\n%s", code, page)
	}
	if page := s.get("/check"); !strings.Contains(page, "<textarea") || !strings.Contains(page, `href="/check" aria-current="page"`) {
		t.Errorf("the form:\n%s", page)
	}
}

// TestFirstPage checks that the first page lists recent changes, and identifies the reader by a
// name that reveals nothing.
func TestFirstPage(t *testing.T) {
	s := open(t, notes, nil)
	page := s.get("/") + s.get("/search?part=latest") // the part that the first page requests later
	for _, want := range []string{"Recently changed", `<a href="/doc?path=cough.md">Cough</a>`, `data-reader=""`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if a, b := reader(signin.User{ID: "alice"}), reader(signin.User{ID: "bob"}); a == b || a == "" || strings.Contains(a, "alice") {
		t.Errorf("alice is %q and bob %q", a, b)
	}
}

// TestNoSuchDocument checks that a path without a document gets status 404 and an explanation,
// however it is written.
func TestNoSuchDocument(t *testing.T) {
	s := open(t, notes, nil)
	for _, path := range []string{"nowhere.md", "../../etc/passwd", "..", "/etc/passwd", "a/../../x.md", "a\x00b"} {
		w := s.send(http.MethodGet, "/doc?"+url.Values{"path": {path}}.Encode(), nil)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "There is no such document") || strings.Contains(w.Body.String(), "list_docs") {
			t.Errorf("%q: %d\n%s", path, w.Code, w.Body)
		}
	}
}

// TestFavicon checks that the icon is found at the path where browsers look for it.
func TestFavicon(t *testing.T) {
	w := open(t, notes, nil).send(http.MethodGet, "/favicon.ico", nil)
	if to := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently || !strings.HasPrefix(to, "/assets/icon.svg?v=") {
		t.Errorf("%d to %q", w.Code, to)
	}
}

// TestLines checks that code and tables are told from text that only looks like a heading.
func TestLines(t *testing.T) {
	s := open(t, map[string]string{"a.md": "# One\n\n```sh\n# two\n```\n\n| three |\n"}, nil)
	var got []string
	elements(t, s.get("/doc?path=a.md&as=written"), func(n *html.Node, a map[string]string) {
		if strings.HasPrefix(a["class"], "line ") {
			got = append(got, a["data-n"]+strings.TrimPrefix(a["class"], "line"))
		}
	})
	if want := []string{"1 heading", "3 aligned", "4 aligned", "5 aligned", "7 aligned"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLongLine checks that a passage within a very long line is shown alone, and that the rest of
// the line can be reached.
func TestLongLine(t *testing.T) {
	filler := strings.Repeat("word ", mostShown/5)
	s := open(t, map[string]string{"long.md": "# Title\n\n" + filler + "unicorn " + filler + "narwhal\n"}, nil)
	hrefs := func(in string, begin string) (found []string) {
		elements(t, in, func(_ *html.Node, a map[string]string) {
			if strings.HasPrefix(a["href"], begin) {
				found = append(found, a["href"])
			}
		})
		return found
	}
	passages := hrefs(s.get("/search?q=unicorn"), "/doc?at=")
	if len(passages) == 0 {
		t.Fatal("it is not found")
	}
	if body := s.get(strings.TrimSuffix(passages[0], "#passage")); !strings.Contains(body, `id="passage"`) || !strings.Contains(body, ">unicorn</mark>") {
		t.Error("the passage is not shown")
	}
	to, parts := "/doc?path=long.md", 0
	for ; to != "" && parts < 10; parts++ {
		body := s.get(to)
		to = ""
		if strings.Contains(body, "narwhal") {
			break
		}
		for _, more := range hrefs(body, "/doc?path=long.md&portion=") {
			to = more
		}
	}
	if to != "" || parts < 2 || parts > 4 {
		t.Errorf("its end comes after %d parts, then %q", parts, to)
	}
}

// TestLongQuestion checks that the longest question is answered in each script.
func TestLongQuestion(t *testing.T) {
	s := open(t, notes, nil)
	q := url.QueryEscape(strings.Repeat("高血压患者的饮食", 1000))
	if w := s.send(http.MethodGet, "/search?q="+q, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "啤酒瓶盖") {
		t.Errorf("it is answered with %d", w.Code)
	}
}

// TestFilters checks that each filter restricts the results.
func TestFilters(t *testing.T) {
	s := open(t, notes, nil)
	for query, want := range map[string][]string{
		"q=spacer":                        {"asthma.md", "deep/down/x.md"},
		"q=spacer&in=deep":                {"deep/down/x.md"},
		"q=spacer&in=deep/down&kind=text": nil,
		"q=spacer&kind=Markdown&in=/deep": {"deep/down/x.md"},
		"q=spacer&tag=care":               {"asthma.md"},
		"q=spacer&before=2024-11-05":      {"asthma.md"},
		"q=zebra&in=no+*+such":            nil,
		"q=zebra&kind=text":               {"odd name #1.txt"},
		"q=zebra&kind=exe":                nil,
		"q=食盐&in=饮食":                      {"饮食/高血压.txt"},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		page := s.get("/search?"+values.Encode()+"&part=results", "Sec-Fetch-Mode", "cors")
		var got []string
		elements(t, page, func(n *html.Node, a map[string]string) {
			if a["class"] == "path" {
				got = append(got, textIn(n))
			}
		})
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
		if strings.Contains(page, "<html") {
			t.Error("a part is a whole page")
		}
	}
}

// TestWrongDate checks that each page with filters explains the form of a date in the visitor's
// language.
func TestWrongDate(t *testing.T) {
	s := open(t, notes, nil)
	for _, to := range []string{"/search?q=x&", "/library/documents?", "/try?q=x&"} {
		w := s.send(http.MethodGet, to+"after=soon", nil, "Accept-Language", "zh")
		if !strings.Contains(w.Body.String(), "soon：必须是日期，如 2024、2024-11 或 2024-11-05") {
			t.Errorf("%s:\n%s", to, w.Body)
		}
	}
}
