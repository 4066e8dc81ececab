package mail

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/rtf"
)

// ReadOutlook reads an Outlook message file ([MS-OXMSG]).
func ReadOutlook(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	return readOutlook(raw, messageWriter{progress: p})
}

func readOutlook(raw []byte, m messageWriter) (extract.Content, error) {
	file, err := cfb.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if !file.Root.HasStream(outlookProperties) {
		return extract.Content{}, errDamaged
	}
	r := outlookReader{attached: m.reader}
	r.readNames(file.Root)
	root := r.readMessage(file.Root, rootHeader, 0)
	if r.err != nil {
		return extract.Content{}, r.err
	}
	return m.content(root)
}

// An outlookReader converts an Outlook message into the MIME parts that the message would have had
// in transit.
type outlookReader struct {
	names    map[uint32]uint16 // maps named properties to their property IDs in this file
	attached AttachmentReader  // nil if attached documents are not read
	parts    int
	err      error // the error at which reading ended, or nil
}

// Names of the streams and storages of a message ([MS-OXMSG], 2.1.1), and sizes in bytes of the
// headers of property lists.
const (
	outlookProperties = "__properties_version1.0"
	recipientStorage  = "__recip_version1.0_#"
	attachmentStorage = "__attach_version1.0_#"
	embeddedStorage   = "__substg1.0_3701000D"

	rootHeader     = 32
	embeddedHeader = 24
	innerHeader    = 8
)

// IDs of the properties that are read ([MS-OXPROPS]).
const (
	subjectProperty         = 0x0037
	submittedProperty       = 0x0039
	deliveredProperty       = 0x0E06
	representingProperty    = 0x0042
	representingMailAddress = 0x0065
	representingSMTPAddress = 0x5D02
	headersProperty         = 0x007D
	senderProperty          = 0x0C1A
	senderMailAddress       = 0x0C1F
	senderSMTPAddress       = 0x5D01
	recipientKind           = 0x0C15
	displayCcProperty       = 0x0E03
	displayToProperty       = 0x0E04
	bodyProperty            = 0x1000
	rtfProperty             = 0x1009
	htmlProperty            = 0x1013
	displayNameProperty     = 0x3001
	mailAddressProperty     = 0x3003
	smtpAddressProperty     = 0x39FE
	attachmentData          = 0x3701
	attachmentShortName     = 0x3704
	attachmentLongName      = 0x3707
	attachmentType          = 0x370E
	htmlCodePage            = 0x3FDE
	messageCodePage         = 0x3FFD
)

// readMessage returns a message that is nested at the given depth. header is the size in bytes of
// the header of its property list.
func (r *outlookReader) readMessage(s *cfb.Storage, header, depth int) *mimePart {
	if depth > maxDepth {
		r.err = extract.ErrNestedTooDeeply
	}
	o := r.openObject(s, header, "")
	o.label = charset.CodePageLabel(o.numbers[messageCodePage])
	p := &mimePart{kind: "multipart/mixed", header: r.readHeader(o), depth: depth}
	p.parts = r.bodyParts(o)
	for _, inner := range s.Storages {
		if r.parts++; r.parts > extract.MaxArchiveEntries {
			r.err = extract.ErrTooManyFiles
		}
		if r.err != nil {
			break
		}
		switch {
		case strings.HasPrefix(inner.Name, recipientStorage):
			r.addRecipient(p.header, r.openObject(inner, innerHeader, o.label))
		case strings.HasPrefix(inner.Name, attachmentStorage):
			p.parts = append(p.parts, r.readAttachment(inner, o.label, depth))
		}
	}
	for name, property := range map[string]uint16{"to": displayToProperty, "cc": displayCcProperty} {
		if p.header[name] == "" {
			p.header[name] = o.lineProperty(property)
		}
	}
	return p
}

// readHeader returns the header of a message, composed of its properties and of the header with which
// it was sent, if that is stored.
func (r *outlookReader) readHeader(o *outlookObject) headerFields {
	sent, _ := parseHeader([]byte(o.textProperty(headersProperty)))
	h := headerFields{"subject": strings.TrimLeft(o.lineProperty(subjectProperty), "\x01"), "date": sent["date"]}
	if h["from"] = o.personProperty(representingProperty, representingSMTPAddress, representingMailAddress); h["from"] == "" {
		h["from"] = o.personProperty(senderProperty, senderSMTPAddress, senderMailAddress)
	}
	for _, name := range []string{"from", "subject"} {
		if h[name] == "" {
			h[name] = sent[name]
		}
	}
	for _, property := range []uint16{submittedProperty, deliveredProperty} {
		if h["date"] == "" {
			h["date"] = formatMoment(fileTime(o.numbers[property]), time.RFC1123Z)
		}
	}
	if h[detailsField] = o.details(); h["subject"] == "" {
		h["subject"] = o.lineProperty(displayNameProperty)
	}
	return h
}

// addRecipient adds a recipient to the header field To or Cc.
func (r *outlookReader) addRecipient(h headerFields, o *outlookObject) {
	name := map[uint64]string{1: "to", 2: "cc"}[o.numbers[recipientKind]]
	person := o.personProperty(displayNameProperty, smtpAddressProperty, mailAddressProperty)
	if name == "" || person == "" || len(h[name]) > maxMailField {
		return
	}
	if h[name] != "" {
		h[name] += ", "
	}
	h[name] += person
}

// bodyParts returns the text of a message in all forms in which it is stored. Outlook derives the
// RTF from the other forms if they exist.
func (r *outlookReader) bodyParts(o *outlookObject) []*mimePart {
	var forms []*mimePart
	if text := o.textProperty(bodyProperty); strings.TrimSpace(text) != "" {
		forms = append(forms, textPart("text/plain", text))
	}
	if text := o.textProperty(htmlProperty); text != "" {
		forms = append(forms, textPart("text/html", text))
	} else if raw := o.binaryProperty(htmlProperty); len(raw) > 0 {
		p := textPart("text/html", string(raw))
		p.parameters["charset"] = charset.CodePageLabel(o.numbers[htmlCodePage])
		forms = append(forms, p)
	}
	if len(forms) == 0 {
		if c, err := rtf.Read(decompressRTF(o.binaryProperty(rtfProperty)), extract.NoProgress); err == nil {
			forms = append(forms, textPart("text/plain", c.Text))
		}
	}
	return []*mimePart{{kind: "multipart/alternative", parts: forms}}
}

func textPart(kind, text string) *mimePart {
	return &mimePart{kind: kind, parameters: map[string]string{"charset": "utf-8"}, body: []byte(text)}
}

// readAttachment returns an attachment of a message. Only the content of texts, messages and
// documents that are read is loaded.
func (r *outlookReader) readAttachment(s *cfb.Storage, label string, depth int) *mimePart {
	o := r.openObject(s, innerHeader, label)
	p := &mimePart{kind: strings.ToLower(o.lineProperty(attachmentType)), isAttachment: true, depth: depth + 1}
	for _, property := range []uint16{attachmentLongName, attachmentShortName, displayNameProperty} {
		if p.name == "" {
			p.name = o.lineProperty(property)
		}
	}
	if inner := s.Child(embeddedStorage); inner != nil && inner.HasStream(outlookProperties) {
		p.kind, p.message = "message/rfc822", r.readMessage(inner, embeddedHeader, depth+1)
		return p
	}
	if p.kind == "" {
		p.kind = "application/octet-stream"
	}
	if p.isMessage() || p.textKind() != "" || r.attached != nil && r.attached.Reads(p.name) {
		p.body = o.binaryProperty(attachmentData)
	}
	return p
}

// An outlookObject is a message, a recipient or an attachment, with its properties.
type outlookObject struct {
	reader  *outlookReader
	storage *cfb.Storage
	numbers map[uint16]uint64 // values of properties of fixed size, by property ID
	label   string            // label of the encoding of texts that are not in UTF-16
}

func (r *outlookReader) openObject(s *cfb.Storage, header int, label string) *outlookObject {
	o := &outlookObject{reader: r, storage: s, numbers: make(map[uint16]uint64), label: label}
	list := o.readStream(outlookProperties)
	for list = list[min(header, len(list)):]; len(list) >= 16; list = list[16:] {
		kind, value := binary.LittleEndian.Uint16(list), binary.LittleEndian.Uint64(list[8:])
		switch kind {
		case 0x0003: // type of a 32-bit integer
			value &= 0xFFFFFFFF
		case 0x0040: // type of a time
		default:
			continue
		}
		o.numbers[binary.LittleEndian.Uint16(list[2:])] = value
	}
	return o
}

// readStream returns the content of a stream of the object, or nil if reading has failed.
func (o *outlookObject) readStream(name string) []byte {
	data, err := o.storage.ReadStream(name)
	if err != nil {
		o.reader.err = err
	}
	return data
}

// textProperty returns the value of the text property with that ID, or "".
func (o *outlookObject) textProperty(property uint16) string {
	if wide := o.readStream(fmt.Sprintf("__substg1.0_%04X001F", property)); len(wide) > 0 {
		units := make([]uint16, len(wide)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(wide[2*i:])
		}
		return strings.ReplaceAll(string(utf16.Decode(units)), "\x00", "")
	}
	narrow := &mimePart{parameters: map[string]string{"charset": o.label}, body: o.readStream(fmt.Sprintf("__substg1.0_%04X001E", property))}
	for len(narrow.body) > 0 && narrow.body[len(narrow.body)-1] == 0 {
		narrow.body = narrow.body[:len(narrow.body)-1]
	}
	return narrow.text()
}

func (o *outlookObject) lineProperty(property uint16) string {
	return markdown.OneLine(o.textProperty(property))
}

// binaryProperty returns the value of the binary property with that ID, or nil.
func (o *outlookObject) binaryProperty(property uint16) []byte {
	return o.readStream(fmt.Sprintf("__substg1.0_%04X0102", property))
}

// personProperty returns the name of a person, followed by the first of the addresses that is an
// e-mail address: addresses of other kinds are useful only within a company.
func (o *outlookObject) personProperty(name uint16, addresses ...uint16) string {
	person := strings.Trim(o.lineProperty(name), "'")
	for _, property := range addresses {
		address := o.lineProperty(property)
		switch {
		case !strings.Contains(address, "@"):
			continue
		case person == "" || strings.EqualFold(person, address):
			return address
		}
		return person + " <" + address + ">"
	}
	return person
}

// fileTime converts a number of ticks of 100 nanoseconds since 1601 to a time in UTC. It returns
// the zero time if that is not plausible.
func fileTime(ticks uint64) time.Time {
	const toUnix = 116_444_736_000_000_000
	if ticks < toUnix || ticks > 2*toUnix {
		return time.Time{}
	}
	return time.Unix(int64(ticks-toUnix)/1e7, 0).UTC()
}
