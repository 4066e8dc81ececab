package iwork

import (
	"cmp"
	"strconv"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// maxSlides is the maximum number of slides read from a presentation.
const maxSlides = 20_000

// writeSlides writes the slides of a presentation (KN.DocumentArchive) in order. It reports whether
// there are any slides.
func (d *document) writeSlides(root protobufMessage) bool {
	const tree, oldest, all = 3, 1, 2
	d.isPlain = true
	shown := d.objects[root.reference(2)].bytes(tree)
	nodes := shown.references(all)
	if len(nodes) == 0 {
		nodes = d.slideDescendants(shown.reference(oldest), 0)
	}
	for i, node := range nodes[:min(len(nodes), maxSlides)] {
		d.writeSlide(i+1, d.objects[node].reference(2))
	}
	return len(nodes) > 0
}

// slideDescendants returns the descendants of a node in the tree of slides (KN.SlideNodeArchive),
// in preorder.
func (d *document) slideDescendants(node uint64, depth int) []uint64 {
	if !d.enterObject(node, depth) {
		return nil
	}
	var all []uint64
	for _, child := range d.objects[node].references(1) {
		all = append(append(all, child), d.slideDescendants(child, depth+1)...)
	}
	return all
}

// writeSlide writes a slide (KN.SlideArchive) with its notes.
func (d *document) writeSlide(number int, id uint64) {
	const title, body, numberPlaceholder, drawables, inOrder, note = 5, 6, 20, 7, 42, 27
	s := d.objects[id]
	d.enterObject(s.reference(numberPlaceholder), 0) // mark the slide number as read: it has no text of its own
	slide := slide{number: number}
	if drawn := s.reference(title); drawn != 0 {
		slide.title = oneLine(d.drawableBlocks(drawn, 0))
	}
	for _, drawn := range append(append([]uint64{s.reference(body)}, s.references(drawables)...), s.references(inOrder)...) {
		slide.blocks = append(slide.blocks, d.drawableBlocks(drawn, 0)...)
	}
	slide.notes = d.storageBlocks(d.objects[s.reference(note)].reference(1), 0)
	slide.writeTo(&d.w)
}

// A slide is the text of one slide.
type slide struct {
	number        int // slide number, from 1
	title         string
	blocks, notes []markdown.Block
}

func (s *slide) writeTo(w *markdown.Writer) {
	if s.title == "" && len(s.blocks)+len(s.notes) == 0 { // a slide that only shows a picture
		return
	}
	w.BeginPart(extract.Part{Kind: extract.Slide, Number: s.number})
	w.WriteHeading(2, cmp.Or(s.title, "Slide "+strconv.Itoa(s.number)))
	for _, b := range append(s.blocks, markdown.LabelFirstBlock("Notes: ", s.notes)...) {
		b.Write(w)
	}
}

// oneLine returns the texts of blocks on one line.
func oneLine(blocks []markdown.Block) string {
	var l markdown.BlockLineBuilder
	for _, b := range blocks {
		l.AddBlock(b)
	}
	return markdown.OneLine(l.String())
}
