package formula

import (
	"strings"
)

// A construct is the kind of a template, such as a fraction or a root, which determines what is
// drawn around its slots.
type construct int

const (
	fence construct = iota // brackets around the slot; unknown templates are treated as such, too
	root
	fraction
	script    // a subscript, a superscript or both, depending on the variation
	subscript // a subscript in version 5; the next two are also of version 5
	superscript
	bothScripts
	operator // an operator such as a sum, with limits
	limit
	overbar     // a bar over the slot, which is significant, as in a complement
	undecorated // the slot, without an insignificant decoration such as a bar below it
)

// constructs3 and constructs5 map the selectors by which templates are stored in versions 3 and 5
// to constructs.
var (
	constructs3 = construct3()
	constructs5 = construct5()
)

func construct3() map[byte]construct {
	all := map[byte]construct{13: root, 14: fraction, 15: script, 16: undecorated, 17: overbar, 39: limit, 40: undecorated, 41: fraction, 42: operator, 43: operator, 44: script, 46: undecorated, 47: undecorated, 48: undecorated}
	for selector := byte(21); selector <= 38; selector++ {
		all[selector] = operator
	}
	all[27], all[28] = undecorated, undecorated // horizontal braces
	return all
}

func construct5() map[byte]construct {
	all := map[byte]construct{10: root, 11: fraction, 12: undecorated, 13: overbar, 14: undecorated, 23: limit, 24: undecorated, 25: undecorated, 26: undecorated, 27: subscript, 28: superscript, 29: bothScripts}
	for selector := byte(15); selector <= 22; selector++ {
		all[selector] = operator
	}
	for selector := byte(31); selector <= 37; selector++ {
		all[selector] = undecorated
	}
	return all
}

// readTemplate reads a template with its slots and returns its text.
func (r *reader) readTemplate(depth int) string {
	selector, variation := r.byte(), int(r.byte())
	kind := constructs3[selector]
	if r.version == 5 {
		const more = 0x80
		kind = constructs5[selector]
		if variation&more != 0 {
			variation = variation&^more | int(r.byte())<<8
		}
	}
	r.skip(1) // options
	var slots []string
	characters := ""
	for _, i := range r.readList(depth + 1) {
		if i.isSlot {
			slots = append(slots, strings.TrimSpace(i.text))
		} else {
			characters += i.text
		}
	}
	return compose(kind, variation, slots, characters)
}

// compose returns the text of a template, given the texts of its slots and the characters that it
// draws.
func compose(kind construct, variation int, slots []string, characters string) string {
	slot := func(i int) string {
		if i < len(slots) {
			return slots[i]
		}
		return ""
	}
	switch kind {
	case fraction:
		return Fraction(slot(0), slot(1))
	case root:
		return Root(slot(0), slot(1))
	case script, subscript, superscript, bothScripts:
		return scripts(kind, variation, slots)
	case limit:
		return slot(0) + Subscript(slot(1)) + Superscript(slot(2)) + " "
	case operator:
		return characters + Subscript(slot(1)) + Superscript(slot(2)) + " " + slot(0)
	case overbar:
		return WithAccent(slot(0), Overline)
	case undecorated:
		return strings.Join(slots, " ")
	}
	if c := []rune(characters); len(c) > 0 && variation&1 != 0 || len(c) > 1 { // the left bracket comes first
		return string(c[0]) + strings.Join(slots, "|") + string(c[1:])
	}
	return strings.Join(slots, "|") + characters
}

// scripts returns slots as a subscript, a superscript or both. In version 3 the variation
// determines which of them are present.
func scripts(kind construct, variation int, slots []string) string {
	if len(slots) == 1 {
		isPower := kind == superscript || kind == script && variation == 0
		if isPower {
			return Superscript(slots[0])
		}
		return Subscript(slots[0])
	}
	if len(slots) < 2 {
		return ""
	}
	return Subscript(slots[0]) + Superscript(slots[1])
}
