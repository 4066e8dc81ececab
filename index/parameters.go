package index

import (
	"context"
	"strings"

	"vademecum/docs/formats"
	"vademecum/docs/meta"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
)

// FilterParameter is one way to select documents, offered to models, on the command line and on the web
// page.
type FilterParameter struct {
	Name        string    // name for models, and of the flag; "" means only on the web page
	ValueForm   ValueForm // form of its values in tool calls
	Aliases     []string  // other names that models use, in lower case and without separators
	Description string    // description for models
	Usage       string    // description of the flag
	Field       string    // name of the field in the form on the web page; "" means none
	Label       string    // label of the field
	Hint        string    // placeholder of the field

	// Add adds the condition for a value to a Filter. Its error continues a sentence that begins
	// with the name, as in "must be a date".
	Add func(f *Filter, value string) error

	// CompleteValue lists existing values similar to the typed one; nil means that none are known.
	CompleteValue func(ctx context.Context, l ValueLister, typed string) ([]string, error)
}

// IsDate reports whether a value is a date.
func (p FilterParameter) IsDate() bool { return p.ValueForm == DateValue }

// ValueForm is the form of the values of a FilterParameter.
type ValueForm int

const (
	TextValue ValueForm = iota
	DateValue
	ListValue          // a list of texts, each of which is a value
	KeyValuePairsValue // a list of texts of the form KEY=VALUE
)

// ValueLister lists the existing values.
type ValueLister interface {
	Tags(ctx context.Context, f Filter) ([]TagCount, error)
	FrontMatterValues(key string) []string
}

// FilterParameters lists all parameters, in the order in which they are documented.
var FilterParameters = []FilterParameter{
	{
		Name: "path", Aliases: []string{"directory", "dir", "doc", "document", "file", "filename", "filepath", "filter", "folder", "glob", "pattern"},
		Description: "Only documents matching this glob, such as `cardio/**`, `*.md` or a folder's name.",
		Usage:       "only documents that match this `GLOB`, such as '*.pdf' or 'cardio/**'",
		Field:       "in", Label: "Folder", Hint: "all",
		Add: func(f *Filter, glob string) error { f.Path = glob; return nil },
	},
	{
		Name: "tags", ValueForm: ListValue, Aliases: []string{"category", "label", "labels", "keyword"},
		Description: "Only with all of these tags, or tags nested in them.",
		Usage:       "only documents with all of these `TAGS`, or tags nested in them; may be repeated",
		Field:       "tag", Label: "Tag", Hint: "any",
		Add: limited(func(f *Filter, tags string) error { return f.AddTags(tags) }), CompleteValue: tagsLike,
	},
	{
		Field: "kind", Label: "Kind", Hint: "all",
		Add: func(f *Filter, kind string) error {
			if f.Extensions = formats.ExtensionsByKind()[kind]; f.Extensions == nil {
				// kind is a file extension
				f.Extensions = []string{kind}
			}
			return nil
		},
	},
	{
		Name: "after", ValueForm: DateValue, Aliases: []string{"datefrom", "fromdate", "since", "startdate"},
		Description: "Only from this date or later: `2024`, `2024-11` or `2024-11-05`; the note's own date, else the file's.",
		Usage:       "only documents from that `DATE` or later, such as 2024, 2024-11 or 2024-11-05",
		Field:       "after", Label: "From", Hint: "2024-11",
		Add: addDate(func(d meta.Date) meta.Condition { return meta.Condition{NotBefore: d} }),
	},
	{
		Name: "before", ValueForm: DateValue, Aliases: []string{"dateto", "enddate", "todate", "until"},
		Description: "Only from this date or earlier.",
		Usage:       "only documents from that `DATE` or earlier",
		Field:       "before", Label: "Until", Hint: "2025",
		Add: addDate(func(d meta.Date) meta.Condition { return meta.Condition{NotAfter: d} }),
	},
	{
		Name: "where", ValueForm: KeyValuePairsValue, Aliases: []string{"filters", "frontmatter", "metadata", "properties"},
		Description: "Only with this in the front matter: `status=draft`.",
		Usage:       "only documents whose front matter has `KEY=VALUE`, such as status=draft; may be repeated",
		Add:         limited(func(f *Filter, equals string) error { return f.AddKeyValues(equals) }), CompleteValue: keyValuesLike,
	},
	{
		Name: "links_to", Aliases: []string{"backlinks", "linkto", "linksto", "linkingto"},
		Description: "Only those that link to this document (path or name).",
		Usage:       "only documents that link to this `DOCUMENT`, given by its path or name",
		Add:         limited(func(f *Filter, ref string) error { f.LinksTo = ref; return nil }),
	},
	{
		Name: "linked_from", Aliases: []string{"linkedby", "linkfrom", "linksfrom", "outlinks"},
		Description: "Only those this document links to.",
		Usage:       "only documents that this `DOCUMENT` links to",
		Add:         limited(func(f *Filter, ref string) error { f.LinkedFrom = ref; return nil }),
	},
}

// Limits on the bytes of a value, and on the conditions in a Filter: a value that no document has
// is compared with all existing ones.
const (
	longestValue   = glob.MaxPatternBytes
	mostConditions = 100
)

// limited wraps an Add function so that it refuses values beyond longestValue and mostConditions.
func limited(add func(*Filter, string) error) func(*Filter, string) error {
	return func(f *Filter, value string) error {
		if len(value) > longestValue {
			return message.Errorf("must have at most %d bytes", longestValue)
		}
		if err := add(f, value); err != nil {
			return err
		}
		if len(f.Conditions) > mostConditions {
			return message.Errorf("must have at most %d conditions", mostConditions)
		}
		return nil
	}
}

func addDate(of func(meta.Date) meta.Condition) func(f *Filter, value string) error {
	return func(f *Filter, value string) error {
		d, err := meta.ParseDate(value)
		if err != nil {
			return message.Errorf("must be %v", err)
		}
		f.Conditions = append(f.Conditions, of(d))
		return nil
	}
}

// noneFulfilsNote says that no document meets a condition, and lists similar existing values.
func (ix *Index) noneFulfilsNote(docs search.Documents, c meta.Condition) notice.Note {
	n := notice.Note{Path: c.String()}
	switch {
	case c.Tag != "":
		n.Kind, n.Words = notice.NoDocumentWithTag, similarNames(c.Tag, docs.Tags(search.Filter{}))
	case c.Key != "":
		n.Kind, n.Words = notice.NoDocumentWithValue, similarNames(c.Value, docs.FrontMatterValues(c.Key))
		if len(n.Words) == 0 {
			n.Kind, n.Path, n.Words = notice.NoDocumentWithKey, c.Key, similarNames(c.Key, docs.FrontMatterKeys())
		}
	case c.NotBefore != 0:
		_, last := dateSpan(docs)
		n.Kind, n.Details, n.Words = notice.NoDocumentInPeriod, []message.Message{c.Message()}, []string{last.String()}
	default:
		first, _ := dateSpan(docs)
		n.Kind, n.Details, n.Words = notice.NoDocumentInPeriod, []message.Message{c.Message()}, []string{first.String()}
	}
	return n
}

// tagsLike lists the tags that begin with the typed text, and then those that contain it.
func tagsLike(ctx context.Context, l ValueLister, typed string) ([]string, error) {
	all, err := l.Tags(ctx, Filter{})
	var tags []string
	for _, c := range all {
		tags = append(tags, c.Tag)
	}
	return namesLike(tags, strings.TrimPrefix(typed, "#")), err
}

// keyValuesLike lists keys of front matter, or the values of a key after "key=".
func keyValuesLike(_ context.Context, l ValueLister, typed string) ([]string, error) {
	key, value, ok := strings.Cut(typed, "=")
	if !ok {
		return namesLike(l.FrontMatterValues(""), key), nil
	}
	values := namesLike(l.FrontMatterValues(key), value)
	for i, v := range values {
		values[i] = key + "=" + v
	}
	return values, nil
}

// namesLike lists the names that begin with the typed text, and then those that contain it,
// ignoring case.
func namesLike(names []string, typed string) []string {
	typed = meta.Fold(typed)
	first, rest := []string{}, []string{}
	for _, name := range names {
		switch folded := meta.Fold(name); {
		case strings.HasPrefix(folded, typed):
			first = append(first, name)
		case strings.Contains(folded, typed):
			rest = append(rest, name)
		}
	}
	return append(first, rest...)
}
