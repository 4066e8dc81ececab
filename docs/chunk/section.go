package chunk

import (
	"vademecum/docs/meta"
	"vademecum/docs/text"
)

// Section returns the range of what stands below the first heading of a title, with
// the heading, up to the next one of its level or above; ok is false when no
// heading of the text has that title. Titles are compared as names of notes are.
func (b Blocks) Section(title string) (start, end int, ok bool) {
	title = meta.Fold(title)
	level, end := 0, len(b.body.Text)
	for _, block := range b.parsed {
		if block.kind != heading {
			continue
		}
		if ok && block.level <= level {
			end = block.start
			break
		}
		if !ok && meta.Fold(block.title) == title {
			start, level, ok = block.start, block.level, true
		}
	}
	if !ok {
		return 0, 0, false
	}
	start, end = text.TrimBlank(b.body.Text, start, end)
	return start, end, true
}
