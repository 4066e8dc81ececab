package meta

import "strings"

// pageProperties returns the tags and aliases in the properties of a Logseq page: lines such as
// "tags:: heart, [[blood pressure]]" at the start of a text (https://docs.logseq.com,
// "Properties").
func pageProperties(text string) []Field {
	var r fieldReader
	for line := range strings.Lines(strings.TrimLeft(text, " \t\n")) {
		key, value, isProperty := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ":: ")
		if !isProperty || key == "" || strings.ContainsAny(key, " \t") {
			break
		}
		if key = cleanKey(key); isTagKey(key) || isAliasKey(key) {
			r.addScalar(key, withCommas(value))
		}
	}
	return r.fields
}

// withCommas inserts commas between the links of a property, each of which is one value with all
// its words.
func withCommas(value string) string {
	value = strings.ReplaceAll(value, "]] [[", "]], [[")
	if strings.Contains(value, "[[") && !strings.ContainsAny(value, tagSeparators) {
		value += ","
	}
	return value
}
