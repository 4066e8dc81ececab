package office

// ChosenEntry returns the entry with the given index, which the user has chosen in a form, or "" if
// there is none.
func ChosenEntry(entries []string, index int) string {
	if 0 <= index && index < len(entries) {
		return entries[index]
	}
	return ""
}
