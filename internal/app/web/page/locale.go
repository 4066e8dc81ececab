package page

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// locale is a language of the pages. The English texts are in the templates and in this package.
type locale struct {
	Code string // tag of the language in HTML
	Name string // name of the language in the language itself
}

var locales = func() (all []locale) {
	for _, l := range message.Languages() {
		all = append(all, locale{l.Tag(), l.Name()})
	}
	return all
}()

// langCookie is the name of the cookie with the language that the visitor has chosen.
const langCookie = "vademecum-lang"

// pageLanguage is the header in which a script sends the language of its page, as the visitor may
// have chosen another one meanwhile.
const pageLanguage = "X-Page-Language"

// localeOf returns the language of a response: the one chosen in the request, that of the page
// whose script sends the request, the one chosen earlier, or the one that the browser prefers.
func localeOf(r *http.Request) locale {
	if chosen := r.URL.Query().Get("lang"); chosen != "" {
		return nearest(chosen)
	}
	if page := r.Header.Get(pageLanguage); page != "" {
		return nearest(page)
	}
	if c, err := r.Cookie(langCookie); err == nil {
		return nearest(c.Value)
	}
	return nearest(r.Header.Get("Accept-Language"))
}

// keepLocale stores the chosen language in a cookie.
func (p *Pages) keepLocale(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("lang") == "" {
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: langCookie, Value: localeOf(r).Code, Path: p.cookiePath(), MaxAge: 365 * 24 * 3600, HttpOnly: true, Secure: !p.isPlainHere(r), SameSite: http.SameSiteStrictMode,
	})
}

// nearest returns the language of the pages that a visitor prefers, given an Accept-Language
// header; English if there is none.
func nearest(acceptLanguage string) locale {
	best, most := locales[0], 0.0
	for part := range strings.SplitSeq(shortened(acceptLanguage, 200), ",") {
		tag, parameter, _ := strings.Cut(part, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(parameter), "q="); ok {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		for _, t := range locales {
			if strings.HasPrefix(t.Code, primary) && primary != "" && weight > most {
				best, most = t, weight
			}
		}
	}
	return best
}

// others returns the other languages, each with the URL of the present page in it.
func others(r *http.Request, t locale) (all []localeLink) {
	for _, o := range locales {
		if o.Code == t.Code {
			continue
		}
		q := r.URL.Query()
		q.Set("lang", o.Code)
		path := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/") // two slashes would lead to another host
		if r.Method != http.MethodGet || len(r.URL.RawQuery) > longestQuery {
			path, q = "/", url.Values{"lang": {o.Code}}
		}
		all = append(all, localeLink{o, path + "?" + q.Encode()})
	}
	return all
}

type localeLink struct {
	locale
	To string
}

// Say translates an English sentence, which may be a format for values.
func (t locale) Say(english string, values ...any) string {
	return message.New(english, values...).InLanguage(t.language())
}

// Count returns a number with a noun, given as an English singular.
func (t locale) Count(n int, noun string) string {
	return t.Say("%[2]s "+noun+"s", n, grouped(n))
}

// grouped returns a number with commas between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Ago describes how long ago a time was.
func (t locale) Ago(when time.Time) string {
	switch d := time.Since(when); {
	case when.IsZero():
		return t.Say("never")
	case d < time.Minute:
		return t.Say("less than a minute ago")
	case d < time.Hour:
		return t.Say("%s ago", t.Count(int(d.Minutes()), "minute"))
	case d < 48*time.Hour:
		return t.Say("%s ago", t.Count(int(d.Hours()), "hour"))
	}
	return t.Say("%s ago", t.Count(int(time.Since(when).Hours()/24), "day"))
}

// Lasting formats a duration.
func (t locale) Lasting(d time.Duration) string {
	switch {
	case d < time.Minute:
		return t.Count(max(1, int(d.Seconds())), "second")
	case d < 2*time.Hour:
		return t.Count(int(d.Minutes()), "minute")
	}
	return t.Count(int(d.Hours()), "hour")
}

// Bytes formats a number of bytes.
func (t locale) Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// In translates a message into the language.
func (t locale) In(m message.Message) string { return m.InLanguage(t.language()) }

// capitalised translates a message that stands alone, with an initial capital.
func (t locale) capitalised(m message.Message) string {
	text := t.In(m)
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// listComma returns the separator between the items of a list; in some languages it is not a comma.
func (t locale) listComma() string { return t.In(message.NewIn("list", ", ")) }

func (t locale) language() message.Language { return message.LanguageOf(t.Code) }

// parts splits a path at its slashes if it contains right-to-left letters, as it would be shown in
// the wrong order unless each part is isolated. For other paths it returns nil.
func parts(path string) []string {
	path = present.CleanLine(path)
	if !strings.ContainsFunc(path, runsLeft) {
		return nil
	}
	return strings.Split(path, "/")
}

// runsLeft reports whether a letter is written from right to left, as in Hebrew and Arabic.
func runsLeft(c rune) bool { return '\u0590' <= c && c <= '\u08ff' || '\ufb1d' <= c && c <= '\ufefc' }

// functions returns the functions for templates in this language.
func (t locale) functions() template.FuncMap {
	return template.FuncMap{
		"t": t.Say, "count": t.Count, "ago": t.Ago, "lasting": t.Lasting, "bytes": t.Bytes,
		"in": t.In, "link": openLink, "tagLink": tagLink, "line": present.CleanLine, "parts": parts, "asset": assetURL, "grouped": grouped, "join": strings.Join, "capitalised": t.capitalised, "listComma": t.listComma,
		"percent": func(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" },
		"two":     func(score float64) string { return strconv.FormatFloat(score, 'f', 2, 64) },
		"day":     func(at time.Time) string { return at.Format("2006-01-02") },
		"second":  func(at time.Time) string { return at.Format("2006-01-02 15:04:05") },
		"stamp":   func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
		// a date picker can show only whole days
		"isDay": func(value string) bool { return value == "" || len(value) == len(time.DateOnly) },
		"add":   func(a, b int) int { return a + b },
	}
}
