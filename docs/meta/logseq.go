package meta

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vademecum/internal/base/lazyregexp"
)

// LogseqConfigPath is the path of Logseq's settings in a graph.
const LogseqConfigPath = "logseq/config.edn"

// MayHaveLogseqName reports whether Logseq may use a name other than the file name for the page in a
// file.
func MayHaveLogseqName(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".org":
	default:
		return false
	}
	name := path.Base(file)
	return strings.Contains(name, logseqSlash) || escapes.MatchString(name) || DateInFileName(file) != 0
}

// LogseqPageName returns Logseq's name for the page in a file, given its path from the root of a graph,
// the settings of the graph, and its text. The name is its title property, "Kitchen/Salt" for
// pages/Kitchen___Salt.md, or the formatted day for a journal (tri-lb-title-parsing and
// default-journal-title-formatter of Logseq 0.10). Missing settings have their defaults.
func LogseqPageName(file, config, text string) string {
	if m := titleProperty.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	settings := make(map[string]string)
	for _, m := range logseqSetting.FindAllStringSubmatch(comments.ReplaceAllString(config, ""), -1) {
		settings[m[1]] = m[2]
	}
	journals := "journals"
	if dir := settings["journals-directory"]; dir != "" {
		journals = dir
	}
	if d := DateInFileName(file); d%100 != 0 && path.Dir(file) == path.Clean(journals) {
		format := settings["journal/page-title-format"]
		if format == "" {
			format = "MMM do, yyyy"
		}
		return d.format(format)
	}
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	name = escapes.ReplaceAllStringFunc(strings.ReplaceAll(name, logseqSlash, "/"), func(escaped string) string {
		if plain, err := url.PathUnescape(escaped); err == nil && !strings.ContainsFunc(plain, unicode.IsControl) {
			return strings.ToValidUTF8(plain, escaped)
		}
		return escaped
	})
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '/' }), "/")
}

const logseqSlash = "___" // encodes a slash in file names

var (
	escapes        = lazyregexp.New(`(?:%[0-9A-Fa-f]{2})+`)
	titleProperty  = lazyregexp.New(`\A(?:[^\s:]+:: .*\n)*title:: *(\S.*)`)
	comments       = lazyregexp.New(`(?m)^\s*;.*$`)
	logseqSetting  = lazyregexp.New(`:(journal/page-title-format|journals-directory)\s+"([^"]*)"`)
	dateFormatPart = lazyregexp.New(`y+|M+|do|d+|E+|'[^']*'`)
)

// format formats a day with a pattern, such as "MMM do, yyyy" (DateTimeFormat of Joda-Time, and do
// for an ordinal day).
func (d Date) format(format string) string {
	t := time.Date(int(d)/10000, time.Month(d/100%100), int(d)%100, 0, 0, 0, 0, time.UTC)
	return dateFormatPart.ReplaceAllStringFunc(format, func(part string) string {
		switch part {
		case "yy":
			return t.Format("06")
		case "M":
			return t.Format("1")
		case "MM":
			return t.Format("01")
		case "MMM":
			return t.Format("Jan")
		case "d":
			return t.Format("2")
		case "dd":
			return t.Format("02")
		case "do":
			return strconv.Itoa(t.Day()) + ordinalEnding(t.Day())
		case "E", "EE", "EEE":
			return t.Format("Mon")
		}
		switch part[0] {
		case 'y':
			return t.Format("2006")
		case 'M':
			return t.Format("January")
		case 'E':
			return t.Format("Monday")
		}
		return strings.Trim(part, "'")
	})
}

// ordinalEnding returns the suffix of an ordinal number, as in 1st.
func ordinalEnding(n int) string {
	switch {
	case n/10%10 == 1:
	case n%10 == 1:
		return "st"
	case n%10 == 2:
		return "nd"
	case n%10 == 3:
		return "rd"
	}
	return "th"
}
