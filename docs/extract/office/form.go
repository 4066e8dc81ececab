package office

// Entry returns the chosen entry of a list, "" if there is none.
func Entry(entries []string, chosen int) string {
	if 0 <= chosen && chosen < len(entries) {
		return entries[chosen]
	}
	return ""
}
