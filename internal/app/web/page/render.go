package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// templates are the HTML templates of the pages.
//
//go:embed templates/*.html
var templates embed.FS

// assets are the static files of the pages.
//
//go:embed assets/*
var assets embed.FS

// sheets are the templates by language. They are parsed when the first page in a language is shown,
// as parsing takes longer than everything else that the program does when it starts.
var sheets = func() map[string]func() *template.Template {
	all := make(map[string]func() *template.Template)
	for _, t := range locales {
		all[t.Code] = sync.OnceValue(func() *template.Template {
			return template.Must(template.New("").Funcs(t.functions()).ParseFS(templates, "templates/*.html"))
		})
	}
	return all
}()

// frame is what the template of a page gets: the content, and what surrounds it.
type frame struct {
	Words  locale
	Page   string // name of the template
	Known  bool   // the visitor has signed in
	Reader string // identifies the visitor; see reader
	Others []localeLink
	View   any
}

// show renders and sends a page. If its template fails, which is a bug, nothing of the page is
// sent.
func (p *Pages) show(w http.ResponseWriter, r *http.Request, status int, name string, view any) {
	t, user := localeOf(r), signin.UserFrom(r.Context())
	p.send(w, r, status, t, "frame-"+name, frame{
		Words: t, Page: name, Reader: reader(user), Known: p.sessions != nil && p.o.LocalSignIn == nil && name != "sign-in" && name != "again" && (name != "refused" || user.ID != ""), View: view, Others: others(r, t),
	})
}

// showPart sends a part of a page, which a script inserts.
func (p *Pages) showPart(w http.ResponseWriter, r *http.Request, status int, name string, view any) {
	p.send(w, r, status, localeOf(r), name, view)
}

func (p *Pages) send(w http.ResponseWriter, r *http.Request, status int, t locale, name string, view any) {
	var out bytes.Buffer
	if err := sheets[t.Code]().ExecuteTemplate(&out, name, view); err != nil {
		p.o.Logger.Error("a page cannot be shown", "page", name, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", t.Code)
	w.WriteHeader(status)
	_, _ = p.links.WriteString(w, out.String()) // fails only if the browser has disconnected
}

// againAfter is the number of seconds after which a browser requests a page again that failed
// temporarily.
const againAfter = "5"

// explain returns the HTTP status and the text for an error. If the error is not the visitor's
// fault, the text suggests trying again.
func (v *request) explain(err error) (status int, problem message.Message) {
	switch {
	case errors.Is(err, index.ErrDatabaseUnreachable):
		v.w.Header().Set("Retry-After", againAfter)
		return http.StatusServiceUnavailable, notice.DatabaseUnreachableNow
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, tookTooLong
	}
	return http.StatusBadRequest, message.FromError(err)
}

// tookTooLong is the text for a page that exceeded longestWait.
var tookTooLong = message.New("this took longer than %d s and was stopped: narrow it down to a folder or a kind, or try again when the machine is less busy", int(longestWait.Seconds()))

// failAway shows that the database is unreachable. The page reloads itself until the database can
// be reached.
func (v *request) failAway() {
	v.w.Header().Set("Refresh", againAfter)
	v.fail(http.StatusServiceUnavailable, notice.DatabaseUnreachableNow)
}

// fail shows an error page.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, status int, why message.Message) {
	p.failOn(w, r, status, "error", why)
}

// failOn shows an error on the page that the template called name renders.
func (p *Pages) failOn(w http.ResponseWriter, r *http.Request, status int, name string, why message.Message) {
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", againAfter)
	}
	if isPart(r) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		_, _ = fmt.Fprintln(w, localeOf(r).capitalised(why))
		return
	}
	p.show(w, r, status, name, why)
}

func (v *request) show(name string, view any) {
	v.Pages.show(v.w, v.r, http.StatusOK, name, view)
}

func (v *request) fail(status int, why message.Message) { v.Pages.fail(v.w, v.r, status, why) }

// versions are the hashes of the static files by name. They are part of the files' URLs, so that
// browsers can cache the files.
var versions = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	files, err := fs.Glob(assets, "assets/*")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		body, err := assets.ReadFile(file)
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		all[path.Base(file)] = hex.EncodeToString(sum[:8])
	}
	return all
})

var assetTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// asset sends a static file. Everyone may have and cache it, as static files contain nothing from
// documents.
func (p *Pages) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	version, known := versions()[name]
	body, err := assets.ReadFile("assets/" + name)
	if !known || err != nil {
		p.nothing(w, r)
		return
	}
	w.Header().Set("Content-Type", assetTypes[path.Ext(name)])
	if r.FormValue("v") == version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	w.Header().Del("Vary")
	_, _ = w.Write(body)
}

func assetURL(name string) string { return "/assets/" + name + "?v=" + versions()[name] }

// shortened returns a text cut to at most most characters.
func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return strings.TrimSpace(string(r[:most])) + "…"
	}
	return text
}

// Title returns the title of the browser window.
func (f frame) Title() string {
	title := ""
	switch view := f.View.(type) {
	case searchView:
		title = view.Question
	case findView:
		title = view.Question
	case checkView:
		title = f.Words.Say("Check the quotations of an answer")
	case *documentView:
		title = view.DocumentPart.Title
	case pageImageView:
		title = view.Title
	case unreadView:
		title = view.Title
	case libraryView:
		title = f.Words.Say("Library")
	case *documentsView:
		title = f.Words.Say("Documents")
	case skippedView:
		title = f.Words.Say("Not indexed")
	case sinceListView:
		title = f.Words.Say("Recently changed")
	case leftOutView:
		title = f.Words.Say("Why is a file not found?")
	case addView:
		title = f.Words.Say("Add to an AI program")
	case helpView:
		title = view.Title
	case tryView:
		title = f.Words.Say("As a model sees it")
	case figuresView:
		title = f.Words.Say("How well questions are answered")
	case signInView:
		title = f.Words.Say("Sign in")
	case consentView, refusedView:
		title = f.Words.Say("Connect a program")
	}
	if title == "" {
		return "Vademecum"
	}
	return present.CleanLine(shortened(title, 80)) + " · Vademecum"
}

// HasBox reports whether the page has a search box at the top. The start page has it in the middle.
func (f frame) HasBox() bool {
	view, isSearch := f.View.(searchView)
	return f.Places() && !(isSearch && view.Question == "")
}

// Question returns the text in the search box.
func (f frame) Question() string {
	switch view := f.View.(type) {
	case searchView:
		return view.Question
	case *documentView:
		return view.Question
	}
	return ""
}

// Again returns the number of seconds after which a browser without scripts reloads the page; ""
// for never.
func (f frame) Again() string {
	if view, ok := f.View.(searchView); ok && view.Again {
		return againAfter
	}
	return ""
}

// Places reports whether the page has the links to search, documents and the like at its top.
func (f frame) Places() bool {
	return !slices.Contains([]string{"sign-in", "again", "consent", "refused", "closed"}, f.Page)
}

// Scripts reports whether the page runs scripts.
func (f frame) Scripts() bool { return f.Page != "consent" && f.Page != "refused" }
