package subtitles

import (
	"iter"
	"strconv"
	"strings"
	"time"

	"vademecum/internal/base/lazyregexp"
)

// timingLine matches the line with the start and the end of a cue, which precedes its text.
var timingLine = lazyregexp.New(`^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[,.:](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[,.:](\d{1,3})`)

// parseTimedCues yields the cues of SubRip or WebVTT. In WebVTT a blank line ends a cue. In SubRip
// a blank line may be part of the text, and the number of the next cue ends a cue.
func parseTimedCues(text string) iter.Seq[cue] {
	return func(yield func(cue) bool) {
		isVTT := strings.HasPrefix(text, "WEBVTT")
		var open *cue
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\r\n")
			next, isTiming := parseTiming(line)
			switch {
			case isTiming:
				if open != nil && !yield(open.finishText(!isVTT)) {
					return
				}
				open = &next
			case open == nil:
			case isVTT && strings.TrimSpace(line) == "":
				if !yield(open.finishText(false)) {
					return
				}
				open = nil
			default:
				open.lines = append(open.lines, line)
			}
		}
		if open != nil {
			yield(open.finishText(false))
		}
	}
}

func parseTiming(line string) (cue, bool) {
	if !strings.Contains(line, "-->") {
		return cue{}, false
	}
	m := timingLine.FindStringSubmatch(line)
	if m == nil {
		return cue{}, false
	}
	return cue{start: parseTime(m[1:5]), end: parseTime(m[5:9])}, true
}

// parseTime returns the time given by digits: hours, minutes, seconds and milliseconds.
func parseTime(digits []string) time.Duration {
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(digits[i]) // the text has only digits, or is empty
	}
	parts, _ := strconv.Atoi((digits[3] + "00")[:3])
	return time.Duration(n[0])*time.Hour + time.Duration(n[1])*time.Minute + time.Duration(n[2])*time.Second + time.Duration(parts)*time.Millisecond
}

// speakerTag matches the tag of WebVTT that names the speaker.
var speakerTag = lazyregexp.New(`<v(?:\.[^ >]*)? ([^<>]+)>`)

// finishText returns the cue with the visible text of its lines and the speaker that a tag in them
// names. If cues are numbered, the last line is the number of the next cue and is removed.
func (c *cue) finishText(isNumbered bool) cue {
	if last := len(c.lines) - 1; isNumbered && last >= 0 && isNumber(c.lines[last]) {
		c.lines = c.lines[:last]
	}
	for _, line := range c.lines {
		if m := speakerTag.FindStringSubmatch(line); m != nil {
			c.speaker = strings.TrimSpace(m[1])
			break
		}
	}
	c.lines = plainLines(c.lines)
	return *c
}

func isNumber(line string) bool {
	_, err := strconv.ParseUint(strings.TrimSpace(line), 10, 64)
	return err == nil
}

// defaultFields are the fields of a line in SubStation Alpha if the file does not name them.
var defaultFields = []string{"Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text"}

const maxFields = 32 // maximum number of fields of a line

// parseDialogues yields the cues of SubStation Alpha, in file order.
func parseDialogues(text string) iter.Seq[cue] {
	return func(yield func(cue) bool) {
		fields, inEvents := defaultFields, true
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			name, value, _ := strings.Cut(line, ":")
			switch {
			case strings.HasPrefix(line, "["):
				inEvents = strings.EqualFold(line, "[Events]")
			case !inEvents:
			case name == "Format":
				fields = strings.SplitN(value, ",", maxFields)
			case name == "Dialogue":
				if c, ok := parseDialogue(fields, value); ok && !yield(c) {
					return
				}
			}
		}
	}
}

var substationTime = lazyregexp.New(`^(\d{1,3}):(\d{1,2}):(\d{1,2})[.:,](\d{1,3})$`)

// parseDialogue parses a line with the given fields, the last of which is the text. The second
// result is false if a field or a time is missing.
func parseDialogue(fields []string, line string) (cue, bool) {
	values := strings.SplitN(line, ",", len(fields))
	if len(values) < len(fields) {
		return cue{}, false
	}
	var c cue
	times := 0
	for i, field := range fields {
		value := strings.TrimSpace(values[i])
		m := substationTime.FindStringSubmatch(value)
		switch field = strings.TrimSpace(field); {
		case field == "Start" && m != nil:
			c.start = parseTime(m[1:])
			times++
		case field == "End" && m != nil:
			c.end = parseTime(m[1:])
			times++
		case field == "Name" || field == "Actor":
			c.speaker = value
		case field == "Text" && !drawingCommand.MatchString(value):
			c.lines = plainLines(strings.Split(substationBreaks.Replace(value), "\n"))
		}
	}
	return c, times == 2
}

// drawingCommand matches the command that begins a drawing in place of text.
var drawingCommand = lazyregexp.New(`\{[^}]*\\p[1-9][^}]*\}`)

var substationBreaks = strings.NewReplacer(`\N`, "\n", `\n`, "\n", `\h`, " ")
