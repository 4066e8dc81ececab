package schema

import (
	"cmp"
	stdhtml "html"
	"regexp"
	"strings"
)

// slackReference is what Slack writes for users, channels, groups and addresses, with a
// text for people behind a bar (Slack, "Formatting text for app surfaces").
var slackReference = regexp.MustCompile(`<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>`)

// slackText returns a text as people see it.
func (r *jsonReader) slackText(text string) string {
	text = slackReference.ReplaceAllStringFunc(text, func(reference string) string {
		m := slackReference.FindStringSubmatch(reference)
		sign := m[1]
		if sign == "!" {
			sign = "@"
		}
		return sign + cmp.Or(m[3], r.users[m[2]], m[2])
	})
	return stdhtml.UnescapeString(text)
}

// blockText returns the text of blocks, of messages that have no other.
func blockText(blocks []object) string {
	var b strings.Builder
	for _, o := range blocks {
		switch kind := o.text("type"); kind {
		case "text", "mrkdwn", "plain_text", "link":
			b.WriteString(o.firstText("text", "url"))
		case "user":
			b.WriteString("<@" + o.text("user_id") + ">")
		default:
			b.WriteString(blockText(o.objects("text")) + blockText(o.objects("fields")) + blockText(o.objects("elements")))
			if kind != "rich_text" {
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}
