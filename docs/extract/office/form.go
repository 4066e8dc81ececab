package office

// Tick returns what a box of a form shows.
func Tick(isTicked bool) string {
	if isTicked {
		return "☑"
	}
	return "☐"
}

// Entry returns the entry of a list that is chosen, "" where there is none.
func Entry(entries []string, chosen int) string {
	if 0 <= chosen && chosen < len(entries) {
		return entries[chosen]
	}
	return ""
}
