package office

// ChosenEntry returns the chosen entry of a list, or "" if there is none.
func ChosenEntry(entries []string, chosen int) string {
	if 0 <= chosen && chosen < len(entries) {
		return entries[chosen]
	}
	return ""
}
