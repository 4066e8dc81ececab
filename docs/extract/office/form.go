package office

// ChosenEntry returns the entry with the given index, which the user has chosen in a form, or "" if
// there is none.
func ChosenEntry(entries []string, chosen int) string {
	if 0 <= chosen && chosen < len(entries) {
		return entries[chosen]
	}
	return ""
}
