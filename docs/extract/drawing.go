package extract

// A DrawingRequest says which page is to be drawn, how large, and which of its characters are
// to be marked.
type DrawingRequest struct {
	Page        int              // from 1
	Passage     CharacterRange   // that are marked; none where it has none
	Words       []CharacterRange // that are marked more strongly, in their order
	Area        Area             // that is drawn; zero: all of the page
	ZoomPercent int              // percent of the size in which people read it; 0: 100
	DotsPerInch int              // an inch, for a page that is to be recognised: a grey PNG without marks; 0: as people read it
	MaxBytes    int              // bytes of the picture, a JPEG then; 0: a PNG, as people read it on a screen
}

// Area is a part of a page, in percent of its width and height from the upper left.
type Area struct{ Left, Top, Right, Bottom float64 }

// IsWholePage reports whether the area is the whole page.
func (a Area) IsWholePage() bool { return a == Area{} }

// A CharacterRange is a range of the characters of a page in a Content, counted from 0: From
// inclusive, To exclusive.
type CharacterRange struct{ From, To int }

// A Drawer returns a page of a file as it looks, as PNG or JPEG. The same holds for it as
// for a Reader; one that was told to draw what there is not returns a *SkipError.
type Drawer func(raw []byte, what DrawingRequest, p Progress) (picture []byte, err error)
