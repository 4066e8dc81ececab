package drawing

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

const (
	maxNested = 32 // maximum depth of nested frames
	maxName   = 60 // maximum length, in characters, of the name of a figure in the label of an arrow
)

// frameMembers are the figures, frames and arrows directly inside a frame, or outside all frames.
type frameMembers struct {
	figures, frames []*figure
	arrows          []*arrow
}

// writePage writes a page, with headings from the given level on. Inside a frame, and outside all
// frames, the text of figures and arrows comes before nested frames.
func (p *drawingPage) writePage(w *markdown.Writer, level int) error {
	in := make(map[*figure]*frameMembers) // members by frame; the key nil stands for the page outside all frames
	of := func(frame *figure) *frameMembers {
		if in[frame] == nil {
			in[frame] = new(frameMembers)
		}
		return in[frame]
	}
	for i := range p.figures {
		switch f := &p.figures[i]; {
		case f.text == "":
		case f.isFrame:
			m := of(p.frameOf(f))
			m.frames = append(m.frames, f)
		default:
			m := of(p.frameOf(f))
			m.figures = append(m.figures, f)
		}
	}
	for i := range p.arrows {
		if a := &p.arrows[i]; a.label != "" {
			m := of(p.frameAround(a))
			m.arrows = append(m.arrows, a)
		}
	}
	p.writeFrameMembers(w, in, nil, level)
	if w.IsFull {
		return extract.ErrTooMuchText
	}
	return nil
}

func (p *drawingPage) writeFrameMembers(w *markdown.Writer, in map[*figure]*frameMembers, frame *figure, level int) {
	m := in[frame]
	if m == nil {
		return
	}
	sortByReadingOrder(m.figures)
	for _, f := range m.figures {
		writeText(w, f.text)
	}
	for _, a := range m.arrows {
		w.WriteListItem(0, markdown.Bullet, p.arrowSentence(a))
	}
	sortByReadingOrder(m.frames)
	for _, f := range m.frames {
		w.WriteHeading(level, firstLine(f.text))
		writeText(w, afterFirstLine(f.text))
		p.writeFrameMembers(w, in, f, level+1)
	}
}

// frameOf returns the innermost frame with a text that contains a figure, or nil. Files may contain
// figures that contain each other in a cycle; these are in no frame.
func (p *drawingPage) frameOf(f *figure) *figure {
	var found *figure
	for range maxNested {
		if f = p.findFigure(f.parentID); f == nil {
			return found
		}
		if found == nil && f.isFrame && f.text != "" {
			found = f
		}
	}
	return nil
}

// frameAround returns the frame of both ends of an arrow, or nil if they are in different frames.
func (p *drawingPage) frameAround(a *arrow) *figure {
	from, to := p.findFigure(a.from), p.findFigure(a.to)
	if from == nil || to == nil {
		return nil
	}
	if frame := p.frameOf(from); frame == p.frameOf(to) {
		return frame
	}
	return nil
}

// arrowSentence returns the label of an arrow, preceded by the names of the figures at its ends if
// both are known.
func (p *drawingPage) arrowSentence(a *arrow) string {
	from, to := p.displayName(a.from), p.displayName(a.to)
	if from == "" || to == "" {
		return a.label
	}
	return from + " → " + to + ": " + a.label
}

// longestFirst is the number of bytes of a text in which its first line is looked for.
const longestFirst = 2000

// displayName returns the name of a figure for the label of an arrow: its shortened first line.
func (p *drawingPage) displayName(id string) string {
	f := p.findFigure(id)
	if f == nil {
		return ""
	}
	line := firstLine(f.text[:min(len(f.text), longestFirst)])
	if utf8.RuneCountInString(line) <= maxName {
		return line
	}
	return string([]rune(line)[:maxName]) + "…"
}

// firstLine returns the first non-blank line of a text, without a heading mark.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	line, _ = trimHeadingMark(line)
	return markdown.OneLine(line)
}

// afterFirstLine returns a text without its first line.
func afterFirstLine(text string) string {
	_, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), "\n")
	return rest
}

// writeText writes the text of a figure, which may be Markdown. A heading in it becomes a plain
// line, because it does not apply to the rest of the page, and an open code fence is closed.
func writeText(w *markdown.Writer, text string) {
	var lines []string
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		mark := markdown.FenceMark(strings.TrimLeft(line, " "))
		heading := false
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.Trim(line, " "+mark[:1]) == "" {
				fence = ""
			}
		case mark != "":
			fence = mark
		default:
			line, heading = trimHeadingMark(line)
		}
		switch {
		case heading:
			lines = append(lines, "", line, "")
		case isUnderline(line) && fence == "":
		default:
			lines = append(lines, line)
		}
	}
	if fence != "" {
		lines = append(lines, fence)
	}
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	if text = strings.Trim(strings.Join(lines, "\n"), "\n"); strings.TrimSpace(text) != "" {
		w.EndBlock()
		w.WriteRaw(text + "\n")
	}
}

// trimHeadingMark returns a line without its heading mark, and whether it had one.
func trimHeadingMark(line string) (string, bool) {
	text := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(text, "#")
	if n := len(text) - len(rest); n < 1 || n > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return line, false
	}
	return strings.TrimRight(strings.TrimSpace(rest), "# "), true
}

// isUnderline reports whether a line makes the previous line a heading.
func isUnderline(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}
