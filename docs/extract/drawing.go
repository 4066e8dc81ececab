package extract

// A DrawingRequest says which page of a file to draw, at what size, and what to highlight on it.
type DrawingRequest struct {
	Page         int              // page number, from 1
	Passage      CharacterRange   // characters of the passage to highlight; empty for none
	Words        []CharacterRange // characters of the words to highlight more strongly, in order
	PassageQuads []Quad           // areas of the passage to highlight, on a page read by OCR
	WordQuads    []Quad           // areas of the words to highlight more strongly, on a page read by OCR
	Area         PercentArea      // part of the page to draw; zero for the whole page
	ZoomPercent  int              // zoom relative to reading size, in percent; 0 means 100
	DotsPerInch  int              // if not 0, the page is drawn for OCR: in this resolution, as a grey PNG without highlights
	MaxBytes     int              // maximum size of the picture in bytes, which is then a JPEG; 0 for a PNG of any size
}

// PercentArea is a part of a page, in percent of its width and height, measured from the upper left
// corner.
type PercentArea struct{ Left, Top, Right, Bottom float64 }

// IsWholePage reports whether the area is the whole page.
func (a PercentArea) IsWholePage() bool { return a == PercentArea{} }

// A Quad is a quadrilateral on a page, given by its corners: upper left first, then clockwise,
// relative to the direction of its text.
type Quad [4]RelativePoint

// A RelativePoint is a point on a page, in fractions of its width and height, measured from the upper left
// corner.
type RelativePoint struct{ X, Y float64 }

// A CharacterRange is a range of characters in the text of a page, counted from 0 at the start of
// the page. From is inclusive, To exclusive.
type CharacterRange struct{ From, To int }

// A Drawer draws a page of a file, or a picture on it, as PNG or JPEG. It obeys the rules for a
// Reader. For a page that does not exist it returns a *SkipError.
type Drawer func(raw []byte, request DrawingRequest, p ProgressReporter) (picture []byte, err error)
