package dicom

import (
	"encoding/binary"
	"slices"

	"vademecum/docs/extract"
)

// A tag identifies an element: its group in the high 16 bits and its number in the group in the low
// ones (DICOM PS3.6).
type tag = uint32

// Delimiters of items and sequences (PS3.5, 7.5).
const (
	itemStart   tag = 0xFFFEE000
	itemEnd     tag = 0xFFFEE00D
	sequenceEnd tag = 0xFFFEE0DD
)

// The elements that are read from a report.
const (
	characterSetTag  tag = 0x00080005
	studyDate        tag = 0x00080020
	contentDate      tag = 0x00080023
	codeValue        tag = 0x00080100
	codingScheme     tag = 0x00080102
	codeMeaning      tag = 0x00080104
	studyDescription tag = 0x00081030
	patientName      tag = 0x00100010
	units            tag = 0x004008EA
	relationshipType tag = 0x0040A010
	verifyingCompany tag = 0x0040A027
	verificationTime tag = 0x0040A030
	valueType        tag = 0x0040A040
	conceptName      tag = 0x0040A043
	verifiers        tag = 0x0040A073
	verifierName     tag = 0x0040A075
	dateTimeValue    tag = 0x0040A120
	dateValue        tag = 0x0040A121
	timeValue        tag = 0x0040A122
	personValue      tag = 0x0040A123
	textValue        tag = 0x0040A160
	conceptCode      tag = 0x0040A168
	measuredValue    tag = 0x0040A300
	valueQualifier   tag = 0x0040A301
	numericValue     tag = 0x0040A30A
	completion       tag = 0x0040A491
	verification     tag = 0x0040A493
	contentSequence  tag = 0x0040A730
)

// isSequence lists the known elements, and whether each is a sequence of items, for files that do
// not write the types of values.
var isSequence = map[tag]bool{
	studyDate: false, contentDate: false, codeValue: false, codingScheme: false, codeMeaning: false, studyDescription: false, patientName: false,
	relationshipType: false, verifyingCompany: false, verificationTime: false, valueType: false, verifierName: false,
	dateTimeValue: false, dateValue: false, timeValue: false, personValue: false, textValue: false, numericValue: false, completion: false, verification: false,
	units: true, conceptName: true, verifiers: true, conceptCode: true, measuredValue: true, valueQualifier: true, contentSequence: true,
}

// A dataSet holds the known elements of a file or of an item.
type dataSet []element

type element struct {
	tag   tag
	text  string
	items []dataSet
}

// text returns the value of the element with the tag t, or "".
func (d dataSet) text(t tag) string {
	for _, e := range d {
		if e.tag == t {
			return e.text
		}
	}
	return ""
}

// items returns the items of the sequence with the tag t, or nil.
func (d dataSet) items(t tag) []dataSet {
	for _, e := range d {
		if e.tag == t {
			return e.items
		}
	}
	return nil
}

// first returns the first item of the sequence with the tag t, or nil. Most sequences have only one
// item.
func (d dataSet) first(t tag) dataSet {
	if items := d.items(t); len(items) > 0 {
		return items[0]
	}
	return nil
}

// A decoder decodes elements. If the data is damaged, it returns what precedes the damage.
type decoder struct {
	raw        []byte
	at         int
	order      binary.ByteOrder
	isImplicit bool // whether the file does not write the types of values
	characters characterSet
	held       int
	isCut      bool // whether the file is truncated
	err        error
}

// undefinedLength is the length of a value that ends with a delimiter.
const undefinedLength = 1<<32 - 1

// longTypes are the types of values whose length is written in four bytes, after two reserved ones
// (PS3.5, 7.1.2).
var longTypes = []string{"OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"}

// next reads the tag, the type and the length of the next element. ok is false if there is none
// before end.
func (d *decoder) next(end int) (t tag, kind string, length uint32, ok bool) {
	const short, long = 8, 12
	if d.err != nil || end-d.at < short {
		return 0, "", 0, false
	}
	head := d.raw[d.at:end]
	t = tag(d.order.Uint16(head))<<16 | tag(d.order.Uint16(head[2:]))
	if d.isImplicit || t>>16 == itemStart>>16 {
		d.at += short
		return t, "", d.order.Uint32(head[4:]), true
	}
	kind = string(head[4:6])
	if !slices.Contains(longTypes, kind) {
		d.at += short
		return t, kind, uint32(d.order.Uint16(head[6:])), true
	}
	if len(head) < long {
		return 0, "", 0, false
	}
	d.at += long
	return t, kind, d.order.Uint32(head[8:]), true
}

// within returns the end of a value of the given length, but at most end, and whether the value is
// cut off there. A value of undefined length extends to end.
func (d *decoder) within(end int, length uint32) (last int, isCut bool) {
	if length == undefinedLength {
		return end, false
	}
	if int64(length) > int64(end-d.at) {
		return end, true
	}
	return d.at + int(length), false
}

// take returns the next length bytes. If end comes first, it returns the bytes before it and
// records that the data is damaged.
func (d *decoder) take(end int, length uint32) []byte {
	last, isCut := d.within(end, length)
	if isCut {
		d.fail()
	}
	value := d.raw[d.at:last]
	d.at = last
	return value
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errDamaged
	}
}

// hold counts size more bytes, and the cost of an element, as memory in use. Above the limit it
// sets the error of the decoder.
func (d *decoder) hold(size int) {
	const cost = 64 // approximate memory of an element in bytes
	if d.held += cost + size; d.held > extract.MaxTextBytes && d.err == nil {
		d.err = extract.ErrTooMuchText
	}
}

// readDataSet reads elements up to end or to the delimiter of the item. If isWanted is false, it
// only skips them.
func (d *decoder) readDataSet(end, depth int, isWanted bool) (all dataSet) {
	if depth > extract.MaxNestingDepth {
		d.err = extract.ErrNestedTooDeeply
		return nil
	}
	defer func(outer characterSet) { d.characters = outer }(d.characters)
	for {
		t, kind, length, ok := d.next(end)
		if !ok || t == itemEnd {
			return all
		}
		hasItems, isKnown := isSequence[t]
		isHeld := isWanted && isKnown
		e := element{tag: t}
		if hasItems || length == undefinedLength {
			e.items = d.readSequence(end, length, depth, isHeld, kind == "UN")
		} else {
			value := d.take(end, length)
			if t == characterSetTag {
				d.characters = newCharacterSet(string(value))
			}
			if isHeld {
				e.text = d.characters.decode(value)
			}
		}
		if isHeld {
			d.hold(len(e.text))
			all = append(all, e)
		}
	}
}

// readSequence reads the items of a sequence of the given length. In a sequence of an unknown type,
// the types of values are not written (PS3.5, 6.2.2).
func (d *decoder) readSequence(end int, length uint32, depth int, isWanted, isUnknown bool) (items []dataSet) {
	if isUnknown {
		defer func(order binary.ByteOrder, outer bool) { d.order, d.isImplicit = order, outer }(d.order, d.isImplicit)
		d.order, d.isImplicit = binary.LittleEndian, true
	}
	end, isCut := d.within(end, length)
	for {
		t, _, size, ok := d.next(end)
		switch {
		case ok && t == itemStart:
		case ok && t != sequenceEnd, isCut, !ok && length == undefinedLength: // data without the delimiter that should end it
			d.fail()
			return items
		default:
			return items
		}
		last, isItemCut := d.within(end, size)
		if isWanted || size == undefinedLength {
			item := d.readDataSet(last, depth+1, isWanted)
			if isWanted {
				d.hold(0)
				items = append(items, item)
			}
		}
		if size != undefinedLength && d.err == nil {
			d.at = last
		}
		if isItemCut {
			d.fail()
		}
	}
}
