package pdf

import (
	"cmp"
	"math"
	"slices"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// Limits on the search for lines drawn on a page. Each object costs two calls of the engine, each
// corner of a path three more.
const (
	maxRuleObjects = 5000
	maxPathCorners = 2000 // maximum corners of the paths that are not thin, on one page
	maxRuleWidth   = 2.5  // maximum width of a line, in points
	leastRule      = 2    // minimum length of a line, in points
	sameRule       = 0.6  // maximum distance between the parts of one line, in points
)

// A rule is a horizontal or vertical line that is drawn on a page: a stroke, a thin filled rectangle,
// or a side of a stroked rectangle.
type rule struct {
	from, to float64 // extent along the line, in points from the left or the bottom
	at       float64 // distance of its middle from the bottom or the left
	width    float64
}

// pageRules are the lines drawn on a page.
type pageRules struct{ horizontal, vertical []rule }

// rules returns the lines drawn on the page.
func (p *textPage) rules() pageRules {
	count, err := p.file.instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: p.file.pageRequest(p.index)})
	if err != nil {
		return pageRules{}
	}
	f := ruleFinder{file: p.file, corners: maxPathCorners, objects: maxRuleObjects}
	for i := range min(count.Count, maxRuleObjects) {
		object, err := p.file.instance.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: p.file.pageRequest(p.index), Index: i})
		if err != nil {
			break
		}
		f.addObject(object.PageObject, identity, maxFormDepth)
	}
	return pageRules{joinRules(f.horizontal), joinRules(f.vertical)}
}

// A ruleFinder collects the lines among the objects of a page.
type ruleFinder struct {
	file             *file
	objects, corners int // numbers of objects and corners that may still be examined
	pageRules
}

// identity is the matrix that changes nothing.
var identity = structs.FPDF_FS_MATRIX{A: 1, D: 1}

// addObject adds the lines of a path, or of the paths in a form XObject, whose coordinates the matrix m
// converts to those of the page.
func (f *ruleFinder) addObject(object references.FPDF_PAGEOBJECT, m structs.FPDF_FS_MATRIX, depth int) {
	if f.objects--; f.objects < 0 {
		return
	}
	kind, err := f.file.instance.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object})
	switch {
	case err != nil:
	case kind.Type == enums.FPDF_PAGEOBJ_PATH:
		f.addPath(object, m)
	case kind.Type == enums.FPDF_PAGEOBJ_FORM && depth > 0:
		f.addForm(object, m, depth)
	}
}

func (f *ruleFinder) addForm(form references.FPDF_PAGEOBJECT, m structs.FPDF_FS_MATRIX, depth int) {
	own, err := f.file.instance.FPDFPageObj_GetMatrix(&requests.FPDFPageObj_GetMatrix{PageObject: form})
	if err != nil {
		return
	}
	count, err := f.file.instance.FPDFFormObj_CountObjects(&requests.FPDFFormObj_CountObjects{PageObject: form})
	if err != nil {
		return
	}
	for i := range min(count.Count, max(0, f.objects)) {
		inner, err := f.file.instance.FPDFFormObj_GetObject(&requests.FPDFFormObj_GetObject{PageObject: form, Index: uint64(i)})
		if err != nil {
			return
		}
		f.addObject(inner.PageObject, product(own.Matrix, m), depth-1)
	}
}

// product returns the matrix that applies first and then second.
func product(first, second structs.FPDF_FS_MATRIX) structs.FPDF_FS_MATRIX {
	return structs.FPDF_FS_MATRIX{
		A: first.A*second.A + first.B*second.C, B: first.A*second.B + first.B*second.D,
		C: first.C*second.A + first.D*second.C, D: first.C*second.B + first.D*second.D,
		E: first.E*second.A + first.F*second.C + second.E, F: first.E*second.B + first.F*second.D + second.F,
	}
}

func convert(m structs.FPDF_FS_MATRIX, x, y float32) point {
	return point{float64(m.A*x + m.C*y + m.E), float64(m.B*x + m.D*y + m.F)}
}

// rectangleCorners is the number of corners of a rectangle, of which the first is also the last.
const rectangleCorners = 5

// addPath adds the lines of a path. A path with more corners than a rectangle may consist of several lines.
func (f *ruleFinder) addPath(path references.FPDF_PAGEOBJECT, m structs.FPDF_FS_MATRIX) {
	mode, err := f.file.instance.FPDFPath_GetDrawMode(&requests.FPDFPath_GetDrawMode{PageObject: path})
	if err != nil || !mode.Stroke && mode.FillMode == enums.FPDF_FILLMODE_NONE {
		return
	}
	area, err := f.file.instance.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: path})
	if err != nil {
		return
	}
	b := boxOf(convert(m, area.Left, area.Bottom), convert(m, area.Right, area.Top))
	if count, err := f.file.instance.FPDFPath_CountSegments(&requests.FPDFPath_CountSegments{PageObject: path}); err != nil || count.Count <= rectangleCorners && f.addThin(b) {
		return
	}
	subpaths := f.subpaths(path, m)
	switch {
	case mode.Stroke:
		for _, corners := range subpaths {
			for i := 1; i < len(corners); i++ {
				f.addThin(boxOf(corners[i-1], corners[i]))
			}
		}
	case len(subpaths) == 2 && isFrame(boxOf(subpaths[0]...), boxOf(subpaths[1]...)):
		b := boxOf(subpaths[0]...)
		for _, side := range []box{{b.left, b.left, b.bottom, b.top}, {b.right, b.right, b.bottom, b.top}, {b.left, b.right, b.bottom, b.bottom}, {b.left, b.right, b.top, b.top}} {
			f.addThin(side)
		}
	default:
		for _, corners := range subpaths {
			f.addThin(boxOf(corners...))
		}
	}
}

// addThin adds a thin box as a line, and reports whether it is one.
func (f *ruleFinder) addThin(b box) bool {
	width, height := b.right-b.left, b.height()
	switch {
	case height <= maxRuleWidth && width >= leastRule && width > height:
		f.horizontal = append(f.horizontal, rule{b.left, b.right, (b.bottom + b.top) / 2, height})
	case width <= maxRuleWidth && height >= leastRule:
		f.vertical = append(f.vertical, rule{b.bottom, b.top, (b.left + b.right) / 2, width})
	default:
		return false
	}
	return true
}

// isFrame reports whether two filled rectangles are the outer and the inner edge of a border.
func isFrame(outer, inner box) bool {
	for _, width := range []float64{inner.left - outer.left, outer.right - inner.right, inner.bottom - outer.bottom, outer.top - inner.top} {
		if math.Abs(width) > maxRuleWidth {
			return false
		}
	}
	return true
}

// boxOf returns the smallest box that contains all points; unknownBox if there are none.
func boxOf(points ...point) box {
	if len(points) == 0 {
		return unknownBox
	}
	b := box{points[0].x, points[0].x, points[0].y, points[0].y}
	for _, p := range points[1:] {
		b = box{min(b.left, p.x), max(b.right, p.x), min(b.bottom, p.y), max(b.top, p.y)}
	}
	return b
}

// subpaths returns the corners of each part of a path. The first corner of a closed part is also its last. It
// returns nil if the path has curves, or too many corners.
func (f *ruleFinder) subpaths(path references.FPDF_PAGEOBJECT, m structs.FPDF_FS_MATRIX) (all [][]point) {
	count, err := f.file.instance.FPDFPath_CountSegments(&requests.FPDFPath_CountSegments{PageObject: path})
	own, errMatrix := f.file.instance.FPDFPageObj_GetMatrix(&requests.FPDFPageObj_GetMatrix{PageObject: path})
	if err != nil || errMatrix != nil {
		return nil
	}
	if f.corners -= count.Count; f.corners < 0 {
		return nil
	}
	m = product(own.Matrix, m)
	for i := range count.Count {
		s, err := f.file.instance.FPDFPath_GetPathSegment(&requests.FPDFPath_GetPathSegment{PageObject: path, Index: i})
		if err != nil {
			return nil
		}
		at, err := f.file.instance.FPDFPathSegment_GetPoint(&requests.FPDFPathSegment_GetPoint{PathSegment: s.PathSegment})
		kind, errKind := f.file.instance.FPDFPathSegment_GetType(&requests.FPDFPathSegment_GetType{PathSegment: s.PathSegment})
		closing, errClosing := f.file.instance.FPDFPathSegment_GetClose(&requests.FPDFPathSegment_GetClose{PathSegment: s.PathSegment})
		if err != nil || errKind != nil || errClosing != nil || kind.Type == enums.FPDF_SEGMENT_BEZIERTO {
			return nil
		}
		if kind.Type == enums.FPDF_SEGMENT_MOVETO || len(all) == 0 {
			all = append(all, nil)
		}
		last := &all[len(all)-1]
		*last = append(*last, convert(m, at.X, at.Y))
		if closing.IsClose {
			*last = append(*last, (*last)[0])
		}
	}
	return all
}

// joinRules joins lines that continue or cover each other, and returns them in order of their distance
// from the bottom or the left.
func joinRules(rules []rule) []rule {
	slices.SortFunc(rules, func(a, b rule) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from)) })
	var joined []rule
	for first := 0; first < len(rules); {
		end := first + 1
		for end < len(rules) && rules[end].at-rules[end-1].at <= sameRule/4 {
			end++
		}
		group := rules[first:end]
		slices.SortFunc(group, func(a, b rule) int { return cmp.Compare(a.from, b.from) })
		last := group[0]
		for _, r := range group[1:] {
			if r.from-last.to > sameRule {
				joined, last = append(joined, last), r
				continue
			}
			last.to, last.width = max(last.to, r.to), max(last.width, r.width)
		}
		joined = append(joined, last)
		first = end
	}
	return joined
}
