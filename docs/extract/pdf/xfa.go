package pdf

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// An XFA form (XML Forms Architecture 3.3) is displayed only by Adobe Reader: the pages of the file
// only say "Please wait". Its texts are in the template, and the entered values in the data set.

var errXFA = extract.Skip("form that only Adobe Acrobat can display (XFA): print it to a PDF")

// isDynamicForm reports whether the file is an XFA form, whose pages are placeholders.
func (d *file) isDynamicForm() bool { return d.formType() == enums.FPDF_FORMTYPE_XFA_FULL }

// isPlaceholder reports whether the text of a page is the one that programs other than Adobe Reader
// show for an XFA form.
func isPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "Please wait") || strings.Contains(text, "Adobe Reader") && len(text) < 2000
}

// readDynamicForm returns the texts of an XFA form and the values entered in it.
func (d *file) readDynamicForm() (extract.Content, error) {
	var blocks []string
	template, data := d.formPacket("template"), d.formPacket("datasets")
	if words := templateWords(template); len(words) > 0 {
		blocks = append(blocks, strings.Join(words, "\n"))
	}
	if values := dataValues(data); len(values) > 0 {
		blocks = append(blocks, strings.Join(values, "\n"))
	}
	text := strings.Join(blocks, "\n\n")
	switch {
	case text == "":
		return extract.Content{}, errXFA
	case len(text) >= extract.MaxTextBytes:
		return extract.Content{}, extract.ErrTooMuchText
	}
	return extract.Content{
		Text: text + "\n", Title: d.title(), Parts: []extract.Part{{Kind: extract.Page, Number: 1}},
		ExtractionNote: message.New("form that only Adobe Acrobat can display (XFA): its text and values are read"),
	}, nil
}

// maxPackets is the maximum number of packets of a form that are searched.
const maxPackets = 100

// formPacket returns the content of the XFA packet with a name, such as "datasets"; nil if there is none.
func (d *file) formPacket(name string) []byte {
	count, err := d.instance.FPDF_GetXFAPacketCount(&requests.FPDF_GetXFAPacketCount{Document: d.document})
	if err != nil {
		return nil
	}
	for i := range min(count.Count, maxPackets) {
		packet, err := d.instance.FPDF_GetXFAPacketName(&requests.FPDF_GetXFAPacketName{Document: d.document, Index: i})
		if err != nil || packet.Name != name {
			continue
		}
		if content, err := d.instance.FPDF_GetXFAPacketContent(&requests.FPDF_GetXFAPacketContent{Document: d.document, Index: i}); err == nil {
			return content.Content
		}
	}
	return nil
}

// templateWords returns the captions and texts in the template of a form.
func templateWords(template []byte) (words []string) {
	eachText(template, func(path []string, text string) {
		for _, element := range path {
			switch element {
			case "script", "items", "bind", "message", "toolTip", "desc", "calculate", "validate":
				return
			case "value":
				words = append(words, text)
				return
			}
		}
	})
	return words
}

// dataValues returns the names and values of the filled-in fields, given the data set of a form.
func dataValues(datasets []byte) (values []string) {
	eachText(datasets, func(path []string, text string) {
		if len(path) > 1 && path[1] == "data" {
			values = append(values, path[len(path)-1]+": "+text)
		}
	})
	return values
}

// maxElementDepth limits the nesting of elements in a form.
const maxElementDepth = 100

// eachText calls use with each non-blank text in the XML of an XFA packet, and the names of the elements
// around it, outermost first. It stops at invalid XML.
func eachText(part []byte, use func(path []string, text string)) {
	decoder := xml.NewDecoder(bytes.NewReader(part))
	decoder.Strict = false
	var path []string
	for {
		token, err := decoder.Token()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			if path = append(path, t.Name.Local); len(path) > maxElementDepth {
				return
			}
		case xml.EndElement:
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
		case xml.CharData:
			if text := strings.Join(strings.Fields(cleanMetadata(string(t))), " "); text != "" && len(path) > 0 {
				use(path, text)
			}
		}
	}
}
