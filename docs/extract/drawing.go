package extract

// A DrawingRequest says which page is to be drawn, how large, and what is to be marked on it.
type DrawingRequest struct {
	Page        int              // from 1
	Passage     CharacterRange   // that are marked; none where it has none
	Words       []CharacterRange // that are marked more strongly, in their order
	Bands       []Quad           // that are marked as the passage is, on a page whose text was recognised
	Boxes       []Quad           // that are marked as words are, likewise
	Area        Area             // that is drawn; zero: all of the page
	ZoomPercent int              // percent of the size in which people read it; 0: 100
	DotsPerInch int              // an inch, for a page that is to be recognised: a grey PNG without marks; 0: as people read it
	MaxBytes    int              // bytes of the picture, a JPEG then; 0: a PNG, as people read it on a screen
}

// Area is a part of a page, in percent of its width and height from the upper left.
type Area struct{ Left, Top, Right, Bottom float64 }

// IsWholePage reports whether the area is the whole page.
func (a Area) IsWholePage() bool { return a == Area{} }

// A Quad is an area of a page, by its corners: the upper left one, and on around it clockwise,
// as its text is read.
type Quad [4]Place

// A Place on a page is told in shares of its width and height, from the upper left.
type Place struct{ X, Y float64 }

// A CharacterRange is a range of the characters of a page in a Content, counted from 0: From
// inclusive, To exclusive.
type CharacterRange struct{ From, To int }

// A Drawer returns a page of a file as it looks, as PNG or JPEG. The same holds for it as
// for a Reader; one that was told to draw what there is not returns a *SkipError.
type Drawer func(raw []byte, what DrawingRequest, p Progress) (picture []byte, err error)
