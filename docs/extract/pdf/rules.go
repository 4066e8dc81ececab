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

// Limits on the search for lines drawn on a page. Each object costs two calls of the engine,
// each corner of a path four more.
const (
	maxRuleObjects = 1500 // maximum objects of a page that are examined
	maxFigure      = 200  // number of objects after which a page that is mostly drawings is left
	manyObjects    = 20   // minimum number of objects that is worth a look at the bytes of the file
	maxCorners     = 200  // maximum corners of a path
	maxPathCorners = 1000 // maximum corners of the paths that are not thin, on one page
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

// rules returns the lines drawn on the page, other than in form XObjects, which are figures.
func (p *textPage) rules() pageRules {
	count, err := p.file.instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: p.file.pageRequest(p.index)})
	if err != nil || count.Count > manyObjects && !p.file.mayDraw() {
		return pageRules{}
	}
	f := ruleFinder{file: p.file, corners: maxPathCorners}
	for i := range min(count.Count, maxRuleObjects) {
		object, err := p.file.instance.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: p.file.pageRequest(p.index), Index: i})
		if err != nil {
			break
		}
		p.file.handles++
		f.addPath(object.PageObject)
		if i > maxFigure && 2*f.paths > i {
			break
		}
	}
	return pageRules{joinRules(f.horizontal), joinRules(f.vertical)}
}

// A ruleFinder collects the lines among the objects of a page.
type ruleFinder struct {
	file    *file
	corners int // number of corners that may still be examined
	paths   int // number of paths so far
	pageRules
}

func convert(m structs.FPDF_FS_MATRIX, x, y float32) point {
	return point{float64(m.A*x + m.C*y + m.E), float64(m.B*x + m.D*y + m.F)}
}

// rectangleCorners is the number of corners of a rectangle, of which the first is also the last.
const rectangleCorners = 5

// addPath adds the lines of an object if it is a path. One with more corners than a rectangle may consist of
// several lines; one with very many is a drawing.
func (f *ruleFinder) addPath(path references.FPDF_PAGEOBJECT) {
	kind, err := f.file.instance.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: path})
	if err != nil || kind.Type != enums.FPDF_PAGEOBJ_PATH {
		return
	}
	f.paths++
	count, err := f.file.instance.FPDFPath_CountSegments(&requests.FPDFPath_CountSegments{PageObject: path})
	if err != nil || count.Count > maxCorners {
		return
	}
	area, err := f.file.instance.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: path})
	if err != nil {
		return
	}
	mode, err := f.file.instance.FPDFPath_GetDrawMode(&requests.FPDFPath_GetDrawMode{PageObject: path})
	if err != nil || !mode.Stroke && mode.FillMode == enums.FPDF_FILLMODE_NONE {
		return
	}
	b := box{float64(area.Left), float64(area.Right), float64(area.Bottom), float64(area.Top)}
	if count.Count <= rectangleCorners && (f.addThin(b) || !mode.Stroke) || b.right-b.left < leastRule && b.height() < leastRule {
		return
	}
	if f.corners -= count.Count; f.corners < 0 {
		return
	}
	subpaths := f.subpaths(path)
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
// returns nil if the path has curves.
func (f *ruleFinder) subpaths(path references.FPDF_PAGEOBJECT) (all [][]point) {
	count, err := f.file.instance.FPDFPath_CountSegments(&requests.FPDFPath_CountSegments{PageObject: path})
	own, errMatrix := f.file.instance.FPDFPageObj_GetMatrix(&requests.FPDFPageObj_GetMatrix{PageObject: path})
	if err != nil || errMatrix != nil {
		return nil
	}
	m := own.Matrix
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
