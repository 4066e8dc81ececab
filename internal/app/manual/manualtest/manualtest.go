// Package manualtest parses the manual for tests that compare it with the program.
package manualtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
)

// EachLanguage runs a test once for each language of the manual.
func EachLanguage(t *testing.T, test func(t *testing.T, l message.Language)) {
	t.Helper()
	for _, l := range []message.Language{message.English, message.Chinese} {
		t.Run(string(l), func(t *testing.T) { test(t, l) })
	}
}

// linesAndBlocks returns the lines of a topic that are not in code blocks, and the lines of each
// code block.
func linesAndBlocks(t *testing.T, topic string, l message.Language) (text []string, blocks [][]string) {
	t.Helper()
	source := string(manual.Markdown(topic, l))
	if source == "" {
		t.Fatalf("there is no topic %s", topic)
	}
	inBlock := false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, "\r\n")
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && !inBlock:
			inBlock = true
			blocks = append(blocks, []string{line})
		case fence:
			inBlock = false
		case inBlock:
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
		default:
			text = append(text, line)
		}
	}
	return text, blocks
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// CodeSpans returns the texts between pairs of backticks.
func CodeSpans(text string) (all []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// AllCode returns all code in a topic: the code spans in its text, and the commands in its code
// blocks, each as one line.
func AllCode(t *testing.T, topic string, l message.Language) (all []string) {
	t.Helper()
	text, blocks := linesAndBlocks(t, topic, l)
	all = CodeSpans(strings.Join(text, "\n"))
	for _, block := range blocks {
		if block[0] == "```sh" {
			all = append(all, strings.Split(strings.ReplaceAll(strings.Join(block[1:], "\n"), " \\\n", " "), "\n")...)
		}
	}
	return all
}

// TableRows returns the rows, without header rows, of the tables under the heading with an index.
// The title has the index 0.
func TableRows(t *testing.T, topic string, l message.Language, headingIndex int) (rows [][]string) {
	t.Helper()
	text, _ := linesAndBlocks(t, topic, l)
	at := -1
	for i, line := range text {
		if strings.HasPrefix(line, "#") {
			at++
		}
		isHead := i+1 < len(text) && strings.HasPrefix(text[i+1], "|---")
		if at != headingIndex || !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || isHead {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table under its heading %d", manual.FileName(topic, l), headingIndex)
	}
	return rows
}

// RequireSameNames fails a test unless the manual documents exactly the names that the program has.
// what says in the failure what these are names of.
func RequireSameNames(t *testing.T, what string, documented, actual []string) {
	t.Helper()
	for _, name := range documented {
		if !slices.Contains(actual, name) {
			t.Errorf("the manual names the %s %s, which the program has not", what, name)
		}
	}
	for _, name := range actual {
		if !slices.Contains(documented, name) {
			t.Errorf("the manual does not name the %s %s", what, name)
		}
	}
}
