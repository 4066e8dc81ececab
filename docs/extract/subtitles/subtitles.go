// Package subtitles reads the text of a film or a lecture from its subtitles: SubRip, WebVTT and
// SubStation Alpha. Cues become paragraphs, one for each speaker, each with its time: as a heading
// every two minutes, else in brackets.
package subtitles

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// A cue is a subtitle: lines that are shown from start to end, counted from the beginning of the
// film.
type cue struct {
	start, end time.Duration
	speaker    string // name of the speaker, or ""
	lines      []string
}

// Lengths of sections: as long as one or two passages, so that the time in the heading leads to the
// right place in the film.
const (
	sectionLength = 2 * time.Minute
	longestUnit   = 3 * time.Minute  // maximum length of a section in which no sentence ends
	pause         = 3 * time.Second  // pause that separates paragraphs
	paragraphTime = 30 * time.Second // a paragraph ends with the sentence after it, so that its time leads to what is said
)

// Read reads subtitles in SubRip (.srt) or WebVTT.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	w := writer{}
	for cue := range parseTimedCues(c.Text) {
		w.addCue(cue)
	}
	return w.content(c)
}

// ReadSubStation reads subtitles in SubStation Alpha (.ssa, .ass), in the order of their times.
func ReadSubStation(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	cues := slices.Collect(parseDialogues(c.Text))
	slices.SortStableFunc(cues, func(a, b cue) int { return int(a.start - b.start) })
	w := writer{}
	for _, cue := range cues {
		w.addCue(cue)
	}
	return w.content(c)
}

// A writer joins cues into paragraphs and sections.
type writer struct {
	w              markdown.Writer
	hasSection     bool
	sectionStart   time.Duration
	paragraphStart time.Duration
	isTimed        bool // whether the paragraph begins with its time
	previous       cue
	paragraph      strings.Builder
}

// content returns the content that was written, with the encoding and the note of the file.
func (w *writer) content(file extract.Content) (extract.Content, error) {
	w.endParagraph()
	c, err := w.w.Content()
	c.Encoding, c.IsEncodingGuessed, c.ExtractionNote = file.Encoding, file.IsEncodingGuessed, file.ExtractionNote
	return c, err
}

// mostRolled is the maximum number of lines that a cue may repeat from the one before, as
// in rolling captions.
const mostRolled = 20

// addCue adds the lines of a cue that the cue before does not have: if lines roll over the screen,
// several cues contain the same line.
func (w *writer) addCue(c cue) {
	fresh := make([]string, 0, len(c.lines))
	before := w.previous.lines[:min(len(w.previous.lines), mostRolled)]
	for _, line := range c.lines {
		if c.start > w.previous.end+pause || !slices.Contains(before, line) {
			fresh = append(fresh, line)
		}
	}
	if len(fresh) > 0 {
		w.breakBefore(c)
		for _, line := range fresh {
			if beginsTurn(line) {
				w.endParagraph()
			}
			w.addLine(line, c.start)
		}
	}
	w.previous = c
}

// breakBefore ends the paragraph or the section before the cue c if it is due to end.
func (w *writer) breakBefore(c cue) {
	length := c.start - w.sectionStart
	text := w.paragraph.String()
	switch {
	case !w.hasSection || length >= longestUnit || length < 0 || length >= sectionLength && endsSentence(text):
		w.endParagraph()
		w.w.WriteHeading(2, formatClock(c.start))
		w.hasSection, w.sectionStart = true, c.start
		w.isTimed = false // the heading has it
	case c.speaker != w.previous.speaker || endsSentence(text) && (c.start > w.previous.end+pause || c.start >= w.paragraphStart+paragraphTime):
		w.endParagraph()
	}
	if w.paragraph.Len() == 0 && c.speaker != "" {
		w.beginParagraph(c.start)
		w.paragraph.WriteString(c.speaker + ": ")
	}
}

// beginParagraph begins a paragraph with its time, unless that is in the heading above it.
func (w *writer) beginParagraph(start time.Duration) {
	if w.paragraphStart = start; w.isTimed {
		w.paragraph.WriteString("[" + formatClock(start) + "] ")
	}
	w.isTimed = true
}

// turn matches the beginning of what a speaker says: a dash, or a name in capitals with a colon.
var turn = lazyregexp.New(`^(?:[-–—] ?\pL|(?:>> ?)?\p{Lu}[\p{Lu}\d .'’-]{0,38}\p{Lu}: )`)

// beginsTurn reports whether another speaker begins with a line.
func beginsTurn(line string) bool { return turn.MatchString(line[:min(len(line), 200)]) }

// addLine adds a line that is shown at a time to the paragraph, after a space, except between characters of
// scripts without spaces.
func (w *writer) addLine(line string, start time.Duration) {
	if w.paragraph.Len() == 0 {
		w.beginParagraph(start)
	} else if !strings.HasSuffix(w.paragraph.String(), " ") {
		last, _ := utf8.DecodeLastRuneInString(w.paragraph.String())
		first, _ := utf8.DecodeRuneInString(line)
		if !isWide(last) || !isWide(first) {
			w.paragraph.WriteByte(' ')
		}
	}
	w.paragraph.WriteString(line)
}

func (w *writer) endParagraph() {
	w.w.WriteParagraph(w.paragraph.String())
	w.paragraph.Reset()
}

// isWide reports whether a character belongs to a script without spaces.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("，。、；：？！）」』】》…（「『【《", r)
}

// endsSentence reports whether the end of text may be the end of a sentence.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"'”’)]）」』】♪ ")
	last, _ := utf8.DecodeLastRuneInString(text)
	return text == "" || strings.ContainsRune(".?!…。？！", last) || unicode.Is(unicode.Han, last)
}

// formatClock formats a time as players show it.
func formatClock(t time.Duration) string {
	seconds := int(t / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

// markupPattern matches markup: HTML-like tags, time stamps within a line, and braces that begin
// with a backslash.
var markupPattern = lazyregexp.New(`</?(?i:[ibusc]|v|font|lang|ruby|rt|span)(?:[ .][^<>]*)?>|<\d[\d:.]*>|\{\\[^}]*\}|\{/?[ibusy](?::[^}]*)?\}`)

// plainLines returns the lines without markup, omitting those that are then blank.
func plainLines(lines []string) []string {
	var plain []string
	for _, line := range lines {
		if strings.ContainsAny(line, "<{") {
			line = markupPattern.ReplaceAllString(line, "")
		}
		line = html.UnescapeString(line)
		if line = markdown.OneLine(strings.Trim(line, "\u200E\u200F\u202A\u202C\uFEFF")); line != "" {
			plain = append(plain, line)
		}
	}
	return plain
}
