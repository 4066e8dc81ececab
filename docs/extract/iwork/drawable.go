package iwork

import (
	"vademecum/docs/extract/markdown"
)

// drawableBlocks returns the blocks of a drawable: a shape with text, a table, a group of
// drawables, or a picture with its description.
func (d *document) drawableBlocks(id uint64, depth int) []markdown.Block {
	o, known := d.objects[id]
	if !known || o.kind == commentKind || !d.enterObject(id, depth) {
		return nil
	}
	var blocks []markdown.Block
	switch o.kind {
	case groupKind:
		for _, child := range o.references(2) {
			blocks = append(blocks, d.drawableBlocks(child, depth+1)...)
		}
	case tableInfoKind, pagesTableInfoKind:
		blocks = d.tableBlocks(o, depth)
	default:
		blocks = d.shapeText(o, depth)
	}
	return append(blocks, d.captionBlocks(o, depth)...)
}

// shapeText returns the text in a shape (TSWP.ShapeInfoArchive), or in an object whose first field
// is a shape, such as a placeholder.
func (d *document) shapeText(o object, depth int) []markdown.Block {
	const deprecated, owned = 2, 4
	for _, shape := range []protobufMessage{o.protobufMessage, o.bytes(1)} {
		for _, id := range []int{owned, deprecated} {
			if storage := shape.reference(id); d.objects[storage].isStorage() {
				return d.storageBlocks(storage, depth+1)
			}
		}
	}
	return nil
}

// captionBlocks returns the description of a drawable (TSD.DrawableArchive), and its title and
// caption unless they are hidden.
func (d *document) captionBlocks(o object, depth int) []markdown.Block {
	const description, title, caption, titleIsHidden, captionIsHidden = 8, 10, 11, 12, 13
	drawable := o.bytes(1)
	if o.kind == shapeKind || o.kind == pagesTableInfoKind {
		drawable = drawable.bytes(1)
	}
	var blocks []markdown.Block
	if text := markdown.CleanAltText(string(drawable.bytes(description))); text != "" {
		d.countText(len(text))
		blocks = append(blocks, markdown.Block{Text: text})
	}
	if drawable.number(titleIsHidden) == 0 {
		blocks = append(blocks, d.drawableBlocks(drawable.reference(title), depth+1)...)
	}
	if drawable.number(captionIsHidden) == 0 {
		blocks = append(blocks, d.drawableBlocks(drawable.reference(caption), depth+1)...)
	}
	return blocks
}
