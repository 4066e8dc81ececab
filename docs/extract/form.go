package extract

// Tick returns the sign for a box of a form.
func Tick(isTicked bool) rune {
	if isTicked {
		return '☑'
	}
	return '☐'
}
