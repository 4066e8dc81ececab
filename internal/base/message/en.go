package message

import "golang.org/x/text/feature/plural"

// english returns the formats with a different singular.
func english() plurals {
	all := make(plurals)
	for more, one := range map[string]string{
		"%d documents":     "%d document",
		"%d faults":        "%d fault",
		"%d files":         "%d file",
		"%d folders":       "%d folder",
		"%d hosts":         "%d host",
		"%d passages":      "%d passage",
		"%d pictures":      "%d picture",
		"%d scanned pages": "%d scanned page",
		"%d tools":         "%d tool",
	} {
		all[more] = plural.Selectf(1, "%d", "=1", one, "other", more)
	}
	// numbers are grouped in thousands
	for _, noun := range []string{"second", "minute", "hour", "day", "document", "passage", "file", "question"} {
		more := "%[2]s " + noun + "s"
		all[more] = plural.Selectf(1, "%d", "=1", "%[2]s "+noun, "other", more)
	}
	return all
}
