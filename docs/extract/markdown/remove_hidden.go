package markdown

import (
	"strings"
	"unicode/utf8"
)

// RemoveHidden returns Markdown from an external source without what readers do not see: comments,
// inline data of pictures, and URL queries that contain a whole program or form. Tildes replace the HTML
// tags of struck-out text and the marks of CriticMarkup, and those of inserted text are left out. The line
// numbers do not change. Code is copied unchanged, except for inline data.
func RemoveHidden(text string) string {
	if strings.Contains(text, ";base64,") {
		text = removeInlineData(text)
	}
	return removeHidden(text, false)
}

// ReplaceStrikeTags returns a text that is not Markdown with marks in place of the HTML tags of struck-out text, and
// without those of inserted text. The lines stay where they are.
func ReplaceStrikeTags(text string) string { return removeHidden(text, true) }

// removeHidden removes comments, long queries and tags that edit the text, or only these.
func removeHidden(text string, onlyTags bool) string {
	comments := !onlyTags && strings.Contains(text, "<!--")
	if onlyTags && !strings.Contains(text, "</") {
		return text
	}
	if !comments && !strings.Contains(text, "://") && !strings.Contains(text, "</") && !criticMark.MatchString(text) {
		return text
	}
	v := hiddenRemover{text: text, mayHaveComments: comments, mayBeCode: true, onlyTags: onlyTags}
	for v.pos < len(text) {
		v.readLine()
	}
	return v.finish()
}

// A hiddenRemover holds the state while a Markdown text is read once, line by line, and its visible
// parts are copied.
type hiddenRemover struct {
	text            string
	pos             int
	out             strings.Builder
	lineStart       int            // offset at which the line with pos begins
	copiedUpTo      int            // offset up to which the text has been copied
	fence           string         // fence of the code block that contains pos; "" if none
	mayHaveComments bool           // whether the text may contain complete comments
	inList          bool           // whether the line at pos may belong to a list
	onlyTags        bool           // whether nothing is changed but tags that edit the text
	mayBeCode       bool           // whether the line before pos is blank or code
	unclosedUpTo    map[string]int // by name of a tag or mark, offset before which no such tag has an end
}

// replaceRange writes replacement in place of a range of the text, followed by the line breaks of
// the range.
func (v *hiddenRemover) replaceRange(from, to int, replacement string) {
	v.out.WriteString(v.text[v.copiedUpTo:from])
	v.out.WriteString(replacement)
	v.out.WriteString(strings.Repeat("\n", strings.Count(v.text[from:to], "\n")))
	v.copiedUpTo = to
}

func (v *hiddenRemover) finish() string {
	if v.copiedUpTo == 0 {
		return v.text
	}
	v.out.WriteString(v.text[v.copiedUpTo:])
	return v.out.String()
}

// readLine reads the line at pos and removes what is hidden in it.
func (v *hiddenRemover) readLine() {
	end := v.lineEnd()
	v.lineStart = v.pos
	line := v.text[v.pos:end]
	trimmed := strings.TrimLeft(line, " ")
	mark := FenceMark(trimmed)
	switch {
	case v.fence != "":
		if strings.HasPrefix(mark, v.fence) && strings.TrimSpace(trimmed) == mark {
			v.fence = ""
		}
	case mark != "":
		v.fence = mark
	case !v.isCode(line):
		v.readText(end)
		return
	}
	v.pos = end + 1
}

// isCode reports whether a line outside of fences may be code, as it is indented by a tab or at least 4
// spaces and neither continues a paragraph nor is an item of a list.
func (v *hiddenRemover) isCode(line string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	indent := line[:len(line)-len(trimmed)]
	isIndented := len(indent) >= 4 || strings.Contains(indent, "\t")
	isItem := trimmed != "" && len(lineMarks.FindString(trimmed)) > 0 && trimmed[0] != '#' && trimmed[0] != '>'
	switch {
	case strings.TrimSpace(trimmed) == "":
		v.mayBeCode = true
		return false
	case isIndented && v.mayBeCode && !(v.inList && isItem):
		return true
	case isItem:
		v.inList = true
	case v.mayBeCode && !isIndented && indent == "":
		v.inList = false
	}
	v.mayBeCode = false
	return false
}

func (v *hiddenRemover) lineEnd() int {
	if n := strings.IndexByte(v.text[v.pos:], '\n'); n >= 0 {
		return v.pos + n
	}
	return len(v.text)
}

// readText reads a line of text up to end, or up to the end of a comment that extends beyond it.
func (v *hiddenRemover) readText(end int) {
	for v.pos < end {
		marks := "`<:{"
		if v.onlyTags {
			marks = "`<"
		}
		n := strings.IndexAny(v.text[v.pos:end], marks)
		if n < 0 {
			break
		}
		v.pos += n
		switch v.text[v.pos] {
		case '`':
			v.skipInlineCode(end)
		case '{':
			if v.replaceCriticMark(); v.pos > end {
				return
			}
		case '<':
			if after := v.skipTag(); after > end {
				return
			}
		default:
			v.shortenLink(end)
		}
	}
	v.pos = end + 1
}

// maxCode is the maximum length of inline code in bytes.
const maxCode = 4 << 10

// skipInlineCode advances past the inline code at pos, so that it is copied unchanged.
func (v *hiddenRemover) skipInlineCode(end int) {
	rest := strings.TrimLeft(v.text[v.pos:end], "`")
	mark := v.text[v.pos : end-len(rest)]
	v.pos += len(mark)
	if n := strings.Index(rest[:min(len(rest), maxCode)], mark); n >= 0 {
		v.pos += n + len(mark)
	}
}

// skipTag removes what is hidden at the angle bracket at pos, or replaces the tag there, and returns the new pos.
func (v *hiddenRemover) skipTag() int {
	if v.replaceEditTags() {
		return v.pos
	}
	return v.removeComment()
}

// removeComment removes the comment that begins at pos, if there is one, and returns the new pos.
func (v *hiddenRemover) removeComment() int {
	const open, closing = "<!--", "-->"
	if !v.mayHaveComments || !strings.HasPrefix(v.text[v.pos:], open) {
		v.pos++
		return v.pos
	}
	n := strings.Index(v.text[v.pos+len(open):], closing)
	if n < 0 {
		v.mayHaveComments = false
		v.pos++
		return v.pos
	}
	from := v.pos
	v.pos += len(open) + n + len(closing)
	v.replaceRange(from, v.pos, "")
	return v.pos
}

// maxQuery is the length in bytes above which the query of a URL is left out: it does not name a
// page, but holds the code of a playground or a filled-in form.
const maxQuery = 200

// shortenLink leaves out a long query of the URL whose scheme ends at pos.
func (v *hiddenRemover) shortenLink(end int) {
	v.pos++
	if !strings.HasPrefix(v.text[v.pos:end], "//") {
		return
	}
	address := v.text[v.pos:end]
	if n := strings.IndexAny(address, " \t)>\"`"); n >= 0 {
		address = address[:n]
	}
	query := strings.IndexAny(address, "?#")
	if query >= 0 && len(address)-query > maxQuery {
		v.replaceRange(v.pos+query+1, v.pos+len(address), "…")
	}
	v.pos += len(address)
}

// minBytes is the minimum length of base64 data to be removed: no word is that long.
const minBytes = 100

// removeInlineData removes pictures and other data embedded in the text as base64 (RFC
// 2397).
func removeInlineData(text string) string {
	const mark = ";base64,"
	var out strings.Builder
	for {
		n := strings.Index(text, mark)
		if n < 0 {
			break
		}
		n += len(mark)
		rest := strings.TrimLeftFunc(text[n:], func(r rune) bool {
			return r < utf8.RuneSelf && ('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("+/=-_%", r))
		})
		out.WriteString(text[:n])
		if length := len(text) - n - len(rest); length >= minBytes {
			out.WriteString("…")
			text = rest
		} else {
			text = text[n:]
		}
	}
	out.WriteString(text)
	return out.String()
}
