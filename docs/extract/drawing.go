package extract

// A DrawingRequest defines which page to draw, how large, and what to mark on it.
type DrawingRequest struct {
	Page        int              // from 1
	Passage     CharacterRange   // characters to mark; empty for none
	Words       []CharacterRange // characters to mark more strongly, in order
	Bands       []Quad           // areas to mark like the passage, on a page read by OCR
	Boxes       []Quad           // areas to mark like the words, likewise
	Area        Area             // part of the page to draw; zero: the whole page
	ZoomPercent int              // zoom relative to the size for reading, in percent; 0: 100
	DotsPerInch int              // resolution for OCR: a grey PNG without marks; 0: the resolution for reading
	MaxBytes    int              // maximum size of the picture, which is then a JPEG; 0: a PNG for the screen
}

// Area is a part of a page, in percent of its width and height, from the upper left
// corner.
type Area struct{ Left, Top, Right, Bottom float64 }

// IsWholePage reports whether the area is the whole page.
func (a Area) IsWholePage() bool { return a == Area{} }

// A Quad is an area of a page, by its corners: the upper left one first, then clockwise,
// relative to the direction of its text.
type Quad [4]Place

// A Place is a point on a page, in fractions of its width and height, from the upper left
// corner.
type Place struct{ X, Y float64 }

// A CharacterRange is a range of the characters of a page in a Content, counted from 0: From
// inclusive, To exclusive.
type CharacterRange struct{ From, To int }

// A Drawer returns an image of a page as PNG or JPEG. It follows the rules of a Reader;
// for a page that does not exist it returns a *SkipError.
type Drawer func(raw []byte, what DrawingRequest, p Progress) (picture []byte, err error)
