package extract

// Tick returns the character for a ticked or an empty check box.
func Tick(isTicked bool) rune {
	if isTicked {
		return '☑'
	}
	return '☐'
}
