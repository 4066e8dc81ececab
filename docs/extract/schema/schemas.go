package schema

import (
	"bytes"
	"strings"

	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// A schema assigns roles to the elements of one kind of XML document.
type schema struct {
	roots string   // names of possible root elements, separated by spaces
	marks []string // texts of which at least one must be near the start of the file
	roles map[string]string
}

// Roles of elements. Any other role is the name of the HTML element that is written for the
// element. The role "", which unknown elements have as well, means inline text.
const (
	skip      = "-"     // content that is not read
	title     = "title" // title of the document; the role is "title:repeated" if the text begins with the title again
	repeated  = "repeated"
	section   = "section"   // section, whose headings are a level deeper; the role "section:Name" gives a heading to sections that have none
	heading   = "heading"   // heading of the section around it
	label     = "label"     // number or sign that is put before the next heading or text
	person    = "person"    // name of an author, in parts
	item      = "item"      // one of several consecutive items, which are separated by a dot
	words     = "words"     // name or reference whose parts are separated by spaces
	lines     = "lines"     // text whose line breaks are significant
	date      = "date"      // date of the document, as an attribute or as text
	narrative = "narrative" // human-readable text of a section
	entry     = "entry"     // machine-readable form of a section, which is read if the section has no narrative
	patient   = "patient"   // description of the patient, from which the name is read
	data      = "data"      // text that may be a whole file in Base64
	node      = "node"      // section whose name is an attribute
)

// rolesOf returns a map from names to roles, given as alternating lists of names, separated by
// spaces, and their role. A name is an element, an element within another ("sec/title"), all other
// elements within it ("sec/*"), or an element with an attribute ("list[list-type=order]").
func rolesOf(pairs ...string) map[string]string {
	m := make(map[string]string)
	for i := 0; i < len(pairs); i += 2 {
		for name := range strings.FieldsSeq(pairs[i]) {
			m[name] = pairs[i+1]
		}
	}
	return m
}

const (
	sameInHTML  = "p div pre ul ol li dl dt dd table caption thead tbody tfoot tr th td sub sup br h1 h2 h3 h4 h5 h6 blockquote"
	hl7Acts     = "act observation organizer procedure encounter supply substanceAdministration"
	hl7Persons  = "recordTarget author performer informant participant authenticator legalAuthenticator dataEnterer custodian informationRecipient participantRole encounterParticipant assignedAuthor relatedSubject"
	hl7Relation = "entry entryRelationship documentationOf inFulfillmentOf componentOf relatedDocument externalDocument authorization serviceEvent manufacturedProduct criterion"
)

// hl7Roles are the roles for HL7 version 3 documents: C-CDA (HL7 CDA R2, C-CDA R2.1), including a
// single section or entry of one, and SPL (FDA, Structured Product Labeling).
var hl7Roles = rolesOf(
	"ClinicalDocument/* document/* section/*", skip,
	"ClinicalDocument/title document/title", title,
	"ClinicalDocument/effectiveTime document/effectiveTime", date,
	"ClinicalDocument/recordTarget", patient,
	"ClinicalDocument/component document/component section/component", "",
	"nonXMLBody/text", data,
	"section section/section", section,
	"section/title", heading,
	"section/text", narrative,
	"section/entry section/subject "+hl7Acts+" "+hl7Persons+" "+hl7Relation, entry,
	"section/excerpt highlight/text", "div",
	"paragraph", "p", "list", "ul", "list[listType=ordered]", "ol", "item", "li", "list/caption", "p",
	"colgroup footnoteRef observationMedia content[revised=delete]", skip,
	"footnote item/caption renderMultiMedia/caption", label,
)

// jatsRoles are the roles for articles in JATS 1.3 (ANSI/NISO Z39.96) and the earlier NLM tag sets.
var jatsRoles = rolesOf(
	"journal-meta article-meta/* front-stub/* processing-meta object-id graphic inline-graphic media alternatives/tex-math annotation contrib-id pub-id element-citation/ext-link person-group/etal fn/fn-id alt-text", skip,
	"article-meta/title-group article-meta/aff article-meta/abstract article-meta/trans-abstract article-meta/kwd-group front-stub/title-group", "",
	"title-group/article-title", title, "title-group/subtitle title-group/trans-title-group", "p",
	"pub-date article-meta/pub-date", date,
	"contrib-group article-meta/contrib-group front-stub/contrib-group", "p", "aff article-meta/aff contrib/aff contrib-group/aff", "p", "aff/institution-wrap", words, "contrib/name", person, "name string-name", words,
	"contrib/xref contrib/email contrib/role author-notes", skip,
	"abstract article-meta/abstract trans-abstract article-meta/trans-abstract", "section:Abstract",
	"abstract[abstract-type=graphical] abstract[abstract-type=toc]", skip,
	"kwd-group article-meta/kwd-group", "p", "kwd-group/title", label, "kwd", item,
	"sec app glossary notes sub-article response", section,
	"ack", "section:Acknowledgements", "ref-list", "section:References", "fn-group", "section:Notes",
	"title", heading, "caption/title list/title", "p",
	"label", label,
	"list", "ul", "list[list-type=order]", "ol", "list-item", "li",
	"def-list", "dl", "term", "dt", "def", "dd",
	"disp-quote verse-group", "blockquote", "verse-line attrib fn ref disp-formula table-wrap-foot statement speech", "p",
	"boxed-text fig fig-group table-wrap table-wrap-group supplementary-material", "div", "caption", "div", "table/caption", "caption",
	"code preformat", "pre", "break", "br", "strike", "s",
	"element-citation citation nlm-citation product", words,
)

var tomboyRoles = rolesOf(
	"note/*", skip, "note/title", "title:repeated", "note/last-change-date", date, "note/text", lines,
	"list", "ul", "list-item", "li", "strikethrough", "s",
)

// cherryTreeRoles are the roles for CherryTree's own XML (see readNode).
var cherryTreeRoles = rolesOf("cherrytree/bookmarks", skip, "node", node)

// hl7Marks are texts near the start of fragments of HL7 documents, which declare no namespace.
var hl7Marks = []string{`"2.16.840.1.113883.`, "<originalText>", "<nonXMLBody>", "<assignedEntity>", "<associatedEntity ", "<assignedAuthor>", "<intendedRecipient>", "<assignedCustodian>", "<serviceEvent ", "<patientRole>", ` moodCode="`}

var schemas = []schema{
	{roots: "ClinicalDocument document", marks: []string{"urn:hl7-org:v3"}, roles: hl7Roles},
	{roots: "ClinicalDocument", marks: hl7Marks[:1], roles: hl7Roles},
	{roots: "section component " + hl7Acts + " " + hl7Persons + " " + hl7Relation, marks: hl7Marks, roles: hl7Roles},
	{roots: "article", marks: []string{"//NLM//DTD", "<article-meta", "<front>", "article-type="}, roles: jatsRoles},
	{roots: "pmc-articleset", marks: []string{"<article"}, roles: jatsRoles},
	{roots: "note", marks: []string{"http://beatniksoftware.com/tomboy"}, roles: tomboyRoles},
	{roots: "cherrytree", marks: []string{"<node"}, roles: cherryTreeRoles},
}

func init() {
	for _, roles := range []map[string]string{hl7Roles, jatsRoles} {
		for name := range strings.FieldsSeq(sameInHTML) {
			if _, isKnown := roles[name]; !isKnown {
				roles[name] = name
			}
		}
	}
}

var rootTag = lazyregexp.New(`^<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]`)

// schemaOf returns the schema of a file that begins with start, or nil if it is unknown.
func schemaOf(start []byte) *schema {
	start = zipxml.SkipProlog(start)
	m := rootTag.FindSubmatch(start)
	if m == nil {
		return nil
	}
	for i := range schemas {
		if s := &schemas[i]; s.isOf(string(m[1]), start) {
			return s
		}
	}
	return nil
}

func (s *schema) isOf(root string, start []byte) bool {
	if !hasWord(s.roots, root) {
		return false
	}
	for _, mark := range s.marks {
		if bytes.Contains(start, []byte(mark)) {
			return true
		}
	}
	return false
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// roleOf returns the role of an element within the element called parent.
func (s *schema) roleOf(parent string, e zipxml.Element) string {
	for _, a := range e.Attributes {
		if role, ok := s.roles[e.Name+"["+a.Name.Local+"="+a.Value+"]"]; ok {
			return role
		}
	}
	for _, name := range []string{parent + "/" + e.Name, parent + "/*", e.Name} {
		if role, ok := s.roles[name]; ok {
			return role
		}
	}
	return ""
}
