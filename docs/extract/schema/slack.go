package schema

import (
	"bytes"
	"cmp"
	stdhtml "html"
	"path"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// slackReference matches a reference of Slack to a user, channel, group or URL, with an optional
// label after a bar (Slack, "Formatting text for app surfaces").
var slackReference = lazyregexp.New(`<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>`)

// struckText matches text that Slack strikes out, after the beginning of a word and up to the end of one.
var struckText = lazyregexp.New(`(?:^|[\s\pP])~([^\s~](?:[^~]*[^\s~])?)~(?:$|[\s\pP])`)

// slackText returns a text as people see it, except that the identifiers of users and channels
// remain (see SlackNames).
func slackText(text string) string {
	text = slackReference.ReplaceAllStringFunc(text, func(reference string) string {
		m := slackReference.FindStringSubmatch(reference)
		switch sign, name, label := m[1], m[2], m[3]; {
		case sign == "!" && label != "": // a date, or the mention of a group, with a label
			return label
		case sign == "!":
			return "@" + name
		default:
			return sign + cmp.Or(label, name)
		}
	})
	var out strings.Builder
	for line := range strings.Lines(stdhtml.UnescapeString(text)) {
		out.WriteString(markdown.MarkStruckParts(line, struckText))
	}
	return out.String()
}

// SlackNames maps the identifiers of users and channels, which appear in Slack messages, to their
// names.
type SlackNames map[string]string

var slackID = lazyregexp.New(`\b[CGUW][A-Z0-9]+\b`)

// Replace returns a text with the known identifiers in it replaced by names.
func (n SlackNames) Replace(text string) string {
	if len(n) == 0 {
		return text
	}
	return slackID.ReplaceAllStringFunc(text, func(id string) string { return cmp.Or(n[id], id) })
}

// add adds the name of a user or a channel.
func (n SlackNames) add(id, name string) {
	if name = markdown.OneLine(name); id != "" && name != "" && len(n) < extract.MaxArchiveEntries {
		n[id] = name
	}
}

// SlackNameFiles are the names of the files at the root of a Slack export that give the names of
// users and channels.
var SlackNameFiles = []string{"users.json", "channels.json", "groups.json"}

var slackDay = lazyregexp.New(`^\d{4}-\d\d-\d\d\.json$`)

// SlackExportRoot returns the root folder of the Slack export to which the file called name belongs. ok
// is false if it is not a file of messages: the folder of each channel has one such file per day.
func SlackExportRoot(name string) (root string, ok bool) {
	channel := path.Dir(name)
	return path.Dir(channel), channel != "." && slackDay.MatchString(path.Base(name))
}

// ReadSlackNames reads the names of users and channels from the contents of SlackNameFiles. Missing
// or damaged files are ignored.
func ReadSlackNames(files ...[]byte) SlackNames {
	names := make(SlackNames)
	for _, raw := range files {
		w := jsonWalk{items: "*", on: func(o object) { names.add(o.text("id"), nameInSlack(o)) }}
		_ = w.walkJSON(bytes.NewReader(raw)) // on error, the names before the damage are kept
	}
	return names
}

// nameInSlack returns the name of the user or channel that an object describes.
func nameInSlack(o object) string {
	return o.firstText("profile/real_name", "real_name", "profile/display_name", "name")
}

// readSlackUser writes the visible properties of a user.
func (r *jsonReader) readSlackUser(o object) {
	said := []string{nameInSlack(o)}
	for _, member := range []string{"profile/display_name", "name", "profile/title", "profile/email", "profile/phone"} {
		if value := o.text(member); value != "" && !slices.Contains(said, value) {
			said = append(said, value)
		}
	}
	r.w.WriteParagraph(markdown.OneLine(strings.Join(said, ", ")))
}

// readSlackChannel writes the name, topic and purpose of a channel.
func (r *jsonReader) readSlackChannel(o object) {
	r.w.WriteParagraph("#" + o.text("name") + "\n" + o.text("topic/value") + "\n" + o.text("purpose/value"))
}

// blockText returns the text of the blocks of a Slack message, for messages that have no other
// text.
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
