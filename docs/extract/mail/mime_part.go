package mail

import (
	"bytes"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A mimePart is a message, or a part of one.
type mimePart struct {
	header       headerFields
	kind         string            // media type in lower case, without parameters
	parameters   map[string]string // parameters of the media type
	name         string            // file name, or "" if it has none
	isAttachment bool              // whether the header marks the part as an attachment
	body         []byte            // body as sent, not decoded
	parts        []*mimePart       // parts of a multipart, otherwise nil
	message      *mimePart         // content of a forwarded Outlook message; otherwise nil
	depth        int
}

// A mimeTree parses messages into their parts, and counts the parts against the limit.
type mimeTree struct{ parts int }

// parse parses a message or a part, whose default media type is kind. It also parses the parts of a
// multipart, but not the content of a forwarded message.
func (t *mimeTree) parse(raw []byte, kind string, depth int) (*mimePart, error) {
	if depth > maxDepth {
		return nil, extract.ErrNestedTooDeeply
	}
	if t.parts++; t.parts > extract.MaxArchiveEntries {
		return nil, extract.ErrTooManyFiles
	}
	p := newMIMEPart(raw, kind)
	p.depth = depth
	if !strings.HasPrefix(p.kind, "multipart/") {
		return p, nil
	}
	inner := "text/plain"
	if p.kind == "multipart/digest" {
		inner = "message/rfc822" // the default media type in a digest (RFC 2046, 5.1.5)
	}
	for piece := range splitParts(p.body, p.parameters["boundary"]) {
		child, err := t.parse(piece, inner, depth+1)
		if err != nil {
			return nil, err
		}
		p.parts = append(p.parts, child)
	}
	if len(p.parts) == 0 {
		p.kind = "text/plain"
	}
	return p, nil
}

// newMIMEPart parses the header of a part, whose default media type is kind.
func newMIMEPart(raw []byte, kind string) *mimePart {
	header, body := parseHeader(raw)
	p := &mimePart{header: header, kind: kind, body: body}
	declared, _, _ := strings.Cut(header["content-type"], ";")
	if declared = strings.ToLower(strings.TrimSpace(declared)); strings.Contains(declared, "/") {
		p.kind = strings.Fields(declared)[0]
	}
	p.parameters = parseParameters(header["content-type"])
	disposition := header["content-disposition"]
	p.isAttachment = strings.HasPrefix(strings.ToLower(disposition), "attachment")
	if p.name = markdown.OneLine(parseParameters(disposition)["filename"]); p.name == "" {
		p.name = markdown.OneLine(p.parameters["name"])
	}
	return p
}

// splitParts yields the parts of a multipart (RFC 2046, 5.1.1). The closing delimiter may be
// missing.
func splitParts(body []byte, boundary string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		line := []byte("--" + strings.TrimRight(boundary, " "))
		start, from := -1, 0
		for boundary != "" {
			i := bytes.Index(body[from:], line)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(line)
			tail, _, _ := bytes.Cut(body[from:min(len(body), from+maxBoundaryTail)], []byte("\n"))
			rest := bytes.TrimSpace(tail)
			if at > 0 && body[at-1] != '\n' || len(rest) > 0 && !bytes.Equal(rest, []byte("--")) {
				continue
			}
			if start >= 0 && !yield(body[start:at]) {
				return
			}
			if start = min(from+len(tail)+1, len(body)); len(rest) > 0 {
				return
			}
		}
		if start >= 0 {
			yield(body[start:])
		}
	}
}

const maxBoundaryTail = 80 // maximum bytes of white space after a boundary

// isMessage reports whether p is itself a message, such as a forwarded one.
func (p *mimePart) isMessage() bool {
	return p.kind == "message/rfc822" || p.kind == "message/global" || p.kind == "message/news" ||
		p.kind == "application/octet-stream" && strings.EqualFold(path.Ext(p.name), ".eml")
}

// textKinds maps file extensions to the media types of text files, which are often sent without
// one.
var textKinds = map[string]string{
	".txt": "text/plain", ".log": "text/plain", ".csv": "text/csv", ".tsv": "text/csv", ".md": "text/markdown",
	".html": "text/html", ".htm": "text/html", ".ics": "text/calendar", ".vcf": "text/vcard",
}

// textKind returns the media type of p if it is text, or "".
func (p *mimePart) textKind() string {
	switch {
	case p.kind == "text/rtf" || p.kind == "text/css" || p.kind == "text/javascript":
		return ""
	case p.kind == "text/plain" || p.kind == "application/octet-stream":
		if kind := textKinds[strings.ToLower(path.Ext(p.name))]; kind != "" {
			return kind
		}
	case p.kind == "text/x-markdown":
		return "text/markdown"
	case p.kind == "message/delivery-status" || p.kind == "message/disposition-notification":
		return "text/plain" // report on the delivery or the reading of a message (RFC 3464, RFC 8098)
	case p.kind == "application/ics":
		return "text/calendar"
	case p.kind == "text/x-vcard":
		return "text/vcard"
	}
	if strings.HasPrefix(p.kind, "text/") {
		return p.kind
	}
	return ""
}

// savedPage returns the web page of an MHTML file that a browser saved, or nil. Such a file has the
// address of the page, and none of the header fields of a message that was sent.
func (p *mimePart) savedPage() *mimePart {
	for _, name := range []string{"to", "cc", "bcc", "message-id", "received", "delivered-to"} {
		if p.header[name] != "" {
			return nil
		}
	}
	root := p
	for len(root.parts) > 0 {
		root = root.rootPart()
	}
	if root.kind != "text/html" && root.kind != "application/xhtml+xml" || root.isAttachment {
		return nil
	}
	if root.header["content-location"] == "" && p.header["snapshot-content-location"] == "" {
		return nil
	}
	return root
}

// rootPart returns the main part of a multipart: the first that is HTML or a multipart, otherwise
// the first.
func (p *mimePart) rootPart() *mimePart {
	for _, child := range p.parts {
		if child.kind == "text/html" || strings.HasPrefix(child.kind, "multipart/") {
			return child
		}
	}
	return p.parts[0]
}
