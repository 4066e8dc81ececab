package iwork

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// The kinds of objects that are heeded, by the numbers that they have in all
// programs; those that are one program's own stand beside what reads them.
const (
	storageKind        = 2001
	otherStorageKind   = 2005
	drawableAttachment = 2003
	footnoteAttachment = 2008
	shapeKind          = 2011
	commentKind        = 2014
	groupKind          = 3008
	tableInfoKind      = 6000
	pagesTableInfoKind = 6007
	tableModelKind     = 6001
)

// The fields of a storage, which holds a flow of text (TSWP.StorageArchive).
const (
	kindOfStorage   = 1
	textOfStorage   = 3
	paragraphStyles = 5
	levelsOfLists   = 6
	listStyles      = 7
	attachments     = 9
	isInDocument    = 10
	startsOfLists   = 14
	footnotes       = 16
	deletions       = 22

	headerStorage = 1 // a kind: a header or footer
)

// A mark says something of the text from a character on, counted in UTF-16 units.
type mark struct {
	at    int
	value uint64
}

// Marks are those of one sort, in order, while the text is read from its beginning.
type marks struct {
	rest []mark
	last mark
}

// readMarks reads marks, each with the object that it refers to. Where that is left
// out and it inherits, the object is that of the mark before.
func readMarks(storage message, id int, inherits bool) marks {
	var all []mark
	for e := range storage.bytes(id).all(1) {
		m := mark{at: int(min(e.number(1), extract.MaxUnpacked)), value: e.reference(2)}
		if m.value == 0 && inherits && len(all) > 0 {
			m.value = all[len(all)-1].value
		}
		all = append(all, m)
	}
	return inOrder(all)
}

// readNumbers reads marks that have a number.
func readNumbers(storage message, id int) marks {
	var all []mark
	for e := range storage.bytes(id).all(1) {
		all = append(all, mark{at: int(min(e.number(1), extract.MaxUnpacked)), value: e.number(2)})
	}
	return inOrder(all)
}

func inOrder(all []mark) marks {
	slices.SortStableFunc(all, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	return marks{rest: all}
}

// of returns what is said of a character, which is not before that of the last call.
func (m *marks) of(position int) uint64 {
	for len(m.rest) > 0 && m.rest[0].at <= position {
		m.last, m.rest = m.rest[0], m.rest[1:]
	}
	return m.last.value
}

// at returns what a mark says that begins at a character, 0 if none does.
func (m *marks) at(position int) uint64 {
	if value := m.of(position); m.last.at == position {
		return value
	}
	return 0
}

// A flow is a storage that is being read.
type flow struct {
	*document
	depth                                            int
	styles, lists, levels, starts, deleted, attached marks
	notes                                            marks

	blocks  []markdown.Block
	text    strings.Builder  // of the paragraph
	begin   int              // of the paragraph
	after   []markdown.Block // what is anchored in the paragraph
	list    uint64           // the style of the last item
	numbers [maxListLevels]uint64
}

const maxListLevels = 9

// storage returns the blocks of a flow of text that was not read before.
func (d *document) storage(id uint64, depth int) []markdown.Block {
	o := d.objects[id]
	if !o.isStorage() || !d.enter(id, depth) {
		return nil
	}
	m := o.message
	f := flow{
		document: d, depth: depth + 1,
		styles: readMarks(m, paragraphStyles, true), lists: readMarks(m, listStyles, true),
		levels: readNumbers(m, levelsOfLists), starts: readNumbers(m, startsOfLists),
		deleted: readMarks(m, deletions, false), attached: readMarks(m, attachments, false), notes: readMarks(m, footnotes, false),
	}
	position := 0
	for part := range m.all(textOfStorage) {
		for _, r := range strings.ToValidUTF8(string(part), "\uFFFD") {
			f.take(r, position)
			position += utf16.RuneLen(r)
		}
	}
	f.endParagraph(position)
	return f.blocks
}

func (o object) isStorage() bool { return o.kind == storageKind || o.kind == otherStorageKind }

// take takes a character of the text.
func (f *flow) take(r rune, position int) {
	switch {
	case r == '\n' || r == '\u2029' || r == '\f' || 4 <= r && r <= 6: // the latter end sections, pages and columns
		f.endParagraph(position + 1)
	case f.deleted.of(position) != 0:
	case r == '\u2028' || r == '\v':
		f.text.WriteByte('\n')
	case r == '\t':
		f.text.WriteByte(' ')
	case r == '\uFFFC' || r < ' ':
		f.anchor(position)
	default:
		f.text.WriteRune(r)
	}
}

// anchor takes what is anchored at a character: a note, or a drawable.
func (f *flow) anchor(position int) {
	for _, id := range []uint64{f.notes.at(position), f.attached.at(position)} {
		switch o := f.objects[id]; o.kind {
		case footnoteAttachment:
			f.footnote(o.reference(2))
		case drawableAttachment:
			f.after = append(f.after, f.drawable(o.reference(1), f.depth)...)
		}
	}
}

// footnote puts the marker of a note into the text, and the note after it.
func (f *flow) footnote(id uint64) {
	var lines markdown.BlockLines
	for _, b := range f.storage(id, f.depth) {
		lines.AddBlock(b)
	}
	text := markdown.OneLine(lines.String())
	if text == "" {
		return
	}
	f.footnotes++
	marker := footnoteMarker(f.footnotes)
	f.text.WriteString(marker)
	f.after = append(f.after, markdown.Block{Text: marker + ": " + text})
}

func footnoteMarker(n int) string { return "[^" + strconv.Itoa(n) + "]" }

// endParagraph ends the paragraph; the next one begins at a character.
func (f *flow) endParagraph(next int) {
	b := markdown.Block{Text: strings.TrimSpace(f.text.String())}
	f.hold(len(b.Text) + extract.CellCost)
	f.text.Reset()
	if b.Text != "" {
		f.dress(&b)
		f.blocks = append(f.blocks, b)
	}
	f.blocks = append(f.blocks, f.after...)
	f.after, f.begin = nil, next
}

// dress makes a paragraph the heading or the item that its styles say.
func (f *flow) dress(b *markdown.Block) {
	outline := f.outline(f.styles.of(f.begin))
	list, level := f.lists.of(f.begin), min(f.levels.of(f.begin), maxListLevels-1)
	start := f.starts.at(f.begin)
	switch label := f.labelOf(list, int(level)); {
	case outline != office.OutlineUnset && !f.isPlain:
		b.Kind, b.Level = markdown.Heading, outline+1
	case label.kind != noLabel:
		b.Kind, b.Level, b.Marker = markdown.Item, int(level), markdown.Bullet
		if n := f.count(list, int(level), start); label.kind == numberLabel {
			b.Marker = label.number(n)
		}
	}
}

// count counts an item. A list begins where it says so, or where its style is
// another one.
func (f *flow) count(list uint64, level int, start uint64) uint64 {
	if list != f.list {
		f.list, f.numbers = list, [maxListLevels]uint64{}
	}
	clear(f.numbers[level+1:])
	if f.numbers[level]++; start > 0 {
		f.numbers[level] = start
	}
	return f.numbers[level]
}
