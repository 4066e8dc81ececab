package extract

// Tick returns the character for a check box.
func Tick(isTicked bool) rune {
	if isTicked {
		return '☑'
	}
	return '☐'
}
