package iwork

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// Types of objects, by the numbers that Pages, Numbers and Keynote share. Those of a single program
// are defined next to their readers.
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

// Fields of a text storage, which contains a flow of text (TSWP.StorageArchive).
const (
	kindOfStorage   = 1
	textOfStorage   = 3
	paragraphStyles = 5
	levelsOfLists   = 6
	listStyles      = 7
	characterStyles = 8
	attachments     = 9
	isInDocument    = 10
	startsOfLists   = 14
	footnotes       = 16
	deletions       = 22

	headerStorage = 1 // value of kindOfStorage for a header or footer
)

// A textAttribute applies a value to the text from a position on, in UTF-16 units.
type textAttribute struct {
	at    int
	value uint64
}

// An attributeTable holds the attributes of one kind, sorted by position. They are consumed while
// the text is read from its start to its end.
type attributeTable struct {
	rest []textAttribute
	last textAttribute
}

// readAttributeTable reads attributes whose values are objects. If inherits is true, an attribute
// without an object has the object of the previous attribute.
func readAttributeTable(storage protobufMessage, id int, inherits bool) attributeTable {
	var all []textAttribute
	for e := range storage.bytes(id).eachMessage(1) {
		m := textAttribute{at: int(min(e.number(1), extract.MaxUnpackedBytes)), value: e.reference(2)}
		if m.value == 0 && inherits && len(all) > 0 {
			m.value = all[len(all)-1].value
		}
		all = append(all, m)
	}
	return sortAttributes(all)
}

// readNumberTable reads attributes whose values are numbers.
func readNumberTable(storage protobufMessage, id int) attributeTable {
	var all []textAttribute
	for e := range storage.bytes(id).eachMessage(1) {
		all = append(all, textAttribute{at: int(min(e.number(1), extract.MaxUnpackedBytes)), value: e.number(2)})
	}
	return sortAttributes(all)
}

func sortAttributes(all []textAttribute) attributeTable {
	slices.SortStableFunc(all, func(a, b textAttribute) int { return cmp.Compare(a.at, b.at) })
	return attributeTable{rest: all}
}

// valueAt returns the value that applies at a position. Positions must not decrease from call to
// call.
func (m *attributeTable) valueAt(position int) uint64 {
	for len(m.rest) > 0 && m.rest[0].at <= position {
		m.last, m.rest = m.rest[0], m.rest[1:]
	}
	return m.last.value
}

// valueStartingAt returns the value of an attribute that begins exactly at a position, or 0.
func (m *attributeTable) valueStartingAt(position int) uint64 {
	if value := m.valueAt(position); m.last.at == position {
		return value
	}
	return 0
}

// A textFlow holds the state while one text storage is read.
type textFlow struct {
	*document
	depth                                            int
	styles, lists, levels, starts, deleted, attached attributeTable
	notes, characters                                attributeTable

	blocks         []markdown.Block
	text           markdown.InlineText // text of the current paragraph, without that of run
	run            strings.Builder     // text at its end that is struck out or not as a whole
	isRunStruck    bool
	paragraphStart int              // position of the start of the current paragraph
	blocksAfter    []markdown.Block // objects anchored in the current paragraph, which follow it
	list           uint64           // list style of the last list item
	numbers        [maxListLevels]uint64
}

const maxListLevels = 9

// storageBlocks returns the blocks of a text storage, or nil if it was read before.
func (d *document) storageBlocks(id uint64, depth int) []markdown.Block {
	o := d.objects[id]
	if !o.isStorage() || !d.enterObject(id, depth) {
		return nil
	}
	m := o.protobufMessage
	f := textFlow{
		document: d, depth: depth + 1,
		styles: readAttributeTable(m, paragraphStyles, true), lists: readAttributeTable(m, listStyles, true),
		levels: readNumberTable(m, levelsOfLists), starts: readNumberTable(m, startsOfLists),
		characters: readAttributeTable(m, characterStyles, false),
		deleted:    readAttributeTable(m, deletions, false), attached: readAttributeTable(m, attachments, false), notes: readAttributeTable(m, footnotes, false),
	}
	position := 0
	for part := range m.eachMessage(textOfStorage) {
		for _, r := range strings.ToValidUTF8(string(part), "\uFFFD") {
			f.addCharacter(r, position)
			position += utf16.RuneLen(r)
		}
	}
	f.endParagraph(position)
	return f.blocks
}

func (o object) isStorage() bool { return o.kind == storageKind || o.kind == otherStorageKind }

// addCharacter adds the character at a position, or the object anchored there, to the current
// paragraph. A separator ends the paragraph.
func (f *textFlow) addCharacter(r rune, position int) {
	switch {
	case r == '\n' || r == '\u2029' || r == '\f' || 4 <= r && r <= 6: // characters 4 to 6 end a section, a page and a column
		f.endParagraph(position + 1)
	case f.deleted.valueAt(position) != 0:
	case r == '\u2028' || r == '\v':
		f.write("\n", position)
	case r == '\t':
		f.write(" ", position)
	case r == '\uFFFC' || r < ' ':
		f.addAnchored(position)
	default:
		f.write(string(r), position)
	}
}

// write adds text at a position to the current paragraph.
func (f *textFlow) write(text string, position int) {
	isStruck, isSet := f.strikeOf(f.characters.valueAt(position))
	if !isSet {
		isStruck, _ = f.strikeOf(f.styles.valueAt(position))
	}
	if isStruck != f.isRunStruck {
		f.endRun()
		f.isRunStruck = isStruck
	}
	f.run.WriteString(text)
}

// endRun adds the current run, text that is either all struck out or not at all, to the paragraph.
func (f *textFlow) endRun() {
	f.text.IsNextStruck = f.isRunStruck
	f.text.WriteString(f.run.String())
	f.run.Reset()
}

// addAnchored adds the note or drawable that is anchored at a position.
func (f *textFlow) addAnchored(position int) {
	for _, id := range []uint64{f.notes.valueStartingAt(position), f.attached.valueStartingAt(position)} {
		switch o := f.objects[id]; o.kind {
		case footnoteAttachment:
			f.addFootnote(o.reference(2))
		case drawableAttachment:
			f.blocksAfter = append(f.blocksAfter, f.drawableBlocks(o.reference(1), f.depth)...)
		}
	}
}

// addFootnote inserts the marker of a note into the text, and adds the note itself after the
// paragraph.
func (f *textFlow) addFootnote(id uint64) {
	var lines markdown.BlockLineBuilder
	for _, b := range f.storageBlocks(id, f.depth) {
		lines.AddBlock(b)
	}
	text := markdown.OneLine(lines.String())
	if text == "" {
		return
	}
	f.footnotes++
	marker := footnoteMarker(f.footnotes)
	f.run.WriteString(marker)
	f.blocksAfter = append(f.blocksAfter, markdown.Block{Text: marker + ": " + text})
}

func footnoteMarker(n int) string { return "[^" + strconv.Itoa(n) + "]" }

// endParagraph ends the current paragraph. The next one starts at the position next.
func (f *textFlow) endParagraph(next int) {
	f.endRun()
	b := markdown.Block{Text: strings.TrimSpace(f.text.String())}
	f.countText(len(b.Text) + extract.CellOverheadBytes)
	f.text.Reset()
	if b.Text != "" {
		f.applyStyles(&b)
		f.blocks = append(f.blocks, b)
	}
	f.blocks = append(f.blocks, f.blocksAfter...)
	f.blocksAfter, f.paragraphStart = nil, next
}

// applyStyles makes a paragraph a heading or list item, according to its styles.
func (f *textFlow) applyStyles(b *markdown.Block) {
	heading, isHeading := f.outlineLevel(f.styles.valueAt(f.paragraphStart)).HeadingLevel()
	list, level := f.lists.valueAt(f.paragraphStart), min(f.levels.valueAt(f.paragraphStart), maxListLevels-1)
	start := f.starts.valueStartingAt(f.paragraphStart)
	switch label := f.listLabelAt(list, int(level)); {
	case isHeading && !f.isPlain:
		b.Kind, b.Level = markdown.Heading, heading
	case label.kind != noLabel:
		b.Kind, b.Level, b.Marker = markdown.ListItem, int(level), markdown.Bullet
		if n := f.countItem(list, int(level), start); label.kind == numberLabel {
			b.Marker = label.formatNumber(n)
		}
	}
}

// countItem returns the number of the next item of a list at a level. Numbering restarts at start
// if that is not 0, and at 1 if the list style changes.
func (f *textFlow) countItem(list uint64, level int, start uint64) uint64 {
	if list != f.list {
		f.list, f.numbers = list, [maxListLevels]uint64{}
	}
	clear(f.numbers[level+1:])
	if f.numbers[level]++; start > 0 {
		f.numbers[level] = start
	}
	return f.numbers[level]
}
