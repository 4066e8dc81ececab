package extract

// A Drawing is a page that is to be drawn, and what is to be marked on it.
type Drawing struct {
	Page     int // from 1
	From, To int // the characters of the page's text, as a Content has it, that are marked; none where both are the same
}

// A Drawer returns a page of a file as it looks, as PNG. The same holds for it as
// for a Reader; one that was told to draw what there is not returns a *SkipError.
type Drawer func(raw []byte, what Drawing, p Progress) (picture []byte, err error)
