package extract

// CheckboxRune returns the character for a ticked or an empty check box.
func CheckboxRune(isTicked bool) rune {
	if isTicked {
		return '☑'
	}
	return '☐'
}
