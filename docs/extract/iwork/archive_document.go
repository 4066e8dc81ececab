package iwork

import (
	"maps"
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
	messages "vademecum/internal/base/message"
)

// A document holds the state while an iWork document that consists of IWA archives is read.
type document struct {
	objects        map[uint64]object
	enteredObjects map[uint64]bool                // identifiers of the objects already read, as each is read only once
	strikes        map[uint64]strike              // by the identifier of the style
	outlines       map[uint64]office.OutlineLevel // outline levels of paragraph styles, by the identifier of the style
	labels         map[listLevel]listLabel
	isPlain        bool      // whether paragraphs are written without their outline levels
	tables         *[]*table // tables of the current sheet; nil outside Numbers
	footers        office.FooterDeduplicator
	footnotes      int
	textBytes      int   // bytes of text read so far
	err            error // the error of an exceeded limit, or nil
	w              markdown.Writer
}

const rootObject = 1

// Types of root objects. Numbers and Keynote share one.
const (
	pagesRoot = 10000
	otherRoot = 1
)

func readArchiveDocument(a *zipxml.Archive) (extract.Content, error) {
	objects, damaged, err := readObjects(a)
	if err != nil {
		return extract.Content{}, err
	}
	d := &document{objects: objects, enteredObjects: make(map[uint64]bool), outlines: make(map[uint64]office.OutlineLevel), strikes: make(map[uint64]strike), labels: make(map[listLevel]listLabel)}
	root := d.objects[rootObject]
	const keynoteSuper, numbersSuper = 3, 8 // fields of the root object with the properties common to all documents
	isFollowed := true
	switch {
	case root.kind == pagesRoot:
		d.writePages(root.protobufMessage)
	case root.kind == otherRoot && root.bytes(numbersSuper) != nil:
		isFollowed = d.writeSheets(root.protobufMessage)
	case root.kind == otherRoot && root.bytes(keynoteSuper) != nil:
		isFollowed = d.writeSlides(root.protobufMessage)
	default:
		isFollowed = false
	}
	if !isFollowed {
		d.writeBlocks(d.unreadTexts())
	}
	if d.err != nil {
		return extract.Content{}, d.err
	}
	c, err := d.w.Content()
	if err != nil && damaged > 0 {
		err = errDamaged
	}
	c.ExtractionNote = damagedNote(damaged)
	return c, err
}

func damagedNote(files int) messages.Message {
	if files == 0 {
		return ""
	}
	return messages.New("damaged: %d of the files inside could not be read completely", files)
}

// enterObject reports whether an object should be read: it was not read before, and the nesting is
// not too deep.
func (d *document) enterObject(id uint64, depth int) bool {
	if d.enteredObjects[id] || d.err != nil {
		return false
	}
	if depth > extract.MaxNestingDepth {
		d.err = extract.ErrNestedTooDeeply
		return false
	}
	d.enteredObjects[id] = true
	return true
}

// countText counts bytes of text towards the limit for the document.
func (d *document) countText(n int) {
	if d.textBytes += n; d.textBytes > 2*extract.MaxTextBytes && d.err == nil { // short paragraphs count for much more than their text
		d.err = extract.ErrTooMuchText
	}
}

func (d *document) writeBlocks(blocks []markdown.Block) {
	for i := range blocks {
		blocks[i].Write(&d.w)
	}
}

// unreadTexts returns the text storages to which no object referred, in the order of their
// identifiers. Each header and footer occurs once.
func (d *document) unreadTexts() []markdown.Block {
	var all []markdown.Block
	for _, id := range slices.Sorted(maps.Keys(d.objects)) {
		o := d.objects[id]
		if !o.isStorage() || o.number(isInDocument) == 0 {
			continue
		}
		if o.number(kindOfStorage) == headerStorage {
			all = append(all, d.unseenFooter(id)...)
			continue
		}
		all = append(all, d.storageBlocks(id, 0)...)
	}
	return all
}

// unseenFooter returns the blocks of a header or footer that did not occur in earlier ones.
func (d *document) unseenFooter(id uint64) []markdown.Block {
	return slices.DeleteFunc(d.footers.KeepUnseen(d.storageBlocks(id, 0)), func(b markdown.Block) bool { return !office.ContainsLetter(b.Text) })
}

// writePages writes a Pages document (TP.DocumentArchive): its body, floating objects, and then
// headers, footers and other text.
func (d *document) writePages(root protobufMessage) {
	const floating, body = 3, 4
	d.writeBlocks(d.storageBlocks(root.reference(body), 0))
	for page := range d.objects[root.reference(floating)].eachMessage(1) {
		for _, layer := range []int{2, 3, 4} { // layers behind the text, in front of it, and either
			for entry := range page.eachMessage(layer) {
				d.writeBlocks(d.drawableBlocks(entry.reference(1), 0))
			}
		}
	}
	d.writeBlocks(d.unreadTexts())
}
