package extract

// A DrawingRequest defines which page to draw, at what size, and what to highlight on it.
type DrawingRequest struct {
	Page        int              // from 1
	Passage     CharacterRange   // characters to highlight; empty for none
	Words       []CharacterRange // characters to highlight more strongly, in order
	Bands       []Quad           // areas to highlight like Passage, on a page read by OCR
	Boxes       []Quad           // areas to highlight like Words, on a page read by OCR
	Area        Area             // part of the page to draw; zero for the whole page
	ZoomPercent int              // zoom relative to reading size, in percent; 0 means 100
	DotsPerInch int              // resolution for OCR: a grey PNG without highlights; 0 for reading
	MaxBytes    int              // maximum size of the image, then a JPEG; 0 means a PNG
}

// Area is a part of a page, in percent of its width and height, measured from the upper left
// corner.
type Area struct{ Left, Top, Right, Bottom float64 }

// IsWholePage reports whether the area is the whole page.
func (a Area) IsWholePage() bool { return a == Area{} }

// A Quad is a quadrilateral on a page, given by its corners: upper left first, then clockwise,
// relative to the direction of its text.
type Quad [4]Point

// A Point is a point on a page, in fractions of its width and height, measured from the upper left
// corner.
type Point struct{ X, Y float64 }

// A CharacterRange is a range of characters on a page of a Content, counted from 0: From is
// inclusive, To exclusive.
type CharacterRange struct{ From, To int }

// A Drawer returns an image of a page as PNG or JPEG. It obeys the rules for a Reader; for a page
// that does not exist it returns a *SkipError.
type Drawer func(raw []byte, what DrawingRequest, p Progress) (picture []byte, err error)
