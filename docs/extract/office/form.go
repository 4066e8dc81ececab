package office

// Entry returns the entry of a list that is chosen, "" where there is none.
func Entry(entries []string, chosen int) string {
	if 0 <= chosen && chosen < len(entries) {
		return entries[chosen]
	}
	return ""
}
