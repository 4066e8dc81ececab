// Detection, by name and content, of files that programs wrote for programs: they would match
// queries with words that no person wrote. These are pure functions.

package docs

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// generatedKind returns the kind of a file that a program wrote for programs, such as "lock file",
// or "" for a file that people wrote or may read: generated prose, such as the reference of a
// command line, does not count. isProse reports that files with that name are prose: in them a
// marker of generated files is usually the subject of the text.
func generatedKind(name string, isProse bool, content []byte) message.Message {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	switch {
	case isLockFile(strings.ToLower(base)):
		return message.New("lock file")
	case slices.Contains([]string{"tags", "TAGS", ".tags"}, base) && isTagsFile(content):
		return message.New("list of tags")
	case ext == ".map" && isSourceMap(content):
		return message.New("source map")
	case searchIndex.MatchString(base) && hasLongLine(content):
		return message.New("search index")
	case slices.Contains(strings.Fields(".js .mjs .cjs .css"), ext) && isMinified(base, content):
		return message.New("minified code")
	case slices.Contains(strings.Fields(".js .mjs .cjs .css"), ext) && isBundle(base, content):
		return message.New("bundled code")
	case !isProse && isMarkedGenerated(content):
		return message.New("generated code")
	}
	return ""
}

// isLockFile reports whether package managers use the name for a record of resolved versions. Only
// exact names count: a note may well be called x.lock.
func isLockFile(base string) bool { return slices.Contains(strings.Fields(locks), base) }

const locks = `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock
	go.sum go.work.sum cargo.lock poetry.lock pipfile.lock uv.lock pdm.lock pixi.lock conda-lock.yml
	composer.lock gemfile.lock podfile.lock cartfile.resolved package.resolved pubspec.lock mix.lock
	flake.lock packages.lock.json gradle.lockfile buildscript-gradle.lockfile stack.yaml.lock rebar.lock
	chart.lock conan.lock melos.lock .terraform.lock.hcl`

// leastTags is the minimum number of lines in a list of tags; a shorter one may be a note.
const leastTags = 50

// isTagsFile recognises the output of ctags and etags, and similar lists: nearly every
// line is an entry consisting of a name and fields, without prose.
func isTagsFile(content []byte) bool {
	if bytes.HasPrefix(content, []byte("!_TAG_")) || bytes.HasPrefix(content, []byte("\f\n")) {
		return true
	}
	lines, entries := 0, 0
	for line := range bytes.Lines(content) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 || line[0] == '#' {
			continue
		}
		lines++
		if bytes.IndexByte(line, ' ') < 0 || bytes.IndexByte(line, '\t') > 0 {
			entries++
		}
	}
	return lines >= leastTags && entries >= lines*19/20
}

// searchIndex matches the names of the search indexes of static sites, with the words of all pages:
// those of mdBook, MkDocs, Sphinx, rustdoc and Docusaurus.
var searchIndex = lazyregexp.New(`(?i)^search[-_]?index([-_.][0-9a-z]+)*\.(js|json)$`)

// longLine is the length of a line, in bytes, from which the line is assumed to be generated.
const longLine = 500

func hasLongLine(content []byte) bool {
	for line := range bytes.Lines(content[:min(len(content), markBytes)]) {
		if len(line) >= longLine {
			return true
		}
	}
	return false
}

// isSourceMap recognises a source map by its required keys.
func isSourceMap(content []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(content, "\xEF\xBB\xBF)]}' \r\n\t"), []byte("{")) &&
		bytes.Contains(content, []byte(`"mappings"`)) && bytes.Contains(content, []byte(`"version"`))
}

// Minified code has hardly any white space and few lines. Of 1,900 scripts and style sheets in the
// documentation and packages of Rust, Go, npm and Python, those called ".min." have at least 132
// bytes a line and at most 10 % of white space; of the hand-written ones, 19 of 20 have at most 59
// bytes a line and at least 13 % of white space.
const (
	smallLine  = 160  // mean bytes per line from which code may be minified
	smallSpace = 12   // maximum percentage of white space in minified code
	leastSmall = 1024 // size in bytes below which line lengths prove nothing
)

func isMinified(base string, content []byte) bool {
	if strings.Contains(strings.ToLower(base), ".min.") {
		return true
	}
	if len(content) < leastSmall {
		return false
	}
	lines, space := 1, 0
	for _, b := range content {
		switch b {
		case '\n':
			lines++
			space++
		case ' ', '\t', '\r':
			space++
		}
	}
	return len(content) >= smallLine*lines && space*100 <= smallSpace*len(content)
}

// How far a marker is looked for. By Go's convention it precedes the first line of code; other
// programs write it after a copyright notice.
const (
	markBytes = 4096
	markLines = 40
)

// isMarkedGenerated reports whether a comment at the top of a file says that a program generated
// it. The comment must also say that the file is not to be edited, or contain the exact marker that
// tools look for.
func isMarkedGenerated(content []byte) bool {
	head := content[:min(len(content), markBytes)]
	for n := 0; n < markLines && len(head) > 0; n++ {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		said, isComment := commentText(line)
		if !isComment {
			continue
		}
		if slices.Contains(strings.Fields(said), "@generated") {
			return true
		}
		next, _, _ := bytes.Cut(head, []byte("\n")) // the sentence may continue there
		if more, goesOn := commentText(next); goesOn {
			said += " " + more
		}
		made := strings.Contains(said, "generated") || strings.Contains(said, "autogenerated")
		if made && containsAny(said, "do not edit", "do not modify", "don't edit", "do not change", "editing it directly is not advised", "not intended for manual editing") {
			return true
		}
	}
	return false
}

// commentText returns the text of a comment line of a programming language or a
// configuration file, in lower case.
func commentText(line []byte) (said string, ok bool) {
	text := strings.ToLower(strings.TrimSpace(string(line)))
	for _, sign := range []string{"//", "/*", "<!--", "--", "*", "#", ";", "%", "\"\"\"", "'"} {
		if rest, found := strings.CutPrefix(text, sign); found {
			return rest, true
		}
	}
	return "", false
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// checkContent returns an error with the reason if a program wrote the file for programs, such as a
// lock file, so that it is not a document.
func checkContent(path string, content []byte) error {
	if kind := generatedKind(path, formats.IsProse(path), content); kind != "" {
		return &extract.SkipError{Reason: message.New("made by a machine: %s", kind)}
	}
	return nil
}
