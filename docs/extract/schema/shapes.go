package schema

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/chat"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// A shape says how files with one kind of JSON are recognised and read.
type shape struct {
	isOf  func(paths) bool // recognises such a file by the values at its start
	items string           // path of the objects that are read one by one (see jsonWalk)
	read  func(*jsonReader, object)
}

// shapes are the kinds of JSON files that are supported.
var shapes = []shape{
	{isBundle, "entry/*/resource", (*jsonReader).readResource},
	{isResource, "", (*jsonReader).readResource}, // resources, of which a file may have several, one per line
	{hasAll("ID", "Type", "Properties/id"), "", (*jsonReader).readSiYuan},
	{hasAll("isTrashed", "isPinned", "isArchived"), "", (*jsonReader).readKeep},
	{isTelegram, "messages/*", (*jsonReader).readTelegram},
	{hasAll("about", "personal_information/user_id"), "chats/list/*/messages/*", (*jsonReader).readTelegram},
	{isSlack, "*", (*jsonReader).readSlack},
	{hasAll("*/id", "*/team_id", "*/profile/real_name"), "*", (*jsonReader).readSlackUser},
	{hasAll("*/id", "*/creator", "*/topic/value", "*/purpose/value"), "*", (*jsonReader).readSlackChannel},
}

// paths maps the paths of the strings, numbers and booleans at the start of a JSON file to their
// values.
type paths map[string]string

func hasAll(names ...string) func(paths) bool {
	return func(p paths) bool {
		for _, name := range names {
			if _, has := p[name]; !has {
				return false
			}
		}
		return true
	}
}

// resourceName matches the name of a FHIR resource type.
var resourceName = lazyregexp.New(`^[A-Z][A-Za-z]{2,40}$`)

// isBundle reports whether a file is a FHIR bundle (https://hl7.org/fhir/bundle.html), by the
// values at its start.
func isBundle(p paths) bool {
	return p["resourceType"] == "Bundle" || resourceName.MatchString(p["entry/*/resource/resourceType"]) || hasAll("entry/*/fullUrl", "entry/*/resource/id")(p)
}

// isResource reports whether a file is a FHIR resource, by the values at its start. Other data may
// also have a member resourceType.
func isResource(p paths) bool {
	if !resourceName.MatchString(p["resourceType"]) {
		return false
	}
	for path := range p {
		switch path {
		case "text/status", "meta/lastUpdated", "meta/profile/*", "meta/versionId", "identifier/*/system", "code/text", "code/coding/*/system", "subject/reference", "patient/reference":
			return true
		}
	}
	return false
}

// isTelegram reports whether a file is a Telegram chat, by the values at its start.
func isTelegram(p paths) bool {
	kind := p["messages/*/type"]
	return hasAll("messages/*/id", "messages/*/date")(p) && (kind == "message" || kind == "service")
}

var slackTime = lazyregexp.New(`^\d{9,11}\.\d{6}$`)

// isSlack reports whether a file contains Slack messages, by the values at its start.
func isSlack(p paths) bool { return p["*/type"] != "" && slackTime.MatchString(p["*/ts"]) }

// shapeOf returns the shape of a file that begins with start, or nil if it is unknown.
func shapeOf(start []byte) *shape {
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return nil
	}
	p := pathsOf(start)
	for i := range shapes {
		if s := &shapes[i]; s.isOf(p) {
			return s
		}
	}
	return nil
}

// IsKnownJSON reports whether a file that begins with start is JSON of a known shape, such as a FHIR
// resource or a Telegram chat.
func IsKnownJSON(start []byte) bool { return shapeOf(start) != nil }

// ReadJSON reads JSON of a known shape (see IsKnownJSON). In a damaged file it reads everything before
// the damage.
func ReadJSON(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	file, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	text := strings.TrimLeft(strings.TrimPrefix(file.Text, "\uFEFF"), " \t\r\n")
	s := shapeOf([]byte(text[:min(len(text), extract.SniffBytes)]))
	if s == nil {
		return extract.Content{}, errDamagedJSON
	}
	r := new(jsonReader)
	r.chat.Markdown = &r.w
	w := jsonWalk{items: s.items, on: func(o object) { s.read(r, o) }, other: r.readOther}
	err = w.walkJSON(strings.NewReader(text))
	c, err := r.content(err)
	c.Encoding, c.IsEncodingGuessed = file.Encoding, file.IsEncodingGuessed
	return c, err
}

// A jsonReader writes the objects of a JSON file as text.
type jsonReader struct {
	w         markdown.Writer
	chat      chat.Writer
	title     string
	date      string
	resources int
	users     SlackNames
	attached  []string
}

// content returns the content that was written before err, with a note on err. It returns err
// instead if nothing was written or a limit was exceeded.
func (r *jsonReader) content(err error) (extract.Content, error) {
	if err != nil && extract.IsLimitError(err) {
		return extract.Content{}, err
	}
	c, contentErr := r.w.Content()
	if contentErr == extract.ErrNoText && err != nil {
		return c, err
	}
	if r.resources < 2 {
		c.Parts = nil
	}
	if len(c.Parts) == 0 {
		c.Text = r.users.Replace(c.Text)
	}
	c.Title, c.Date, c.UnreadAttachments = markdown.RemoveGeneratedTitle(r.title), r.date, r.attached
	if err != nil {
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	return c, contentErr
}

// readOther uses a value outside the objects that are read: it writes the name of a Telegram chat.
func (r *jsonReader) readOther(path, text string) {
	if path == "name" || path == "chats/list/*/name" {
		r.chat.BeginConversation(text)
	}
	if path == "name" {
		r.title = markdown.OneLine(text)
	}
}
